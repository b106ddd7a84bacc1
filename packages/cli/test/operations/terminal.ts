import { Command, CommanderError } from 'commander'
import type { ClientSettings } from '@wbs/sdk'
import { addOperations } from '../../src/operations/add-operations.ts'
import type { OutputStream, Surroundings } from '../../src/operations/surroundings.ts'

/** What a command printed, and its exit code. */
export interface Shown {
  code: number
  stdout: string
  stderr: string
  bytes: Buffer
}

/** How a command is run. Everything is optional: by default nothing is a terminal, and standard input is empty. */
export interface Run {
  access?: ClientSettings | (() => Promise<ClientSettings>)
  stdin?: string
  /** The width of a terminal, for standard output and standard error. */
  terminal?: number
  env?: Record<string, string>
  signal?: AbortSignal
}

/** Runs `wbs` with the words of a command line, in this process. */
export async function run(words: readonly string[], options: Run = {}): Promise<Shown> {
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  const streamOf = (name: 'stdout' | 'stderr'): OutputStream => ({
    write(chunk, done) {
      chunks[name].push(Buffer.from(chunk))
      done()
    },
    ...(options.terminal !== undefined && { isTTY: true, columns: options.terminal }),
  })
  const surroundings: Surroundings = {
    stdin: inPieces(options.stdin ?? ''),
    stdout: streamOf('stdout'),
    stderr: streamOf('stderr'),
    env: options.env ?? {},
    access: async () =>
      typeof options.access === 'function'
        ? options.access()
        : (options.access ?? { base_url: 'http://127.0.0.1:9' }),
    url: () => 'http://127.0.0.1:9',
    interruption: () => options.signal ?? new AbortController().signal,
  }
  const add = (name: 'stdout' | 'stderr') => (text: string) => void chunks[name].push(Buffer.from(text))
  const wbs = new Command('wbs')
    .exitOverride()
    .configureOutput({ writeOut: add('stdout'), writeErr: add('stderr') })
  let code = 0
  addOperations(wbs, surroundings, exitCode => {
    code = exitCode
  })
  try {
    await wbs.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    code = error.exitCode === 0 ? 0 : 2
  }
  const text = (name: 'stdout' | 'stderr') => Buffer.concat(chunks[name]).toString('utf8')
  return { code, stdout: text('stdout'), stderr: text('stderr'), bytes: Buffer.concat(chunks.stdout) }
}

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const content = Buffer.from(text)
  for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000)
}
