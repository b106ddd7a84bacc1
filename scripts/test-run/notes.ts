import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder in which the process of a test file leaves notes to the runner; set by scripts/test.ts. */
export const NOTES_FOLDER = 'WBS_TEST_NOTES'

/** `process` is the process id; `ending` says why the file failed although no test did; `file` is the file that a group runs. */
type Kind = 'process' | 'ending' | 'file'

/** Writes a note about a test file. Notes are files, because the end of a pipe may be read too late. */
export function leaveNote(testFile: string, kind: Kind, text: string): void {
  const place = placeOf(testFile, kind)
  if (place !== undefined) writeFileSync(place, text)
}

/** The note about a test file, or undefined if there is none. */
export function readNote(testFile: string, kind: Kind): string | undefined {
  const place = placeOf(testFile, kind)
  try {
    return place === undefined ? undefined : readFileSync(place, 'utf8')
  } catch {
    return undefined
  }
}

function placeOf(testFile: string, kind: Kind): string | undefined {
  const folder = process.env[NOTES_FOLDER]
  return folder === undefined ? undefined : join(folder, `${encodeURIComponent(testFile)}.${kind}`)
}
