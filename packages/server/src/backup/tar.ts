import { createHash } from 'node:crypto'

const blockSize = 512
const checksumAt = 148

/** An entry of a tar archive (POSIX): a header, the content, and zeros up to a full block. */
export function tarEntry(name: string, content: Buffer, at: Date): Buffer[] {
  const padding = Buffer.alloc(-content.length & (blockSize - 1))
  return [tarHeader(name, content.length, at), content, padding]
}

/** The end of an archive. */
export const endOfTar = Buffer.alloc(2 * blockSize)

function tarHeader(name: string, size: number, at: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for an archive.`)
  const header = Buffer.alloc(blockSize)
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), offset)
  header.write(name, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(Math.floor(at.getTime() / 1000), 136, 12)
  header.write('0', 156)
  header.write('ustar', 257)
  header.write('00', 263)
  octal(checksum(header), checksumAt, 8)
  return header
}

/** The sum of the bytes of a header, with its own field counted as spaces. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= checksumAt && at < checksumAt + 8 ? 0x20 : byte
  return sum
}

export interface TarEntry {
  name: string
  content: Buffer
  /** The SHA-256 of everything before this entry, in hex. */
  before: string
}

/** The input is not a tar archive, or is truncated. The message completes a sentence about `it`. */
export class TarError extends Error {}

/** The entries of an archive, one in memory at a time. Throws TarError, and the errors of its input. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const taker = new ByteTaker(bytes)
  const hash = createHash('sha256')
  for (;;) {
    const header = await taker.take(blockSize)
    if (header.every(byte => byte === 0)) break
    const { name, size } = readHeader(header)
    const body = await taker.take(size + (-size & (blockSize - 1)))
    const before = hash.copy().digest('hex')
    hash.update(header).update(body)
    yield { name, content: body.subarray(0, size), before }
  }
  const last = await taker.take(blockSize)
  if (last.some(byte => byte !== 0) || !(await taker.isAtEnd()))
    throw new TarError('something follows its end')
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('utf8', from, to).replace(/\0.*$/s, '')
  const isRight = Number.parseInt(text(checksumAt, checksumAt + 8), 8) === checksum(header)
  if (!isRight || text(257, 262) !== 'ustar') throw new TarError('it was altered, or is something else')
  return { name: text(0, 100), size: Number.parseInt(text(124, 136), 8) }
}

/** Reads exact numbers of bytes from a stream. */
class ByteTaker {
  readonly #source: AsyncIterator<Buffer>
  #waiting: Buffer[] = []
  #size = 0

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    while (this.#size < length) if (!(await this.#more())) throw new TarError('it ends too early')
    const all = Buffer.concat(this.#waiting)
    this.#waiting = [all.subarray(length)]
    this.#size -= length
    return all.subarray(0, length)
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#size === 0) if (!(await this.#more())) return true
    return false
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done) return false
    this.#waiting.push(next.value)
    this.#size += next.value.length
    return true
  }
}
