import type pg from 'pg'
import { BlobMissing } from '../../blobs/blob-errors.ts'
import type { BlobStore, ListedBlob } from '../../blobs/blob-store.ts'
import type { DatabaseAddress } from '../../database/connections/connection.ts'
import type { BlobTotals } from '../archive-format.ts'
import { BackupError } from '../backup-error.ts'
import { asOwner } from '../owner-session.ts'
import { DamagedContent, storedContent } from './checked-content.ts'
import { namedBlobs, namedTotals, type NamedBlob } from './named-blobs.ts'
import { unnamedBlobs } from './unnamed-blobs.ts'

/** Content that rows name and that the store does not have, or not as it was stored. */
export interface BlobFinding extends NamedBlob {
  problem: 'missing' | 'damaged'
  /** It completes a sentence about `it`. */
  reason: string
  /** The versions of Files that name it. */
  file_version_ids: string[]
}

export type VerifyProgress =
  | { phase: 'verifying'; bytes: number; total_bytes: number }
  | { phase: 'listing'; blobs: number }

export interface VerifyOptions {
  address: DatabaseAddress
  store: BlobStore
  onProgress: (progress: VerifyProgress) => void
  onFinding: (finding: BlobFinding) => void
  /** Content that no row names. It is harmless. */
  onUnnamed: (blob: ListedBlob) => void
  signal: AbortSignal
}

/**
 * Reads all content that rows name, and compares it with its size and SHA-256; then lists what no row names. It changes
 * nothing, and a service may run meanwhile. Gives the size of what rows name. Throws BackupError and StoreUnavailable.
 */
export function verifyBlobs(options: VerifyOptions): Promise<BlobTotals> {
  const { store, signal, onProgress, onUnnamed } = options
  return asOwner(options.address, signal, async client => {
    await client.query('set session characteristics as transaction read only')
    await requireData(client)
    const named = await verifyNamed(client, options)
    const onListed = (blobs: number) => onProgress({ phase: 'listing', blobs })
    for await (const blob of unnamedBlobs(client, store, onListed)) {
      signal.throwIfAborted()
      onUnnamed(blob)
    }
    return named
  })
}

async function requireData(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('svc.workspaces') is not null as is_there`,
  )
  if (!rows[0]?.is_there) throw new BackupError('The database has no data of the service: it has no tables.')
}

async function verifyNamed(client: pg.ClientBase, options: VerifyOptions): Promise<BlobTotals> {
  const { bytes: total_bytes } = await namedTotals(client)
  const named: BlobTotals = { count: 0, bytes: 0 }
  for await (const blob of namedBlobs(client)) {
    options.signal.throwIfAborted()
    const onRead = (bytes: number) =>
      options.onProgress({ phase: 'verifying', bytes: named.bytes + bytes, total_bytes })
    const problem = await problemOf(blob, options, onRead)
    if (problem) options.onFinding({ ...blob, ...problem, file_version_ids: await versionsOf(client, blob) })
    named.count++
    named.bytes += blob.size_bytes
  }
  return named
}

async function problemOf(
  blob: NamedBlob,
  { store, signal }: VerifyOptions,
  onRead: (bytes: number) => void,
): Promise<Pick<BlobFinding, 'problem' | 'reason'> | null> {
  let read = 0
  try {
    for await (const piece of storedContent(store, blob, signal)) onRead((read += piece.byteLength))
    return null
  } catch (error) {
    if (error instanceof BlobMissing) return { problem: 'missing', reason: 'it is not in the store' }
    if (error instanceof DamagedContent) return { problem: 'damaged', reason: error.reason }
    throw error
  }
}

async function versionsOf(client: pg.ClientBase, { workspace_id, sha256 }: NamedBlob): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from svc.file_versions where workspace_id = $1 and sha256 = $2 order by id',
    [workspace_id, sha256],
  )
  return rows.map(({ id }) => id)
}
