import { createHash } from 'node:crypto'
import { CommandError } from '../../command-error.ts'
import { openOutput } from '../../output-file.ts'
import { write, type Surroundings } from '../surroundings.ts'

/** Where content goes. */
export interface ContentTarget {
  /** The file; standard output without it, or if it is `-`. */
  output?: string | undefined
  force: boolean
}

/**
 * Writes content, and compares its SHA-256 with the one that the service named. Gives the number of bytes. Throws CommandError; a
 * file then has not been written.
 */
export async function saveContent(
  answer: Response,
  { output, force }: ContentTarget,
  { stdout }: Surroundings,
): Promise<number> {
  if (output === undefined || output === '-') return copy(answer, chunk => write(stdout, chunk))
  const file = await openOutput(output, force)
  try {
    const bytes = await copy(answer, chunk => file.write(chunk))
    await file.commit()
    return bytes
  } catch (error) {
    await file.discard()
    throw error
  }
}

async function copy(answer: Response, to: (chunk: Uint8Array) => Promise<void>): Promise<number> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    hash.update(chunk as Uint8Array)
    bytes += (chunk as Uint8Array).byteLength
    await to(chunk as Uint8Array)
  }
  const [, named] = /sha-256=:([^:]+):/.exec(answer.headers.get('repr-digest') ?? '') ?? []
  if (named !== undefined && hash.digest('base64') !== named)
    throw new CommandError(
      'The content was damaged on its way: its SHA-256 is not the one that the service named. Try again.',
    )
  return bytes
}
