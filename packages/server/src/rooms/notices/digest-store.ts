import { read, type Reader } from '../../database/statement.ts'
import { asViewer, levelRowSql, type Viewer } from '../visibility/room-visibility-store.ts'
import { roomByIdSql } from '../visibility/visible-rooms-store.ts'

/** Where a digest goes and what it is about. Undefined for a Workspace that is closed. */
export const digestRecipient = (
  reader: Reader,
  workspace_id: string,
  user_id: string,
): Promise<{ email: string | null; workspace_name: string } | undefined> =>
  reader.one(recipientOfDigest, { workspace_id, user_id })

/** The titles of those Rooms that the viewer can open now. */
export async function openRoomTitles(
  reader: Reader,
  viewer: Viewer,
  room_ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await reader.many(titlesOfRooms, { ...asViewer(viewer), room_ids })
  return new Map(rows.map(({ room_id, title }) => [room_id, title]))
}

const recipientOfDigest = read<{ email: string | null; workspace_name: string }>(
  'digest_recipient',
  `select u.email, w.name as workspace_name from workspaces w join users u on u.id = :user_id
   where w.id = :workspace_id and w.status <> 'closed'`,
)

const titlesOfRooms = read<{ room_id: string; title: string }>(
  'digest_rooms',
  `select r.id as room_id, r.title
   from unnest(:room_ids::text[]) as named (room_id) cross join lateral ${roomByIdSql('named.room_id', 'r')}
   cross join lateral ${levelRowSql('r')} as v (access_level)
   where v.access_level is not null`,
  'long',
)
