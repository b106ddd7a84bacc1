import { createHash, hash, type Hash } from 'node:crypto'

const newline = 10 // ends a row; COPY writes a newline inside a value as

const pieceSize = 1024 * 1024

/** Splits the output of COPY into chunks that end with a row. */
export async function* chunksOf(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of rows) {
    waiting.push(chunk)
    size += chunk.length
    const end = chunk.lastIndexOf(newline) + 1
    if (size < pieceSize || end === 0) continue
    const piece = Buffer.concat(waiting)
    const length = size - (chunk.length - end)
    yield piece.subarray(0, length)
    waiting = [piece.subarray(length)]
    size -= length
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** Counts rows and bytes in the order in which they are read, and hashes them. */
export class RowDigest {
  rows = 0
  bytes = 0
  readonly #hash: Hash = createHash('sha256')

  add(piece: Buffer): void {
    this.rows += countRows(piece)
    this.bytes += piece.length
    this.#hash.update(piece)
  }

  sha256(): string {
    return this.#hash.copy().digest('hex')
  }
}

function countRows(piece: Buffer): number {
  let rows = 0
  for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) rows++
  return rows
}

const noBytes = Buffer.alloc(0)

/** A set of rows, whatever their order: a table need not return them in the order in which they were loaded. */
export class RowSet {
  rows = 0
  readonly #sums = new Uint32Array(4)
  #started: Buffer = noBytes

  add(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      const end = chunk.subarray(from, at)
      this.#addRow(this.#started.length > 0 ? Buffer.concat([this.#started, end]) : end)
      this.#started = noBytes
      from = at + 1
    }
    if (from < chunk.length) this.#started = Buffer.concat([this.#started, chunk.subarray(from)])
  }

  equals(other: RowSet): boolean {
    return this.rows === other.rows && this.#sums.every((sum, at) => sum === other.#sums[at])
  }

  // A sum rather than an exclusive or, in which two equal rows would cancel out.
  #addRow(row: Buffer): void {
    const digest = hash('sha256', row, 'buffer')
    for (const at of this.#sums.keys()) this.#sums[at] = (this.#sums[at] ?? 0) + digest.readUInt32LE(4 * at)
    this.rows++
  }
}
