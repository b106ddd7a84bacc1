import { T } from '../json/type.ts'
import { query } from '../operation.ts'
import { nullable, open, uuid } from '../schema.ts'
import { RoomId } from '../rooms/rooms.ts'

const bytes = (description: string) => T.Integer({ description })

export const getWorkspaceUsage = query('get_workspace_usage', {
  http: 'GET /v1/workspaces/{workspace_id}/usage',
  summary: 'Retrieve how much content a Workspace has.',
  description:
    'A content counts once for each File that has it in a version, archived Files included. An open upload counts with the size that it was announced with, until it is completed, aborted or expires. If stored_bytes and promised_bytes would go beyond limit_bytes, new content is refused with limit_reached.',
  tag: 'Files',
  audience: 'workspace',
  scope: 'workspace:manage',
  input: { workspace_id: uuid('The ID of the Workspace. Must equal the header SVC-Workspace-Id.') },
  output: {
    data: open({
      stored_bytes: bytes('The bytes of the content that is stored.'),
      promised_bytes: bytes('The bytes of open uploads.'),
      limit_bytes: nullable(
        T.Integer({
          description: 'The lower of the limits of the service and of the Workspace. Null without one.',
        }),
      ),
      files: T.Integer({ description: 'The number of Files, archived ones included.' }),
      by_room: T.Array(
        open({
          room_id: nullable(RoomId),
          title: nullable(T.String()),
          stored_bytes: T.Integer(),
          files: T.Integer(),
        }),
        {
          description:
            'The Rooms that you can see, those with the most bytes first, at most 100. A File counts in each Room that has it. The last item has room_id null: all Files that are in none of these Rooms. It is the only item if more than 50,000 Files are in Rooms.',
        },
      ),
    }),
  },
  problems: [],
})
