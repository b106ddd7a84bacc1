import { T } from '../json/type.ts'
import { component, dateTime, id, nullable, open, openSet } from '../schema.ts'
import { accessLevels } from '../scopes.ts'
import { File } from './files.ts'
import { FileVersionId } from './version-schema.ts'
import { stateMachine } from '../state-machine.ts'

export const RoomFileId = id('rfl')

export const roomFileStatuses = ['pending', 'active', 'archived'] as const

/** A File that is restored before any of its versions is ready is pending again. */
export const roomFileMachine = stateMachine(roomFileStatuses, 'pending', {
  update: { pending: 'pending', active: 'active' },
  activate: { pending: 'active' },
  archive: { pending: 'archived', active: 'archived', archived: 'archived' },
  restore: { archived: 'active' },
  restore_before_ready: { archived: 'pending' },
})
const accessModes = ['inherit_room', 'restricted'] as const

/** A File in a Room. The access level is the viewer's on the File in this Room; the File within shows the same one. */
export const RoomFile = component(
  'RoomFile',
  open({
    room_file_id: RoomFileId,
    room_id: id('rom'),
    file: File,
    file_version_id: nullable(FileVersionId),
    index_path: T.String(),
    display_name: nullable(T.String()),
    access_mode: openSet(accessModes),
    status: openSet(roomFileStatuses),
    revision: T.Integer(),
    attached_at: dateTime(),
    updated_at: dateTime(),
    archived_at: nullable(dateTime()),
    access_level: openSet(accessLevels),
  }),
)
