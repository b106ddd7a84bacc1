import { createClient, ProblemError, type FeedEvent, type FollowOptions, type Hooks } from '@wbs/sdk'
import type { AccessFlags } from '../access-flags.ts'
import { CommandError } from '../command-error.ts'
import { readWorkspaceAccess } from '../config.ts'
import { interruptSignal } from '../interruption.ts'
import { exitCodeOf, exitCodes } from '../operations/exit-codes.ts'
import { jsonText } from '../operations/output/print-answer.ts'
import { write } from '../operations/surroundings.ts'
import { failureInWords } from '../failure-in-words.ts'
import { checkCursor, readCursor, writeCursor } from './cursor-file.ts'
import { eventLine } from './event-line.ts'

export interface FollowFlags extends AccessFlags {
  room?: string
  types?: string
  sinceCursor?: string
  cursorFile?: string
  limit?: number
  json?: true
}

/**
 * `wbs events follow`. Gives the exit code: 130 if interrupted, 0 if all that was asked for is printed or nobody reads it
 * any more, otherwise that of the failure. Throws CommandError if it cannot begin.
 */
export async function followEvents(flags: FollowFlags): Promise<number> {
  const signal = interruptSignal()
  process.stdout.on('error', () => undefined) // each write reports its own
  const { cursorFile } = flags
  const cursor = await startOf(flags)
  const client = createClient({ ...(await readWorkspaceAccess(flags)), hooks: connectionHooks(signal) })
  const feed = client.events.follow({ room_id: flags.room, ...typesOf(flags), cursor, signal })
  let stored = cursor
  const store = async () => {
    if (cursorFile === undefined || feed.cursor === null || feed.cursor === stored) return
    await writeCursor(cursorFile, feed.cursor)
    stored = feed.cursor
  }
  let left = flags.limit ?? Infinity
  try {
    for await (const event of feed) {
      await print(event, flags)
      await store() // after it was printed: an event is rather printed again than left out
      if (--left === 0) return exitCodes.done
    }
    await store()
    return exitCodes.interrupted
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return exitCodes.done
    if (error instanceof CommandError) throw error
    console.error(`The events cannot be followed: ${failureInWords(error)}.`)
    return error instanceof ProblemError
      ? (exitCodeOf(error.problem) ?? exitCodes.failed)
      : exitCodes.tryLater
  }
}

/** Where to begin; null for now. Throws CommandError. */
async function startOf({ sinceCursor, cursorFile }: FollowFlags): Promise<string | null> {
  const stored = cursorFile === undefined ? null : await readCursor(cursorFile)
  if (stored !== null && sinceCursor !== undefined)
    throw new CommandError(`${cursorFile} has a place already. Leave out --since-cursor, or remove the file.`)
  return sinceCursor === undefined ? stored : checkCursor(sinceCursor, '--since-cursor')
}

/** The service says which types there are. */
function typesOf({ types }: FollowFlags): Pick<FollowOptions, 'types'> {
  const named = types?.split(',').map(type => type.trim())
  return named ? { types: named as NonNullable<FollowOptions['types']> } : {}
}

const print = (event: FeedEvent, { json }: FollowFlags): Promise<void> =>
  write(process.stdout, `${json ? jsonText(event) : eventLine(event)}\n`)

/** Says when the connection is lost for longer, and when it is back. */
function connectionHooks(signal: AbortSignal): Hooks {
  let connection: 'none' | 'there' | 'lost' = 'none'
  return {
    onRetry({ attempt }) {
      if (connection !== 'there' || attempt < 2 || signal.aborted) return
      connection = 'lost'
      console.error('The connection was lost. It is made again as soon as the service answers.')
    },
    onAnswer({ error }) {
      if (error !== null) return
      if (connection === 'lost') console.error('The connection is back; no event was left out.')
      connection = 'there'
    },
  }
}
