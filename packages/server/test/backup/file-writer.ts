import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { NamedBlob } from '../../src/backup/content/named-blobs.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'

/** Makes Files as the service does: content is stored before the row that names it is committed. */
export interface FileWriter extends AsyncDisposable {
  workspace_id: string
  add(bytes: Uint8Array): Promise<NamedBlob>
  /** Adds the rows of a File without storing its content. */
  addRows(content: { sha256: string; size_bytes: number }): Promise<NamedBlob>
}

/** A writer of Files in a new Workspace. */
export async function openFileWriter(address: DatabaseAddress, store: BlobStore): Promise<FileWriter> {
  const client = new pg.Client({ ...address, options: '-c search_path=svc,public' })
  await client.connect()
  const [user, workspace_id] = [randomUUID(), randomUUID()]
  await client.query(
    `insert into users (id, issuer, subject) values ($1::uuid, 'https://issuer.example', $1::uuid)`,
    [user],
  )
  await client.query(
    `insert into workspaces (id, name, workspace_type, created_by) values ($1, 'A team', 'team', $2)`,
    [workspace_id, user],
  )
  async function addRows({ sha256, size_bytes }: { sha256: string; size_bytes: number }) {
    const id = randomUUID().replaceAll('-', '')
    await client.query(
      `with version as (
         insert into file_versions (workspace_id, id, file_id, number, content_type, size_bytes, sha256, processing_status, created_by, created_at, ready_at)
         values ($1, 'ver_' || $3::text, 'fil_' || $3::text, 1, 'text/plain', $4, $5, 'ready', $2, now(), now())
       )
       insert into files (workspace_id, id, name, classification, origin, current_version_id, created_by, created_at, updated_at)
       values ($1, 'fil_' || $3::text, $3::text || '.txt', 'general', 'text', 'ver_' || $3::text, $2, now(), now())`,
      [workspace_id, user, id, size_bytes, sha256],
    )
    return { workspace_id, sha256, size_bytes }
  }
  return {
    workspace_id,
    add: async bytes => addRows(await store.put(workspace_id, bytes)),
    addRows,
    [Symbol.asyncDispose]: () => client.end(),
  }
}
