import { buffer } from 'node:stream/consumers'
import type { InputOf } from '@wbs/contract/operation'
import { createRoomRequests } from '@wbs/contract/tasks/requests'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement, type MutationContext } from '../../call/implement.ts'
import { seesEverybody } from '../../rooms/place-access.ts'
import {
  checkRoomVisible,
  lockRoomAndRead,
  requireActive,
  requireOpened,
  viewerOf,
  type CallerOfChange,
} from '../../rooms/room-access.ts'
import { insertTasks } from '../task-change-store.ts'
import { taskCreated } from '../task-view.ts'
import { readRequestList, type RequestList } from './read-request-list.ts'
import {
  faultOfFile,
  refusedErrors,
  requireFileOfRoom,
  requireFilesRead,
  requireRows,
} from './request-access.ts'
import { countsByKind, mailJobs, newTask } from './new-tasks.ts'
import { withAssignees, type Row } from './request-assignees.ts'
import { requestFile, type RequestFile } from './request-file-store.ts'
import { requestsOf, templates } from './templates/request-templates.ts'

type Input = InputOf<typeof createRoomRequests>
/** Null if there was nothing to read: no File is named, the caller cannot open it, or it is no list. */
type Prepared = RequestList | null
type Context = MutationContext<typeof createRoomRequests, Prepared>

/** The content of a File is read before the transaction, so that a slow store holds no lock. */
export const handleCreateRoomRequests = (blobs: Pick<BlobStore, 'read'>) =>
  implement<typeof createRoomRequests, Prepared>(
    createRoomRequests,
    async function createRoomRequests(input, context) {
      const { tx, caller, standing, now, refuse } = context
      const { room_id, due_at = null, assignee_user_id = null } = input
      if (input.file_id !== undefined) requireFilesRead(standing, refuse)
      const [locked, file] = await lockRoomAndFile(input, context)
      if (locked && input.file_id !== undefined) requireFileOfRoom(file, refuse)
      const room = requireOpened(locked, 'edit', refuse)
      requireActive(room, refuse)
      const place = { workspace_id: standing.workspace_id, room_id, user_id: caller.user_id }
      const search = { ...place, sees_all: seesEverybody(context, room) }
      const found = await withAssignees(tx, search, rowsOf(input, file, context), assignee_user_id)
      if ('errors' in found) throw refusedErrors(found.errors, refuse)
      const { requests } = found
      const drafts = requests.map(request => newTask(request, due_at))
      const tasks = insertTasks(tx, { ...place, room }, drafts, now)
      return {
        result: {
          data: {
            created: tasks.length,
            by_kind: countsByKind(tasks),
            task_ids: tasks.map(({ task_id }) => task_id),
          },
        },
        resource: { type: 'room', id: room_id },
        events: tasks.map((task, index) => taskCreated(task, requests[index]?.assignee ?? null)),
        jobs: mailJobs(place, requests),
      }
    },
    {
      visible: checkRoomVisible,
      prefetch: lockRoomAndFile,
      async prepare(input, context) {
        const { room_id, file_id, mapping = {} } = input
        const { read, standing } = context
        if (file_id === undefined || !standing.permissions.has('files:read')) return null
        const file = await requestFile(read, viewerOf(context), { room_id, file_id })
        if (file?.processing_status !== 'ready' || faultOfFile(file) !== null) return null
        const content = await blobs.read(standing.workspace_id, file.sha256)
        return readRequestList(await buffer(content), mapping)
      },
    },
  )

/** Locks the Room, and reads the File under the lock: access to it ends with access to the Room. */
function lockRoomAndFile({ room_id, file_id }: Input, context: CallerOfChange) {
  return lockRoomAndRead(context, room_id, viewer =>
    file_id === undefined
      ? Promise.resolve(undefined)
      : requestFile(context.tx, viewer, { room_id, file_id }),
  )
}

/** The rows of the named list. */
function rowsOf({ template }: Input, file: RequestFile | undefined, { prepared, refuse }: Context): Row[] {
  if (template === undefined) return requireRows(requireFileOfRoom(file, refuse), prepared, refuse)
  return requestsOf(templates[template]).map(request => ({
    row: null,
    request: { ...request, priority: 'none', due_at: null, assignee_email: null },
  }))
}
