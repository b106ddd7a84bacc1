import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import environment from '../scripts/bootstrap/service-environment.json' with { type: 'json' }
import flags from '../scripts/bootstrap/service-flags.json' with { type: 'json' }

/** A process under measurement: its URL, and its memory. */
export interface MeasuredProcess {
  base_url: string
  /** Current and peak resident memory, in MiB. */
  memory(): { now: number; peak: number }
  /** The processor time used so far, in milliseconds. */
  processorTime(): number
  stop(): Promise<void>
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>
}

/**
 * Starts a program in a process of its own, with the flags and environment of `npm start`, and waits for the line with
 * its base URL.
 */
export async function startProcess(
  file: string | URL,
  env: Record<string, string>,
): Promise<MeasuredProcess> {
  const child = spawn(process.execPath, [...flags, typeof file === 'string' ? file : fileURLToPath(file)], {
    env: { ...environment, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | NodeJS.Signals | null>(resolve =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  )
  const base_url = await firstUrl(child)
  return {
    base_url,
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      const mib = (field: string) =>
        Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
      return { now: mib('VmRSS'), peak: mib('VmHWM') }
    },
    processorTime() {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      // After the name, which may contain spaces: utime and stime are fields 14 and 15 of the line.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) * millisecondsOfTick
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    ended,
  }
}

const millisecondsOfTick = 10

function firstUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk
      const url = /http:\/\/\S+:\d+/.exec(text)?.[0]
      if (url) resolve(url)
    })
    child.once('exit', code => reject(new Error(`The process ended (${code}) before it listened.`)))
  })
}
