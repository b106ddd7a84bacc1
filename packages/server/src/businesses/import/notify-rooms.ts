import type pg from 'pg'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import { factColumnsSql, tablesOfFactsSql, type StoredFacts } from '../business-access-store.ts'
import { changedFactNames, publicFactsAmong } from '../business-facts.ts'
import type { Range } from './run.ts'

/** The present facts of the published Businesses in a range of `changed_rows` that are in some Room. */
export async function factsInRooms(client: pg.Client, { from, to }: Range): Promise<StoredFacts[]> {
  const { rows } = await client.query<StoredFacts>(inRooms, [from, to])
  return rows
}

/** The jobs that notify Rooms of the public facts that changed. */
export async function roomNotificationJobs(
  client: pg.Client,
  before: readonly StoredFacts[],
): Promise<JobDraft[]> {
  if (before.length === 0) return []
  const { rows } = await client.query<StoredFacts>(factsNow, [before.map(({ id }) => id)])
  const now = new Map(rows.map(facts => [facts.id, facts]))
  return before.flatMap((facts): JobDraft[] => {
    const changed = publicFactsAmong(facts, changedFactNames(facts, now.get(facts.id) ?? facts))
    return changed.length > 0
      ? [{ kind: 'tell_rooms_of_business', data: { business_id: facts.id, changed } }]
      : []
  })
}

const inRooms = `select ${factColumnsSql} from ${tablesOfFactsSql}
  where b.publication_status = 'published' and b.id in (
    select business_id from workspaces_with_rooms(array(select business_id from changed_rows where n between $1 and $2)))`
const factsNow = `select ${factColumnsSql} from ${tablesOfFactsSql} where b.id = any ($1)`
