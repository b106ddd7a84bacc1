import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The output of a script, and how the shell ended if it did: its exit code or signal, or a timeout. */
export interface Ran {
  stdout: string
  stderr: string
  ended: number | string | null
}

/** One bash for a whole document, so that variables and functions of a block are available in later ones. */
export interface Shell {
  /** Runs a script. A failing command ends the shell. */
  run(script: string): Promise<Ran>
  close(): Promise<void>
}

const longest_ms = 120_000

export async function openShell(options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Shell> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-shell-'))
  // In a process group of its own, so that everything it started ends with it.
  const bash = spawn('bash', ['-euo', 'pipefail'], {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  bash.stdin.on('error', () => {}) // it ended before it read everything
  const closed = once(bash, 'close').then(([code, signal]) => (signal ?? code) as number | string)
  const kill = () => {
    try {
      process.kill(-(bash.pid as number), 'SIGKILL')
    } catch {} // no process of the group is left
  }
  let at = 0
  return {
    async run(script) {
      const file = join(folder, String(++at))
      await writeFile(file, script)
      const done = once(bash.stdout, 'data').then(() => null)
      bash.stdin.write(`. '${file}' >'${file}.out' 2>'${file}.err' </dev/null; echo done\n`)
      let tooLong = false
      const timer = setTimeout(() => {
        tooLong = true
        kill()
      }, longest_ms)
      const ended = await Promise.race([done, closed])
      clearTimeout(timer)
      const [stdout, stderr] = await Promise.all([printed(`${file}.out`), printed(`${file}.err`)])
      return { stdout, stderr, ended: tooLong ? `after ${longest_ms / 1000} seconds` : ended }
    },
    async close() {
      kill()
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const printed = (file: string) => readFile(file, 'utf8').catch(() => '')
