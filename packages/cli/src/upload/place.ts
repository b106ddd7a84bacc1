import { FileName, IndexPath } from '@wbs/contract/files/files'

const nameForm = new RegExp((FileName as unknown as { pattern: string }).pattern, 'u')
const pathForm = new RegExp((IndexPath as unknown as { pattern: string }).pattern, 'u')
const longestPath = 1000

/** The place of a file in the index of the Room: its path below the folder, below `under` if that is given. */
export function placeOf(names: readonly string[], under: string | undefined): string {
  const above = (under ?? '').split('/').filter(name => name !== '')
  return [...above, ...names].join('/').trim()
}

/** Why the service would not take a file at this place; null if it would. */
export function refusalOf(place: string): string | null {
  // What is not UTF-8 in the name of a file is read as this character, by which the file cannot be opened.
  if (place.includes('\ufffd')) return 'its path is not UTF-8'
  if (/[\p{Cc}\\]/u.test(place)) return 'its path has a control character or a backslash'
  if (!nameForm.test(nameOf(place))) return 'it has no name that the service accepts'
  if (Array.from(place).length > longestPath) return `its path has more than ${longestPath} characters`
  return pathForm.test(place) ? null : 'a name in its path has more than 255 characters, or is . or ..'
}

/** The name of a file at a place. */
export const nameOf = (place: string): string => place.slice(place.lastIndexOf('/') + 1).trim()
