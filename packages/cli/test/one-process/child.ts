import { Readable } from 'node:stream'
import type { Ending, Output, Wanted } from './run-in-one-process.ts'

/**
 * Runs `wbs` once for each message, one after the other, in this process: `wbs.ts` anew each time, and what it imports
 * only the first time.
 */
const exit = process.exit.bind(process)
let turn = 0

process.on('disconnect', () => exit())
process.on('message', (wanted: Wanted) => void run(wanted))

async function run({ args, env, cwd, stdin }: Wanted): Promise<void> {
  const mine = ++turn
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, 'wbs', ...args]
  process.exitCode = undefined
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(stdin)]), configurable: true })
  for (const stream of ['stdout', 'stderr'] as const) tellWhatIsWritten(stream)
  // The library for command lines exits by itself after a usage error or its help.
  process.exit = code => {
    end(mine, Number(code ?? 0))
    throw new Error('The command has ended.')
  }
  try {
    await import(`../../src/wbs.ts?turn=${mine}`)
    end(mine, exitCode())
  } catch (error) {
    process.stderr.write(String(error instanceof Error ? error.stack : error))
    end(mine, 1)
  }
}

const exitCode = (): number => Number(process.exitCode ?? 0)

function tellWhatIsWritten(stream: 'stdout' | 'stderr'): void {
  const mine = turn
  process[stream].write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    const text = Buffer.from(chunk as string).toString('base64')
    if (mine === turn) process.send?.({ stream, text } satisfies Output)
    const done = more.find(one => typeof one === 'function')
    if (done) process.nextTick(done)
    return true
  }
}

function end(mine: number, code: number): void {
  if (mine !== turn) return
  turn++
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(signal)
  process.stdout.removeAllListeners('error')
  process.send?.({ code } satisfies Ending)
}
