import type pg from 'pg'
import { BlobMissing } from '../../blobs/blob-errors.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { blobEntry, blobKey, type BlobTotals } from '../archive-format.ts'
import { BackupError } from '../backup-error.ts'
import type { ArchivePiece } from '../gzip.ts'
import type { BackupProgress } from '../progress.ts'
import { tarHeader, tarPadding } from '../tar.ts'
import { DamagedContent, storedContent } from './checked-content.ts'
import { namedBlobs, namedTotals, type NamedBlob } from './named-blobs.ts'

interface Writing {
  client: pg.Client
  store: BlobStore
  at: Date
  onProgress: (progress: BackupProgress) => void
  signal: AbortSignal | undefined
}

/**
 * The entries of all content that the rows of a snapshot name. Content is durable before its row commits, and the service
 * removes only content that no row names; rows of versions are never deleted. So everything that the snapshot names is
 * still there, however long the backup takes. Throws BackupError if content is missing or damaged.
 */
export async function* blobEntries(writing: Writing): AsyncGenerator<ArchivePiece, BlobTotals> {
  const { client, at, onProgress } = writing
  const { bytes: total_bytes } = await namedTotals(client)
  const written: BlobTotals = { count: 0, bytes: 0 }
  for await (const blob of namedBlobs(client)) {
    yield stored(tarHeader(blobEntry(blob), blob.size_bytes, at))
    for await (const piece of contentToBackUp(writing, blob)) {
      yield stored(piece)
      written.bytes += piece.byteLength
      onProgress({ phase: 'reading_content', bytes: written.bytes, total_bytes })
    }
    yield stored(tarPadding(blob.size_bytes))
    written.count++
  }
  return written
}

const stored = (bytes: Uint8Array): ArchivePiece => ({ bytes, compress: false })

async function* contentToBackUp({ store, signal }: Writing, blob: NamedBlob): AsyncGenerator<Uint8Array> {
  try {
    yield* storedContent(store, blob, signal)
  } catch (error) {
    if (error instanceof BlobMissing)
      throw new BackupError(
        `The content ${blobKey(blob)} is not in the store, so no backup was made; wbs blobs verify lists everything that is missing.`,
      )
    if (error instanceof DamagedContent)
      throw new BackupError(
        `The content ${blobKey(blob)} is damaged, so no backup was made: ${error.reason}.`,
      )
    throw error
  }
}
