import { createHash } from 'node:crypto'

const blockSize = 512
const nameSize = 100
const prefixAt = 345
const prefixSize = 155
const sizeAt = 124
const checksumAt = 148
/** What eleven octal digits can say: 8 GiB. */
const octalLimit = 8 ** 11

/** An entry of a tar archive (POSIX): a header, the content, and zeros up to a full block. */
export function tarEntry(name: string, content: Buffer, at: Date): Buffer[] {
  return [tarHeader(name, content.length, at), content, tarPadding(content.length)]
}

/** The zeros after content of a size. */
export const tarPadding = (size: number): Buffer => Buffer.alloc(paddingOf(size))

/** The end of an archive. */
export const endOfTar = Buffer.alloc(2 * blockSize)

const paddingOf = (size: number) => (blockSize - (size % blockSize)) % blockSize

/** The header of an entry. Content of this size must follow, and its padding. */
export function tarHeader(name: string, size: number, at: Date): Buffer {
  const header = Buffer.alloc(blockSize)
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), offset)
  const [prefix, rest] = splitName(name)
  header.write(rest, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  if (size < octalLimit) octal(size, sizeAt, 12)
  else writeLargeSize(header, size)
  octal(Math.floor(at.getTime() / 1000), 136, 12)
  header.write('0', 156)
  header.write('ustar', 257)
  header.write('00', 263)
  header.write(prefix, prefixAt)
  octal(checksum(header), checksumAt, 8)
  return header
}

/** A long name is split at its last slash; the slash itself is not written. */
function splitName(name: string): [prefix: string, name: string] {
  if (Buffer.byteLength(name) <= nameSize) return ['', name]
  const at = name.lastIndexOf('/')
  const [prefix, rest] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)]
  if (Buffer.byteLength(prefix) > prefixSize || Buffer.byteLength(rest) > nameSize)
    throw new Error(`${name} is too long a name for an archive.`)
  return [prefix, rest]
}

/** GNU tar and bsdtar read and write such a size: the highest bit is set, and the rest is a binary number. */
function writeLargeSize(header: Buffer, size: number): void {
  header.writeUInt8(0x80, sizeAt)
  header.writeBigUInt64BE(BigInt(size), sizeAt + 4)
}

/** The sum of the bytes of a header, with its own field counted as spaces. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= checksumAt && at < checksumAt + 8 ? 0x20 : byte
  return sum
}

export interface TarEntry {
  name: string
  size: number
  /** It can be read once, before the next entry is. What is not read is skipped. */
  content: AsyncIterable<Buffer>
  /** The SHA-256 of everything before this entry, in hex. */
  before: string
}

/** The input is not a tar archive, or is truncated. The message completes a sentence about `it`. */
export class TarError extends Error {}

/** The entries of an archive. Throws TarError, and the errors of its input. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const taker = new ByteTaker(bytes)
  const hash = createHash('sha256')
  for (;;) {
    const header = await taker.take(blockSize)
    if (header.every(byte => byte === 0)) break
    const { name, size } = readHeader(header)
    const before = hash.copy().digest('hex')
    hash.update(header)
    let left = size
    async function* content() {
      while (left > 0) {
        const piece = await taker.takeSome(left)
        left -= piece.length
        hash.update(piece)
        yield piece
      }
    }
    yield { name, size, content: content(), before }
    for await (const _ of content());
    hash.update(await taker.take(paddingOf(size)))
  }
  const last = await taker.take(blockSize)
  if (last.some(byte => byte !== 0) || !(await taker.isAtEnd()))
    throw new TarError('something follows its end')
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('utf8', from, to).replace(/\0.*$/s, '')
  const isRight = Number.parseInt(text(checksumAt, checksumAt + 8), 8) === checksum(header)
  if (!isRight || text(257, 262) !== 'ustar') throw new TarError('it was altered, or is something else')
  const [prefix, name] = [text(prefixAt, prefixAt + prefixSize), text(0, nameSize)]
  const isLarge = header.readUInt8(sizeAt) === 0x80
  const size = isLarge
    ? Number(header.readBigUInt64BE(sizeAt + 4))
    : Number.parseInt(text(sizeAt, sizeAt + 12), 8)
  return { name: prefix === '' ? name : `${prefix}/${name}`, size }
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
    while (this.#size < length) await this.#require()
    const [first = Buffer.alloc(0), ...others] = this.#waiting
    const all = others.length === 0 ? first : Buffer.concat(this.#waiting)
    this.#keep(all.subarray(length))
    return all.subarray(0, length)
  }

  /** As many bytes as are there, at least one and at most this many. */
  async takeSome(most: number): Promise<Buffer> {
    while (this.#size === 0) await this.#require()
    return this.take(Math.min(most, this.#size))
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#size === 0) if (!(await this.#more())) return true
    return false
  }

  #keep(rest: Buffer): void {
    this.#waiting = rest.length === 0 ? [] : [rest]
    this.#size = rest.length
  }

  async #require(): Promise<void> {
    if (!(await this.#more())) throw new TarError('it ends too early')
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done) return false
    this.#waiting.push(next.value)
    this.#size += next.value.length
    return true
  }
}
