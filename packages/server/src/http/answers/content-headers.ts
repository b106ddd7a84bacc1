import type { Bytes } from '../../call/bytes.ts'

/** The entity tag of content. It is strong: the same tag means the same bytes. */
export const tagOf = ({ sha256 }: Bytes): string => `"${sha256}"`

/** The headers of an answer with content. With them a browser saves the content, and never displays or runs it. */
export const contentHeaders = (bytes: Bytes) => ({
  'accept-ranges': 'bytes',
  etag: tagOf(bytes),
  'repr-digest': `sha-256=:${Buffer.from(bytes.sha256, 'hex').toString('base64')}:`,
  'content-type': safeType(bytes),
  'content-disposition': disposition(bytes.name),
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
})

/** Types of text that no browser runs. They are sent as UTF-8. */
const inertText = new Set(['text/plain', 'text/csv', 'text/markdown', 'text/tab-separated-values'])

/** Other types that no browser runs as a script or as a page of this origin. */
const inertTypes = new Set([
  'application/gzip',
  'application/json',
  'application/msword',
  'application/pdf',
  'application/rtf',
  'application/vnd.ms-excel',
  'application/vnd.ms-outlook',
  'application/vnd.ms-powerpoint',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/zip',
  'audio/mpeg',
  'audio/wav',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'message/rfc822',
  'video/mp4',
  'video/quicktime',
  'video/webm',
])

/** The stored type if it is known to be inert or the service's own, without its parameters; else a type that says nothing. */
function safeType({ content_type, is_own }: Bytes): string {
  const type = (content_type.split(';', 1)[0] as string).trim().toLowerCase()
  if (is_own && type === 'text/html') return 'text/html; charset=utf-8'
  if (inertText.has(type)) return `${type}; charset=utf-8`
  return inertTypes.has(type) ? type : 'application/octet-stream'
}

/** Content-Disposition for a name (RFC 6266): in ASCII for old clients, and in full, encoded by RFC 8187. */
function disposition(name: string): string {
  const safe = safeName(name)
  const ascii = safe.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll('%', '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded(safe)}`
}

/** Characters that end a quoted string, separate folders, control a terminal, or reverse what a reader sees. */
// oxlint-disable-next-line no-control-regex
const harmful = /["\\/\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const mostBytes = 255

/** A name that is one part of a path on every system, has no harmful character, and does not begin with a dot. */
function safeName(name: string): string {
  const clean = name
    .toWellFormed()
    .replaceAll(harmful, '_')
    .trim()
    .replace(/^\.+/, dots => '_'.repeat(dots.length))
  return clean === '' ? 'file' : shortened(clean)
}

/** Keeps the extension of a name that is too long for file systems, and cuts between characters. */
function shortened(name: string): string {
  const extension = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? ''
  let left = mostBytes - Buffer.byteLength(extension)
  let stem = ''
  for (const character of name.slice(0, name.length - extension.length)) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    stem += character
  }
  return stem + extension
}

/** encodeURIComponent leaves four characters that RFC 8187 does not allow. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
