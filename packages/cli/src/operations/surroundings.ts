import type { ClientSettings } from '@wbs/sdk'
import type { AccessFlags } from '../access-flags.ts'

/** A stream of output, as the process has it. */
export interface OutputStream {
  write(chunk: string | Uint8Array, done: (error?: Error | null) => void): unknown
  /** Whether it is a terminal. */
  isTTY?: boolean | undefined
  /** The width of the terminal. */
  columns?: number | undefined
}

/** What a command uses of the process that it runs in. Tests give others. */
export interface Surroundings {
  stdin: AsyncIterable<Uint8Array | string>
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  /** How the service is reached. Throws CommandError. */
  access(flags: AccessFlags): Promise<ClientSettings>
  /** The address of the service, for a caller without a credential. Throws CommandError. */
  url(flags: AccessFlags): string
  /** A signal that is aborted when the user ends the command. Called once the command runs. */
  interruption(): AbortSignal
}

/** Writes all of a text or of bytes. Throws what the stream reports. */
export const write = (stream: OutputStream, chunk: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(chunk, error => {
      if (error) reject(error)
      else resolve()
    })
  })
