import type { EventDraft, EventType, FactsArgument } from '@wbs/contract/events'
import type { FileRow, LockedFile } from './file-store.ts'

/** A File for an answer. The row was read for the viewer. */
export function presentFile(row: FileRow) {
  const { workspace_id: _, file_id, name, description, classification, tags, origin, lifecycle } = row
  const { business_id, current_version, revision, created_at, updated_at, archived_at, access_level } = row
  return {
    file_id,
    ...(business_id !== null && { business_id }),
    name,
    description,
    classification,
    tags,
    origin,
    lifecycle,
    current_version,
    revision,
    created_at,
    updated_at,
    archived_at,
    access_level,
  }
}

/** An event about a File in each of the Rooms that have it. */
export const fileEvents = <Type extends Extract<EventType, `file.${string}`>>(
  type: Type,
  { file_id, name, room_ids }: Pick<LockedFile, 'file_id' | 'name' | 'room_ids'>,
  ...[data]: FactsArgument<Type>
) =>
  room_ids.map(
    room_id =>
      ({
        type,
        subject: { type: 'file', id: file_id, name },
        room_id,
        ...(data && { data }),
      }) as EventDraft<Type>,
  )
