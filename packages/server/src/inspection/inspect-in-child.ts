import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { readChildAnswer, type ChildAnswer, type ChildTask } from './child-protocol.ts'
import { runConfined, type ConfinedRun } from './confined-process.ts'
import { readWhole, type Content } from './content.ts'

const entry = fileURLToPath(new URL('./child/main.ts', import.meta.url))

/** Signals that a process gets for what it does itself: memory that cannot be had, an assertion, a wrong address. */
const ownCrashes: readonly (NodeJS.Signals | null)[] = [
  'SIGABRT',
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGTRAP',
  'SIGFPE',
]

/**
 * Inspects a content, or its head, in a child process. Limits and crashes end the answer early. Throws if the process cannot
 * start, or was ended by somebody else.
 */
export async function inspectInChild(
  task: ChildTask,
  content: Content,
  head: Buffer,
  isLast: boolean,
  signal: AbortSignal,
): Promise<{ answer: ChildAnswer; run: ConfinedRun }> {
  const { limits } = task
  const run = (input: Readable) =>
    runConfined({
      entry,
      argument: JSON.stringify(task),
      input,
      // In JSON, a character of one byte may take six.
      limits: { ...limits, output_bytes: limits.text_bytes * 6 + limits.pages * 4 + 10_000 },
      isLast,
      signal,
    })
  const isComplete = !task.is_whole || head.length === content.size_bytes
  const ended = isComplete ? await run(Readable.from([head])) : await readWhole(content, signal, run)
  const isOwnEnd = ended.excess !== null || ended.code === 0 || ownCrashes.includes(ended.signal)
  if (!isOwnEnd)
    throw new Error(
      `The process that inspects content ended with ${ended.signal ?? `code ${ended.code}`}: ${ended.complaint.trim()}`,
    )
  return { answer: readChildAnswer(ended.excess === 'output' ? '' : ended.output), run: ended }
}
