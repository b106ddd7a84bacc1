import { countList } from '@wbs/contract/lists/counts'
import { implement, type PrepareContext } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import { beforeListChange, noSuchList, openList } from '../list-access.ts'
import { countOf } from '../list.ts'
import { listById, type ListRow } from '../list-store.ts'
import { presentList, replayedList } from '../list-view.ts'
import { countMembers } from '../members/count-store.ts'
import { membershipOf } from '../members/member-access.ts'
import { saveCount, type Counted } from './count-change-store.ts'

/** Null if there was no such List. */
type Prepared = { counted: Counted; seesAll: boolean } | null

export const handleCountList = implement<typeof countList, Prepared>(
  countList,
  async function countList({ list_id }, context) {
    const { tx, standing, refuse, prepared } = context
    const list = await openList(context, list_id)
    if (!prepared) throw noSuchList(refuse)
    const { counted, seesAll } = prepared
    const mayBeShown = !seesAll || standing.permissions.has('businesses:read')
    if (seesAll && mayBeShown && isLatest(counted, list)) saveCount(tx, list, counted)
    const count = countOf({ ...list, counted, expired_since: false }, mayBeShown)
    return {
      result: { data: { ...presentList(list, { standing }), count } },
      revision: list.version,
      resource: { type: 'list', id: list_id },
      events: [],
    }
  },
  { ...beforeListChange, prepare: countBefore, replayed: replayedList },
)

/** Counts before the transaction, because a count can take seconds. */
async function countBefore(
  { list_id }: { list_id: string },
  { read, standing }: PrepareContext<typeof countList>,
): Promise<Prepared> {
  // An override that expires between this moment and the count makes the count stale.
  const at = await databaseTime(read)
  const list = await listById(read, standing.workspace_id, list_id)
  if (!list) return null
  const counted = await countMembers(read, membershipOf(list, standing, at))
  return {
    counted: { ...counted, version: list.version, at: at.toISOString() },
    seesAll: standing.permissions.has('businesses:read'),
  }
}

/** Whether no count is stored that began later. */
const isLatest = ({ at }: Counted, { counted }: ListRow): boolean => !counted || counted.at <= at
