import { createHash } from 'node:crypto'
import { addAbortSignal } from 'node:stream'
import { BlobMissing, StoreUnavailable } from '../../blobs/blob-errors.ts'
import type { BlobStore, StoredContent } from '../../blobs/blob-store.ts'
import { codeOf } from '../../database/faults.ts'
import { blobKey } from '../archive-format.ts'
import { BackupError } from '../backup-error.ts'
import type { NamedBlob } from './named-blobs.ts'

/** Content is not what its name says. The reason completes a sentence about `it`. */
export class DamagedContent extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The content is damaged: ${reason}.`)
    this.reason = reason
  }
}

/** Passes content on. Throws DamagedContent, at the latest at the end, unless it has this size and SHA-256. */
export async function* checkedContent<Bytes extends Uint8Array>(
  content: AsyncIterable<Bytes>,
  { sha256, size_bytes }: StoredContent,
): AsyncGenerator<Bytes> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of content) {
    size += piece.byteLength
    if (size > size_bytes) throw new DamagedContent(`it has more than ${size_bytes} bytes`)
    hash.update(piece)
    yield piece
  }
  if (size !== size_bytes) throw new DamagedContent(`it has ${size} bytes instead of ${size_bytes}`)
  const actual = hash.digest('hex')
  if (actual !== sha256) throw new DamagedContent(`its bytes have the SHA-256 ${actual}`)
}

/** Reads content from the store. Throws BlobMissing, DamagedContent, StoreUnavailable and BackupError. */
export async function* storedContent(
  store: BlobStore,
  blob: NamedBlob,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    const content = await store.read(blob.workspace_id, blob.sha256)
    if (signal) addAbortSignal(signal, content)
    yield* checkedContent<Uint8Array>(content, blob)
  } catch (error) {
    signal?.throwIfAborted()
    throw asReadFault(error, blob)
  }
}

const known = [BlobMissing, DamagedContent, StoreUnavailable]

function asReadFault(error: unknown, blob: NamedBlob): unknown {
  if (codeOf(error) === 'EIO') return new DamagedContent('the disk cannot read it (EIO)')
  if (known.some(kind => error instanceof kind)) return error
  const reason = codeOf(error) || String(error)
  return new BackupError(
    `The content ${blobKey(blob)} could not be read to its end: ${reason}. Start again.`,
    {
      cause: error,
    },
  )
}
