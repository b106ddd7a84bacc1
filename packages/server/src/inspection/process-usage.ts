import { readFileSync } from 'node:fs'

/** What a process has used so far. */
export interface Usage {
  memory_mb: number
  cpu_seconds: number
}

/** The kernel's unit of CPU time in /proc, on every architecture that Node runs on. */
const ticksPerSecond = 100

/** The usage of a process, or null where the system has no /proc or the process has ended. */
export function usageOf(pid: number): Usage | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program is in parentheses and may contain spaces; user and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (kilobytes === undefined) return null
    return {
      memory_mb: Number(kilobytes) / 1024,
      cpu_seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    }
  } catch {
    return null
  }
}
