import { read, type Reader } from '../../database/statement.ts'

/** The last positions of the feeds of some Workspaces. */
export const feedPositionsOf = (reader: Reader, workspace_ids: readonly string[]) =>
  reader.many(feedPositions, { workspace_ids })

const feedPositions = read<{ workspace_id: string; last_position: string }>(
  'feed_positions_of',
  'select workspace_id, last_position from feed_positions_of(:workspace_ids)',
  'standing',
)
