import type { Reader } from '../../database/statement.ts'
import { userInWorkspace } from '../../rooms/access/access-explanation-store.ts'
import type { Viewer } from '../../rooms/visibility/room-visibility-store.ts'

/** A user who may get mail about Tasks of a Workspace, as a viewer. Null for a member without the permission to read Tasks. */
export async function readerOfTasks(
  reader: Reader,
  workspace_id: string,
  user_id: string,
): Promise<Viewer | null> {
  const { viewer, permissions } = await userInWorkspace(reader, workspace_id, user_id)
  return permissions?.has('tasks:read') === false ? null : viewer
}
