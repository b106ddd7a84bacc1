import { T } from './json/type.ts'
import { query } from './operation.ts'
import { listOf, pageLimit } from './paging.ts'
import { component, dateTime, nullable, open, openSet, uuid, uuidCursor } from './schema.ts'
import { accessLevels, scopes } from './scopes.ts'
import { membership, WorkspaceAccess, workspaceStatuses } from './workspaces/workspaces.ts'

const common = { tag: 'Workspaces', audience: 'caller' } as const

/** A Room with what it takes to open it, wherever the caller is. */
const RoomOfCaller = component(
  'RoomOfCaller',
  open({
    room_id: T.String(),
    title: T.String(),
    status: openSet(['active', 'archived']),
    workspace_id: uuid('Send it as SVC-Workspace-Id to work in the Room.'),
    workspace_name: T.String(),
    access_level: openSet(accessLevels),
    joined_at: dateTime(),
  }),
)

/** How many Rooms the answer about the caller names. */
export const mostRoomsOfMe = 100

export const getMe = query('get_me', {
  ...common,
  http: 'GET /v1/me',
  summary: 'Retrieve your user, your memberships, your permissions and your Rooms.',
  input: {},
  output: {
    data: open({
      user: open({
        user_id: uuid(),
        email: nullable(T.String()),
        email_verified: T.Boolean(),
        name: nullable(T.String()),
        is_anonymous: T.Boolean(),
      }),
      credential: open({
        kind: openSet(['access_token', 'api_key']),
        key_id: nullable(uuid()),
        scopes: T.Array(openSet(scopes), {
          description: 'The scopes of the API key. Empty for an access token.',
        }),
      }),
      memberships: T.Array(
        open({
          ...membership,
          workspace_name: T.String(),
          workspace_status: openSet(workspaceStatuses),
          access: WorkspaceAccess,
          effective_permissions: T.Array(openSet(scopes), {
            description: 'What this credential may do in the Workspace now.',
          }),
        }),
      ),
      rooms: T.Array(RoomOfCaller, {
        description:
          'The Rooms in which you take part, as a guest or as a member: the latest 100, as GET /v1/me/rooms lists them.',
      }),
      rooms_has_more: T.Boolean({ description: 'Whether GET /v1/me/rooms has more.' }),
    }),
  },
  problems: [],
})

export const listMyRooms = query('list_my_rooms', {
  ...common,
  http: 'GET /v1/me/rooms',
  summary: 'List the Rooms in which you take part, in all Workspaces.',
  description:
    'As a guest or as a member, the latest invitation first. Each Room has the ID of its Workspace, which all other operations in the Room need. The access_level is the one that you were given; general access may give a member more. Rooms that are open to you by general access alone are in GET /v1/rooms. An API key gets those of its own Workspace.',
  input: { cursor: T.Optional(uuidCursor()), limit: T.Optional(pageLimit) },
  output: listOf(RoomOfCaller),
  problems: [],
})
