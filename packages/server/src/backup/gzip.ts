import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { runsOf } from './runs.ts'

/** Bytes of an archive. */
export interface ArchivePiece {
  bytes: Uint8Array
  /** Whether they are compressed, or only stored. */
  compress: boolean
}

/**
 * Compresses an archive. Pieces that are only stored and those that are compressed become members of one gzip file, which
 * is read as if it was written in one go. Content of Files is mostly compressed already, and compressing it again would
 * make a backup twenty times slower.
 */
export async function* gzipped(pieces: AsyncIterable<ArchivePiece>): AsyncGenerator<Buffer> {
  for await (const [compress, run] of runsOf(pieces, piece => piece.compress)) {
    const gzip = createGzip({ level: compress ? 4 : 0, chunkSize: 256 * 1024 })
    yield* pipeline(bytesOf(run), gzip, () => undefined) as AsyncIterable<Buffer>
  }
}

async function* bytesOf(pieces: AsyncIterable<ArchivePiece>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of pieces) yield bytes
}
