import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { codeOf } from './errors.ts'

/**
 * Runs a program until it ends. If it fails, the error has its standard error. It runs in its own process group, so
 * that Ctrl-C in the terminal does not reach it; aborting the signal ends the whole group.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  how: Pick<SpawnOptions, 'cwd' | 'uid' | 'gid' | 'env'>,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted()
  const child = spawn(program, args, { ...how, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk))
  const end = () => endGroup(child.pid)
  signal?.addEventListener('abort', end, { once: true })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    signal?.throwIfAborted()
    if (code !== 0) throw Object.assign(new Error(`${program} failed`), { stderr })
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGTERM')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
