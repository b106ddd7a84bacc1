import { setRoomFilePermission } from '@wbs/contract/files/room-file-permissions'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../../call/implement.ts'
import { basisInRoom, type Basis } from '../../rooms/visibility/basis-store.ts'
import { viewerById } from '../../rooms/access/access-explanation-store.ts'
import { requireActive, type CallerOfChange } from '../../rooms/room-access.ts'
import { beforeRoomFileChange, openRoomFile, requireInRoom } from '../room-files/room-file-access.ts'
import { saveRoomFile } from '../room-files/room-file-change-store.ts'
import { roomFileAsSubject } from '../room-files/room-file-view.ts'
import { insertPermission, replacePermission, revokePermission } from './permission-change-store.ts'
import { countParticipantsShutOut, permissionOfUser, type PermissionRow } from './permission-store.ts'
import { permissionInEvent, permissionResource, presentPermission } from './permission-view.ts'

const mostPermissions = 500

type Input = InputOf<typeof setRoomFilePermission>

export const handleSetRoomFilePermission = implement(
  setRoomFilePermission,
  async function setRoomFilePermission({ room_file_id, user_id, access_level }, context) {
    const { caller, tx, now, refuse } = context
    const [{ room, room_file: opened }, user] = await Promise.all([
      openRoomFile(context, room_file_id, 'full_access'),
      viewerById(tx, context.standing.workspace_id, user_id),
    ])
    requireActive(room, refuse)
    requireInRoom(opened, refuse)
    const isFirst = opened.access_mode === 'inherit_room'
    const sees = { user_id: caller.user_id, sees_all: room.shows_participants }
    const [basis, { before, count }, affected_participants] = await Promise.all([
      basisInRoom(tx, user, opened.room_id, sees),
      permissionOfUser(tx, opened, user_id),
      isFirst ? countParticipantsShutOut(tx, opened, user_id) : 0,
    ])
    if (!basis) {
      const detail = 'user_id must be the ID of a user who can open the Room.'
      throw refuse.validation_error(detail, {
        errors: [{ in: 'body', pointer: '/user_id', code: 'conflict', detail }],
      })
    }
    const held = before?.status === 'active' ? before : undefined
    if (!held && count >= mostPermissions)
      throw refuse.limit_reached(`A File in a Room can have at most ${mostPermissions} permissions.`)
    const room_file = isFirst
      ? saveRoomFile(tx, { ...opened, access_mode: 'restricted' }, now, { chooses_access: true })
      : opened
    const grant = { user_id, access_level, granted_by: caller.user_id, basis }
    if (held && !isFirst && isUnchanged(held, grant))
      return {
        result: { permission: presentPermission(held), affected_participants },
        resource: permissionResource(held),
        changed: [],
        events: [],
      }
    // One that ended with the participation or the membership of the user is not continued by another one.
    if (before && !held) revokePermission(tx, room_file, before, now)
    const permission = held
      ? replacePermission(tx, room_file, held, grant, now)
      : insertPermission(tx, room_file, grant, now)
    return {
      result: { permission: presentPermission(permission), affected_participants },
      resource: permissionResource(permission),
      changed: [...(isFirst ? ['access_mode'] : []), 'access_level'],
      events: [
        { type: 'file.permission_set', ...roomFileAsSubject(room_file), ...permissionInEvent(permission) },
      ],
    }
  },
  { visible: beforeRoomFileChange.visible, prefetch: lockAndReadUser },
)

const isUnchanged = (held: PermissionRow, { access_level, basis }: { access_level: string; basis: Basis }) =>
  held.access_level === access_level &&
  held.participant_id === basis.participant_id &&
  held.membership_id === basis.membership_id

function lockAndReadUser(input: Input, context: CallerOfChange) {
  return Promise.all([
    beforeRoomFileChange.prefetch(input, context),
    viewerById(context.tx, context.standing.workspace_id, input.user_id),
  ])
}
