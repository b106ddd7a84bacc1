import { read, type Reader } from '../../database/statement.ts'
import type { Viewer } from '../visibility/room-visibility-store.ts'

export interface ReadableList {
  id: string
  name: string
  /** Always null: no participant who is not a member may know the name of a List, and all of them see the events of the Room. */
  public_name: null
}

/** A List that the viewer can read, whatever its lifecycle_status. */
export const readableList = async (
  reader: Reader,
  { workspace_id, reads_lists }: Viewer,
  list_id: string,
): Promise<ReadableList | undefined> =>
  reads_lists ? reader.one(listById, { workspace_id, list_id }) : undefined

const listById = read<ReadableList>(
  'room_list_readable',
  'select l.id, l.name, null as public_name from lists l where l.workspace_id = :workspace_id and l.id = :list_id',
)
