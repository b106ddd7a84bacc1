import { read, type Reader } from '../../database/statement.ts'

/** How far the feeds of some Workspaces have come. */
export const positionsOf = (reader: Reader, workspace_ids: readonly string[]) =>
  reader.many(feedPositions, [workspace_ids])

const feedPositions = read<{ workspace_id: string; last_position: string }>(
  'feed_positions_of',
  'select workspace_id, last_position from feed_positions_of($1)',
  'standing',
)
