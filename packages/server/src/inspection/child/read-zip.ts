import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import type { InspectionLimits } from '../limits.ts'
import { Unreadable } from './document.ts'

type ZipLimits = Pick<
  InspectionLimits,
  'zip_entries' | 'zip_total_bytes' | 'zip_ratio' | 'zip_ratio_from_bytes'
>

/**
 * Checks a zip and gives the names of its entries. The sizes that its directory declares are checked before anything
 * is inflated; then each entry is inflated, and must have the declared size. Throws Unreadable. Zips inside are not opened.
 */
export async function readZip(bytes: Buffer, limits: ZipLimits): Promise<string[]> {
  const { zip, entries } = await openChecked(bytes, limits)
  for (const entry of entries) if (canInflate(entry)) await inflate(zip, entry)
  return entries.map(nameOf).filter(name => !leavesFolder(name))
}

/** Opens a zip to read its entries as text by their names; an entry that there is not is null. Throws Unreadable. */
export async function openZip(
  bytes: Buffer,
  limits: ZipLimits,
): Promise<(name: string) => Promise<string | null>> {
  const { zip, entries } = await openChecked(bytes, limits)
  const byName = new Map(entries.filter(canInflate).map(entry => [nameOf(entry).toLowerCase(), entry]))
  return async name => {
    const entry = byName.get(name.toLowerCase())
    if (!entry) return null
    const chunks: Buffer[] = []
    await inflate(zip, entry, chunk => chunks.push(chunk))
    return textOf(Buffer.concat(chunks))
  }
}

/** Office writes UTF-8, and other programs UTF-16 with a byte order mark. */
const textOf = (bytes: Buffer): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)

async function openChecked(bytes: Buffer, limits: ZipLimits): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const zip = await open(bytes)
  if (zip.entryCount > limits.zip_entries) throw new Unreadable('too many entries')
  return { zip, entries: await readDirectory(zip, limits) }
}

/** Names are decoded here: the library would refuse the whole zip for one that leaves its folder. */
function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true }, (error, zip) =>
      error ? reject(new Unreadable(error.message)) : resolve(zip),
    ),
  )
}

function readDirectory(zip: ZipFile, limits: ZipLimits): Promise<Entry[]> {
  const entries: Entry[] = []
  let total = 0
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(new Unreadable(error.message))
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      total += entry.uncompressedSize
      if (total > limits.zip_total_bytes) return refuse(new Error('too large'))
      if (isBomb(entry, limits)) return refuse(new Error('inflates too much'))
      zip.readEntry()
    })
    zip.once('end', () => resolve(entries))
    zip.once('error', refuse)
    zip.readEntry()
  })
}

const isBomb = (entry: Entry, limits: ZipLimits): boolean =>
  entry.uncompressedSize > limits.zip_ratio_from_bytes &&
  entry.uncompressedSize > entry.compressedSize * limits.zip_ratio

/** Entries that are encrypted, or compressed in a rare way, are not read by anything here. */
const canInflate = (entry: Entry): boolean =>
  !entry.isEncrypted() && (entry.compressionMethod === 0 || entry.compressionMethod === 8)

/** The library ends the stream with an error where an entry is longer or shorter than its declared size. */
function inflate(zip: ZipFile, entry: Entry, keep: (chunk: Buffer) => void = () => {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(new Unreadable(error.message))
    zip.openReadStream(entry, (error, stream) => {
      if (error) return refuse(error)
      stream.once('error', refuse)
      stream.once('end', resolve)
      stream.on('data', keep)
    })
  })
}

const nameOf = (entry: Entry): string => entry.fileNameRaw.toString('utf8').replaceAll('\\', '/')

const leavesFolder = (name: string): boolean =>
  /^(?:\/|[A-Za-z]:)/.test(name) || name.split('/').includes('..')
