import type { Scope } from '@wbs/contract/scopes'
import type { Refuse } from '../call/problem.ts'
import { requireRevision } from '../call/revision.ts'
import type { GuestStanding, Standing } from '../call/authority/standing.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { countOf, unknownCount } from './list.ts'
import { listById, lockList, type CountedList, type ListRow, type OpenedList } from './list-store.ts'

/** A caller with standing in the Workspace of the Lists. */
export interface CallerInWorkspace {
  standing: Standing
}

/** The caller of a change. */
export type CallerOfChange = CallerInWorkspace & { tx: Transaction }

/** The refusal for a List that does not exist or is hidden. */
export const noSuchList = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such List, or you cannot see it.')

/** Whether a caller can see the Lists of the Workspace, where the operation declares another permission. */
export const seesLists = ({ permissions }: Standing | GuestStanding): boolean => permissions.has('lists:read')

const toReadCounts: readonly Scope[] = ['lists:read', 'list_members:read', 'businesses:read']

/** Whether a caller can read what was counted of Lists, where another slice shows it. */
export const readsCounts = ({ permissions }: Standing | GuestStanding): boolean =>
  toReadCounts.every(count => permissions.has(count))

/** The count of a List for a caller, where another slice shows it. For others it is as if nothing was ever counted. */
export const countFor = (list: CountedList | null, standing: Standing | GuestStanding) =>
  list ? countOf(list, readsCounts(standing)) : unknownCount

/** A List of the Workspace. Throws not_found. */
export async function requireList(
  { standing, refuse }: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  list_id: string,
  options?: { include_archived: boolean },
): Promise<ListRow> {
  const list = await listById(reader, standing.workspace_id, list_id, options)
  if (!list) throw noSuchList(refuse)
  return list
}

const lockListOfPath = ({ list_id }: { list_id: string }, { tx, standing }: CallerOfChange) =>
  lockList(tx, standing.workspace_id, list_id, standing.seal)

/** Locks the List of the path for a change, if the caller can see it. Throws not_found. */
export async function openList(
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
  list_id: string,
): Promise<OpenedList> {
  const list = seesLists(context.standing) ? await lockListOfPath({ list_id }, context) : undefined
  if (!list) throw noSuchList(context.refuse)
  return list
}

/** Throws revision_conflict unless the List has the version that the caller read. */
export const requireVersion = (
  { version }: ListRow,
  expected: number,
  changed_fields: string[],
  refuse: Parameters<typeof requireRevision>[3],
): void => requireRevision({ revision: version }, expected, changed_fields, refuse)

/** Throws state_conflict unless the List is active: members of another one cannot be evaluated for a change. */
export function requireActiveList({ lifecycle_status }: ListRow, refuse: Refuse<'state_conflict'>): void {
  if (lifecycle_status !== 'active')
    throw refuse.state_conflict(
      lifecycle_status === 'archived'
        ? 'The List is archived. Restore it first.'
        : 'The List is restricted: its values and overrides cannot be set.',
      { current_status: lifecycle_status },
    )
}

/** Checks before a replay that the caller can still see the List of the path. Throws not_found. */
async function checkListVisible(
  { list_id }: { list_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireList(context, context.tx, list_id)
}

/** What runs before a handler that begins by opening the List of its path. */
export const beforeListChange = { visible: checkListVisible, prefetch: lockListOfPath }
