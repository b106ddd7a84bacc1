import { fileTypeFromBuffer } from 'file-type'
import type { ChildTask, FirstAnswer } from '../child-protocol.ts'
import { readZip } from './read-zip.ts'

/** The type of a content, and the names of its parts if it is a zip. */
export interface Found extends FirstAnswer {
  parts: readonly string[]
  /** Whether it is a zip that breaks the rules of zips, or goes beyond the limits. */
  is_broken: boolean
}

const zipSignature = Buffer.from('PK')
/** The name of the stream that an encrypted Office document is in. */
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')

export async function findType(bytes: Buffer, { is_whole, limits }: ChildTask): Promise<Found> {
  const mime = await sniff(bytes)
  const is_encrypted_office = mime === 'application/x-cfb' && bytes.includes(encryptedPackage)
  if (!is_whole || !bytes.subarray(0, 2).equals(zipSignature) || mime === null)
    return { mime, is_encrypted_office, parts: [], is_broken: false }
  const parts = await readZip(bytes, limits).catch(() => null)
  return {
    mime: officeTypeOf(mime, parts ?? []),
    is_encrypted_office,
    parts: parts ?? [],
    is_broken: parts === null,
  }
}

/** Bytes that the library fails on are of no type that it knows. */
async function sniff(bytes: Buffer): Promise<string | null> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  return found?.mime.toLowerCase() ?? null
}

const office = 'application/vnd.openxmlformats-officedocument'
const typeOfPart: Readonly<Record<string, string>> = {
  'word/document.xml': `${office}.wordprocessingml.document`,
  'xl/workbook.xml': `${office}.spreadsheetml.sheet`,
  'ppt/presentation.xml': `${office}.presentationml.presentation`,
}

/** The library reads the parts in their order, and may not come as far as the one that tells the type. */
function officeTypeOf(mime: string, parts: readonly string[]): string {
  if (mime !== 'application/zip' || !parts.includes('[Content_Types].xml')) return mime
  const told = parts.find(name => typeOfPart[name] !== undefined)
  return told === undefined ? mime : (typeOfPart[told] ?? mime)
}
