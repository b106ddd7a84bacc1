import { isPresentation, isWord, isWorkbook } from '../content-types.ts'

const names: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP archive',
  'application/gzip': 'GZIP archive',
  'application/x-7z-compressed': '7-Zip archive',
  'application/x-cfb': 'Legacy Office document',
  'application/rtf': 'RTF document',
  'application/xml': 'XML',
}

/** What people call a type, or null. */
export function nameOfType(mime: string | null): string | null {
  if (mime === null) return null
  if (isWord(mime)) return 'Document'
  if (isWorkbook(mime)) return 'Workbook'
  if (isPresentation(mime)) return 'Presentation'
  const [, kind, format] = /^(image|audio|video)\/(?:x-)?([a-z0-9]+)/.exec(mime) ?? []
  if (kind !== undefined && format !== undefined) return `${format.toUpperCase()} ${kind}`
  return names[mime] ?? null
}
