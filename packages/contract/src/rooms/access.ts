import { Type as T } from 'typebox'
import { query } from '../operation.ts'
import { RoomId, roomQuery } from './rooms.ts'
import { nullable, open, openSet, uuid } from '../schema.ts'
import { accessLevels } from '../scopes.ts'

export const getRoomAccess = query('get_room_access', {
  ...roomQuery,
  http: 'GET /v1/rooms/{room_id}/access',
  summary: 'Say how far somebody can go in a Room, and why.',
  description: 'Takes full access to the Room; of themselves everybody may ask.',
  input: { room_id: RoomId, user_id: T.Optional(uuid('Whom to explain; the caller where it is left out.')) },
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
