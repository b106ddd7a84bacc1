import type { textFormats } from '@wbs/contract/files/text-files'

export type TextFormat = (typeof textFormats)[number]

/** The media type of each format. */
export const mediaTypes: Readonly<Record<TextFormat, string>> = {
  markdown: 'text/markdown',
  plain_text: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
}

const longestText = 1024 * 1024

/** Why a text cannot be the content of a File; null if it can. */
export function faultOfText(
  content: string,
  format: TextFormat,
): { code: 'too_long' | 'format'; detail: string } | null {
  if (Buffer.byteLength(content) > longestText)
    return { code: 'too_long', detail: 'content must have at most 1 MiB (1,048,576 bytes) in UTF-8.' }
  if (content.includes('\0')) return { code: 'format', detail: 'content must not have NUL characters.' }
  if (format === 'json' && !isJson(content))
    return { code: 'format', detail: 'content must be valid JSON for the format json.' }
  return null
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
