const office = 'application/vnd.openxmlformats-officedocument'
const zip = 'application/zip'
const cfb = 'application/x-cfb'

/** How the text of a type is read. */
export type TextFormat = 'plain' | 'markdown' | 'csv' | 'tsv' | 'json'

/** What the bytes of a content are. */
export interface FoundType {
  /** The type that its first bytes tell, or null. */
  mime: string | null
  /** Whether all of it is UTF-8 without NUL. */
  is_utf8: boolean
  /** Whether it is an Office document that is encrypted, which is stored as CFB. */
  is_encrypted_office: boolean
}

const wordTypes = [
  `${office}.wordprocessingml.document`,
  `${office}.wordprocessingml.template`,
  'application/vnd.ms-word.document.macroenabled.12',
  'application/vnd.ms-word.template.macroenabled.12',
]
const excelTypes = [
  `${office}.spreadsheetml.sheet`,
  `${office}.spreadsheetml.template`,
  'application/vnd.ms-excel.sheet.macroenabled.12',
  'application/vnd.ms-excel.template.macroenabled.12',
]
const powerpointTypes = [
  `${office}.presentationml.presentation`,
  `${office}.presentationml.slideshow`,
  `${office}.presentationml.template`,
  'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
]
const officeFamilies: readonly (readonly string[])[] = [wordTypes, excelTypes, powerpointTypes]

/** Types that name the same format: each accepts the bytes of any other of its group. */
const families: readonly (readonly string[])[] = [
  ...officeFamilies,
  ['application/pdf', 'application/x-pdf'],
  ['image/png', 'image/apng'],
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/gif'],
  ['image/webp'],
  ['image/bmp', 'image/x-ms-bmp'],
  ['application/gzip', 'application/x-gzip'],
  ['application/x-7z-compressed'],
]
const legacyOffice = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-outlook',
  cfb,
]
const textFormats: Readonly<Record<string, TextFormat>> = {
  'text/plain': 'plain',
  'text/markdown': 'markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
}

/** The type without its parameters, in lower case: how types are compared. */
const essence = (type: string): string => type.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Whether a type says nothing about its content. */
export const isUnspecific = (type: string): boolean =>
  ['', 'application/octet-stream'].includes(essence(type))

/** The text type that accepts nothing but UTF-8, or null for any other type. */
export const exactTextFormat = (type: string): TextFormat | null => textFormats[essence(type)] ?? null

/** Whether a type is made of text, so that valid UTF-8 of it can be read as text. */
export const isTextType = (type: string): boolean =>
  /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|x-ndjson|yaml|x-yaml|sql|rtf)$/.test(essence(type))

export const isWord = (mime: string | null): boolean => mime !== null && wordTypes.includes(mime)
export const isWorkbook = (mime: string | null): boolean => mime !== null && excelTypes.includes(mime)
export const isPresentation = (mime: string | null): boolean =>
  mime !== null && powerpointTypes.includes(mime)

/** Whether the bytes contradict the declared type. */
export function contradicts(declared: string, found: FoundType): boolean {
  const type = essence(declared)
  if (isUnspecific(type)) return false
  if (exactTextFormat(type) !== null) return !found.is_utf8
  if (type === zip || type === 'application/x-zip-compressed') return !isZipBased(found.mime)
  if (legacyOffice.includes(type)) return found.mime !== cfb
  const family = families.find(types => types.includes(type))
  if (family)
    return (
      !family.includes(found.mime ?? '') && !(officeFamilies.includes(family) && found.is_encrypted_office)
    )
  const [expected, actual] = [kindOf(type), found.mime === null ? null : kindOf(found.mime)]
  return expected !== null && actual !== null && expected !== actual
}

/** The type to serve: the declared one, or what was found where the declared one says nothing. */
export function typeToServe(declared: string, found: FoundType): string {
  if (!isUnspecific(declared)) return declared
  return found.mime ?? (found.is_utf8 ? 'text/plain' : 'application/octet-stream')
}

const isZipBased = (mime: string | null): boolean =>
  mime !== null && (mime === zip || officeFamilies.flat().includes(mime) || zipBased.test(mime))

const zipBased =
  /^application\/(?:vnd\.oasis\.opendocument\..+|epub\+zip|java-archive|vnd\.android\.package-archive|x-xpinstall|vnd\.ms-visio.+|.+\+zip)$|^model\/3mf$/

/** What a type is about, for types that are not in the table; null if its name does not tell. */
function kindOf(type: string): string | null {
  if (officeFamilies.flat().includes(type)) return 'office'
  if (isZipBased(type) || /^application\/(?:gzip|x-(?:7z|rar|tar|bzip2|xz).*)$/.test(type)) return 'archive'
  if (type === 'application/pdf') return 'pdf'
  if (legacyOffice.includes(type)) return 'legacy office'
  if (/^application\/x-(?:msdownload|elf|mach-binary)$/.test(type)) return 'program'
  if (isTextType(type)) return 'text'
  if (/^(?:audio|video)\//.test(type)) return 'sound or film'
  return /^(image|font)\//.exec(type)?.[1] ?? null
}
