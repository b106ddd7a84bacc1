import type { BusinessField } from '@wbs/contract/businesses/businesses'
import { foldText } from '@wbs/server/businesses/fold'
import type { ListEntry } from '@wbs/sdk'

/** A way to find the member that a row is about. */
export interface Matching {
  /** The headers whose cells name the member. */
  headers: readonly string[]
  /** The facts of members to read. */
  fields: readonly BusinessField[]
  /** What the cells say, in the order of the headers, in the form that is compared. */
  keyOf: (...cells: string[]) => string
  /** The same cells of a member; null where it has none. */
  cellsOf: (entry: ListEntry) => (string | null | undefined)[]
}

export const matchings = {
  id: {
    headers: ['id'],
    fields: [],
    keyOf: id => id.trim(),
    cellsOf: ({ member_id }) => [member_id],
  },
  website: {
    headers: ['website_url'],
    fields: ['website_url'],
    keyOf: url => url.trim(),
    cellsOf: ({ business }) => [business?.website_url],
  },
  name_state: {
    headers: ['name', 'state'],
    fields: ['state'],
    keyOf: (name, state) => `${foldText(name)}\n${foldText(state)}`,
    cellsOf: ({ subject, business }) => [subject.name, business?.state],
  },
} satisfies Record<string, Matching>

export type MatchName = keyof typeof matchings
