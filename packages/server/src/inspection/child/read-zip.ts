import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import type { InspectionLimits } from '../limits.ts'
import { Unreadable } from './document.ts'

type ZipLimits = Pick<
  InspectionLimits,
  'zip_entries' | 'zip_total_bytes' | 'zip_ratio' | 'zip_ratio_from_bytes'
>

/**
 * Checks a zip and gives the names of its entries. The limits are checked by what its directory declares, before anything
 * is inflated; then each entry is inflated, and must have the declared size. Throws Unreadable. Zips inside are not opened.
 */
export async function readZip(bytes: Buffer, limits: ZipLimits): Promise<string[]> {
  const zip = await open(bytes)
  if (zip.entryCount > limits.zip_entries) throw new Unreadable('too many entries')
  const entries = await readDirectory(zip, limits)
  for (const entry of entries) if (canInflate(entry)) await inflate(zip, entry)
  return entries.map(nameOf).filter(name => !leavesFolder(name))
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
function inflate(zip: ZipFile, entry: Entry): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(new Unreadable(error.message))
    zip.openReadStream(entry, (error, stream) => {
      if (error) return refuse(error)
      stream.once('error', refuse)
      stream.once('end', resolve)
      stream.resume()
    })
  })
}

const nameOf = (entry: Entry): string => entry.fileNameRaw.toString('utf8').replaceAll('\\', '/')

const leavesFolder = (name: string): boolean =>
  /^(?:\/|[A-Za-z]:)/.test(name) || name.split('/').includes('..')
