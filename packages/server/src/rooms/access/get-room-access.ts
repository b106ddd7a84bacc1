import { getRoomAccess } from '@wbs/contract/rooms/access'
import { includes } from '@wbs/contract/scopes'
import { implement } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { requireRoom, viewerOf, type CallerInWorkspace } from '../room-access.ts'
import {
  explainAccess,
  explainFileAccess,
  viewerById,
  type AccessReason,
} from './access-explanation-store.ts'

export const handleGetRoomAccess = implement(
  getRoomAccess,
  async function getRoomAccess({ room_id, user_id, room_file_id }, context) {
    const { caller, standing, read, refuse } = context
    const room = await requireRoom(context, read, room_id)
    const isOwn = user_id === undefined || user_id === caller.user_id
    const file = room_file_id === undefined ? undefined : { room_id, room_file_id }
    if (file) await requireVisibleFile(context, read, file)
    if (!isOwn && !includes(room.access_level, 'full_access'))
      throw refuse.forbidden('You need full access to the Room to see the access of others.')
    const viewer = isOwn ? viewerOf(context) : await viewerById(read, standing.workspace_id, user_id)
    const explained = file
      ? fileExplanation(await explainFileAccess(read, viewer, file))
      : roomExplanation(await explainAccess(read, viewer, room_id))
    return { result: { user_id: viewer.user_id, ...explained } }
  },
)

function roomExplanation(reasons: AccessReason[]) {
  const [effective] = reasons.map(reason => reason.level).toSorted((a, b) => (includes(a, b) ? -1 : 1))
  return { effective_level: effective ?? null, reasons }
}

const fileExplanation = (rows: Awaited<ReturnType<typeof explainFileAccess>>) => ({
  effective_level: rows[0]?.effective_level ?? null,
  reasons: rows.flatMap(({ source, level, counts }) => (source === null ? [] : [{ source, level, counts }])),
})

/** Throws not_found if the caller cannot see the File in the Room. */
async function requireVisibleFile(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  file: { room_id: string; room_file_id: string },
): Promise<void> {
  const viewer = viewerOf(context)
  const { effective_level } = fileExplanation(await explainFileAccess(reader, viewer, file))
  if (effective_level === null)
    throw context.refuse.not_found('There is no such File in the Room, or you cannot see it.')
}
