import { T } from '../json/type.ts'
import { query } from '../operation.ts'
import { RoomId, roomQuery } from './rooms.ts'
import { id, nullable, open, openSet, uuid } from '../schema.ts'
import { accessLevels } from '../scopes.ts'

export const getRoomAccess = query('get_room_access', {
  ...roomQuery,
  http: 'GET /v1/rooms/{room_id}/access',
  summary: 'Explain the access level of a user in a Room, or on a File in it.',
  description:
    'Requires full access to the Room, except for your own level. With room_file_id, the answer is about that File in the Room: a restricted File can be opened only with a permission on it or with full access to the Room, so other reasons do not count.',
  input: {
    room_id: RoomId,
    user_id: T.Optional(uuid('The ID of the user. By default it is yours.')),
    room_file_id: T.Optional(id('rfl')),
  },
  output: {
    user_id: uuid(),
    effective_level: nullable(openSet(accessLevels)),
    reasons: T.Array(
      open({
        source: openSet(['participant', 'general_access_business', 'general_access_workspace', 'permission']),
        level: openSet(accessLevels),
        counts: T.Optional(
          T.Boolean({
            description:
              'With room_file_id: whether it gives access to the File. What does not open a restricted File, or one that has left the Room, does not count.',
          }),
        ),
      }),
    ),
  },
  problems: ['forbidden', 'not_found'],
})
