import type { Client, FileVersion, RoomFile } from '@wbs/sdk'

/** What the Room has, as far as the caller can open it, and the uploads that the caller has begun. */
export interface RoomIndex {
  at(index_path: string): readonly RoomFile[]
  /** The ID of an open upload by that of the version. */
  openUploads: ReadonlyMap<string, string>
}

/** Reads the index of a Room once. Throws ProblemError. */
export async function readRoomIndex(
  client: Client,
  room_id: string,
  signal: AbortSignal,
): Promise<RoomIndex> {
  const places = new Map<string, RoomFile[]>()
  for await (const roomFile of client.listRoomFiles.each({ room_id, limit: 100 }, { signal })) {
    const others = places.get(roomFile.index_path)
    if (others) others.push(roomFile)
    else places.set(roomFile.index_path, [roomFile])
  }
  const openUploads = new Map<string, string>()
  for await (const upload of client.listUploads.each({ status: 'open', limit: 100 }, { signal }))
    openUploads.set(upload.file_version_id, upload.upload_id)
  return { at: index_path => places.get(index_path) ?? [], openUploads }
}

/** Whether a version has this content, and can be opened. */
export const isReady = (version: FileVersion, sha256: string): boolean =>
  version.processing_status === 'ready' && version.sha256 === sha256
