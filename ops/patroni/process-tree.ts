import { readdirSync, readFileSync } from 'node:fs'

/** The process and all its descendants, as they are now. */
export function processTree(pid: number): number[] {
  const childrenOf = new Map<number, number[]>()
  for (const name of readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)) {
    const parent = parentOf(name)
    if (parent !== null) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), name])
  }
  const all = [pid]
  for (const pid of all) all.push(...(childrenOf.get(pid) ?? []))
  return all
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which may contain spaces: the state, then the parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

/** Sends the signal to all that still exist. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
}
