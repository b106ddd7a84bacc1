import type { TProperties } from 'typebox'
import { T } from './json/type.ts'

/**
 * A type of event: the feed that shows it, and the further facts that its `data` holds. `activity` events are in the feed
 * of Rooms; `audit` events are in the audit log of the Workspace; `place` events are in the feed of their Room or, if they
 * have none, in the audit log.
 */
export type EventDeclaration =
  | { feed: 'activity' | 'place'; data: TProperties }
  | { feed: 'audit'; data?: undefined }

/** An event of the feed of a Room, with these further facts. */
export const activity = <Data extends TProperties = {}>(data?: Data) =>
  ({ feed: 'activity', data: data ?? ({} as Data) }) as const

/** An event of the feed of its Room or, without a Room, of the audit log, with these further facts. */
export const place = <Data extends TProperties = {}>(data?: Data) =>
  ({ feed: 'place', data: data ?? ({} as Data) }) as const

/** An event of the audit log. Its further facts are not part of the interface. */
export const audit = { feed: 'audit' } as const

/** The further fact of most updates. */
export const changed = () => T.Array(T.String(), { description: 'The names of the fields that changed.' })
