import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { accessSync, openSync, closeSync } from 'node:fs'

/** The Debian programs that the cluster runs, and the package of each. */
const programs = {
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/patronictl': 'patroni',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
}

/** Throws a sentence with the packages to install. */
export function requirePrograms(): void {
  const missing = Object.entries(programs).flatMap(([path, name]) => (isThere(path) ? [] : [name]))
  if (missing.length > 0) throw new Error(`Install first: apt-get install ${[...new Set(missing)].join(' ')}`)
}

function isThere(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

/** The account under which programs run that refuse root. Null if this process is not root: then its own. */
export function account(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const number = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** Starts a program of the account, with its output in a file. */
export function startProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  log: string,
): ChildProcess {
  const output = openSync(log, 'a')
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', output, output],
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: cwd },
    ...account(),
  })
  closeSync(output)
  child.on('error', error => console.error(`${command}: ${error.message}`))
  return child
}

/** Kills a child and waits until it is gone. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill(signal)
  await gone
}
