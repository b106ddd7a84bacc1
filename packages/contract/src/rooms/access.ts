import { Type as T } from 'typebox'
import { query } from '../operation.ts'
import { RoomId, roomQuery } from './rooms.ts'
import { nullable, open, openSet, uuid } from '../schema.ts'
import { accessLevels } from '../scopes.ts'

export const getRoomAccess = query('get_room_access', {
  ...roomQuery,
  http: 'GET /v1/rooms/{room_id}/access',
  summary: 'Explain the access level of a user in a Room.',
  description: 'Requires full access to the Room, except for your own level.',
  input: {
    room_id: RoomId,
    user_id: T.Optional(uuid('The ID of the user. By default it is yours.')),
  },
  output: {
    user_id: uuid(),
    effective_level: nullable(openSet(accessLevels)),
    reasons: T.Array(
      open({
        source: openSet(['participant', 'general_access_business', 'general_access_workspace']),
        level: openSet(accessLevels),
      }),
    ),
  },
  problems: ['forbidden', 'not_found'],
})
