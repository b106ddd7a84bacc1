import type { Scope } from '@wbs/contract/scopes'
import type { Refuse } from '../call/problem.ts'
import { requireRevision } from '../call/revision.ts'
import type { GuestStanding, Standing } from '../call/authority/standing.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { listById, lockList, type ListRow, type OpenedList } from './list-store.ts'

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

/**
 * Throws forbidden unless the caller has these permissions. Operations on members declare one permission and need more.
 */
export function requirePermissions(
  { permissions }: Standing,
  needed: readonly Scope[],
  refuse: Refuse<'forbidden'>,
): void {
  const missing = needed.find(one => !permissions.has(one))
  if (missing)
    throw refuse.forbidden(`This requires the permission ${missing}.`, { required_permission: missing })
}

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
