import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { Socket } from 'node:net'
import { mock } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A function that was called, and how often. An async function is called again each time that it goes on. */
export interface CalledFunction {
  /** From the root of the project. */
  file: string
  name: string
  calls: number
}

/** What is called until COMMIT leaves for the database, and after that. */
export interface CalledFunctions {
  untilCommit: CalledFunction[]
  afterwards: CalledFunction[]
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))

let atCommit: (() => Promise<unknown>) | undefined
const { write } = Socket.prototype

/** Tells when COMMIT is sent. Call it before any connection to the database is opened. */
export function watchCommits(): void {
  mock.method(Socket.prototype, 'write', function (this: Socket, ...written: Parameters<typeof write>) {
    const [bytes] = written
    if (Buffer.isBuffer(bytes) && bytes.includes('\0commit\0')) void atCommit?.()
    return Reflect.apply(write, this, written)
  })
}

/** Counts the calls of functions below these folders while one change runs. Nothing else may run in this process. */
export async function countCalls(
  folders: readonly string[],
  change: () => Promise<unknown>,
): Promise<CalledFunctions> {
  const session = new Session()
  session.connect()
  const take = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
  }
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // Counting begins anew each time that the counts are taken.
    await take()
    let taken: ReturnType<typeof take> | undefined
    atCommit = () => (taken ??= take())
    await change()
    const rest = await take()
    if (!taken) throw new Error('No COMMIT was sent.')
    return { untilCommit: calledIn(await taken, folders), afterwards: calledIn(rest, folders) }
  } finally {
    atCommit = undefined
    session.disconnect()
  }
}

function calledIn(
  coverage: readonly Profiler.ScriptCoverage[],
  folders: readonly string[],
): CalledFunction[] {
  return coverage.flatMap(({ url, functions }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url).slice(root.length) : ''
    if (!folders.some(folder => file.startsWith(folder))) return []
    // The body of a module is the function that begins at 0.
    return functions.flatMap(({ functionName: name, ranges: [range] }) =>
      range && range.count > 0 && range.startOffset > 0 ? [{ file, name, calls: range.count }] : [],
    )
  })
}
