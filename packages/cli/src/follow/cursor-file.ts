import { readFile } from 'node:fs/promises'
import { CommandError } from '../command-error.ts'
import { openOutput } from '../output-file.ts'
import { reasonOf } from '../reason-of.ts'

const form = /^[1-9][0-9]{0,17}$/

/** Checks a place in the feed. Throws CommandError. */
export function checkCursor(text: string, from: string): string {
  if (form.test(text)) return text
  throw new CommandError(
    `${from} has no place in the feed: that is a number of 1 to 18 digits, as an earlier run has stored it.`,
  )
}

/** The place that a file holds; null if there is no such file yet. Throws CommandError. */
export async function readCursor(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CommandError(`${file} cannot be read: ${reasonOf(error)}.`)
  })
  return text === null ? null : checkCursor(text.trim(), file)
}

/** Replaces the file, so that it is whole at any moment. Throws CommandError. */
export async function writeCursor(file: string, cursor: string): Promise<void> {
  const output = await openOutput(file, true)
  try {
    await output.write(`${cursor}\n`)
  } catch (error) {
    await output.discard()
    throw error
  }
  await output.commit()
}
