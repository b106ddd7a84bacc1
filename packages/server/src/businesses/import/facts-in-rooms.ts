import type pg from 'pg'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import { factsWhere, type KnownFacts } from '../business-access-store.ts'
import { differences, publicAmong } from '../business-facts.ts'
import type { Range } from './run.ts'

/** The facts of those Businesses of some rows of `changed_rows` that are published and in some Room, as they are now. */
export async function factsInRooms(client: pg.Client, { from, to }: Range): Promise<KnownFacts[]> {
  const { rows } = await client.query<KnownFacts>(inRooms, [from, to])
  return rows
}

/** The jobs that tell Rooms what everybody reads otherwise now than it was before. */
export async function toTell(client: pg.Client, before: readonly KnownFacts[]): Promise<JobDraft[]> {
  if (before.length === 0) return []
  const { rows } = await client.query<KnownFacts>(factsNow, [before.map(({ id }) => id)])
  const now = new Map(rows.map(facts => [facts.id, facts]))
  return before.flatMap((facts): JobDraft[] => {
    const changed = publicAmong(facts, differences(facts, now.get(facts.id) ?? facts))
    return changed.length > 0
      ? [{ kind: 'tell_rooms_of_business', data: { business_id: facts.id, changed } }]
      : []
  })
}

const inRooms = factsWhere(`b.publication_status = 'published' and b.id in (
  select business_id from workspaces_with_rooms(array(select business_id from changed_rows where n between $1 and $2)))`)
const factsNow = factsWhere('b.id = any ($1)')
