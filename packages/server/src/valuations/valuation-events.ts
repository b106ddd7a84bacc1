import type { Reader } from '../database/statement.ts'
import type { JobDraft } from '../jobs/job-kinds.ts'
import { activeRoomsOfBusiness } from './valuation-event-store.ts'
import type { SummaryRow } from './valuation-store.ts'

/** The types of events that every Room of the Business of a valuation is told. */
export type ToldEvent = 'valuation.completed' | 'valuation.claimed' | 'valuation.superseded'

/** How many Rooms a change tells itself, so that its transaction stays short. A job tells the others. */
const toldAtOnce = 100

/** The first Rooms to tell, and whether there are more. */
export interface RoomsToTell {
  room_ids: string[]
  has_more: boolean
}

/** The Rooms that are told of a valuation of the Business. */
export async function roomsToTell(
  reader: Reader,
  workspace_id: string,
  business_id: string | null,
): Promise<RoomsToTell> {
  if (business_id === null) return { room_ids: [], has_more: false }
  const page = { after: '', limit: toldAtOnce + 1 }
  const found = await activeRoomsOfBusiness(reader, workspace_id, business_id, page)
  return { room_ids: found.slice(0, toldAtOnce), has_more: found.length > toldAtOnce }
}

/**
 * What tells the Rooms of its Business about a valuation: events, and a job for the Rooms beyond the first ones. Without a Room,
 * one event in the audit log. Guests of the Rooms read them, so they have no figures.
 */
export function valuationEventsFor<Type extends ToldEvent>(
  type: Type,
  row: Told & { workspace_id: string },
  { room_ids, has_more }: RoomsToTell,
): { events: ValuationEvent<Type>[]; jobs: JobDraft[] } {
  const event = valuationEvent(type, row)
  const { workspace_id, valuation_id } = row
  const after = room_ids.at(-1)
  return {
    events: after === undefined ? [event] : room_ids.map(room_id => ({ ...event, room_id })),
    jobs:
      has_more && after !== undefined
        ? [{ kind: 'tell_rooms_of_valuation', data: { workspace_id, valuation_id, type, after } }]
        : [],
  }
}

type Told = Pick<SummaryRow, 'valuation_id' | 'summary'>

interface ValuationEvent<Type> {
  type: Type
  subject: { type: 'valuation'; id: string; name: string | null }
  data: { engagement_type: SummaryRow['summary']['engagement_type'] }
  room_id?: string
}

/** An event about a valuation. */
export const valuationEvent = <Type extends `valuation.${string}`>(
  type: Type,
  { valuation_id, summary }: Told,
  data: Record<string, unknown> = {},
): ValuationEvent<Type> => ({
  type,
  subject: { type: 'valuation', id: valuation_id, name: summary.subject.name },
  data: { engagement_type: summary.engagement_type, ...data },
})
