import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A group of processes that together get a share of one processor, as if they had a small machine of their own. */
export interface ProcessorShare {
  /** Puts a process into it, and those that it starts from then on. */
  add(pid: number): void
  /** Of one processor. */
  limit(share: number): void
  /** The processor time used so far, in seconds. */
  used(): number
  /** Once its processes have ended. */
  remove(): Promise<void>
}

// Short, so that a search waits for a few milliseconds and not for most of a tenth of a second.
const period = 10_000

/** Needs root, and control groups of Linux: version 1 with its controllers cpu and cpuacct, or version 2. */
export function processorShare(name: string): ProcessorShare {
  const root = '/sys/fs/cgroup'
  const isSecond = existsSync(`${root}/cgroup.controllers`)
  const folders = isSecond ? [`${root}/${name}`] : [`${root}/cpu/${name}`, `${root}/cpuacct/${name}`]
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  const [limits = '', account = limits] = folders
  return {
    add(pid) {
      for (const folder of folders) writeFileSync(`${folder}/cgroup.procs`, String(pid))
    },
    limit(share) {
      const quota = Math.round(period * share)
      if (isSecond) return writeFileSync(`${limits}/cpu.max`, `${quota} ${period}`)
      writeFileSync(`${limits}/cpu.cfs_period_us`, String(period))
      writeFileSync(`${limits}/cpu.cfs_quota_us`, String(quota))
    },
    used() {
      const read = (file: string) => readFileSync(`${account}/${file}`, 'utf8')
      return isSecond
        ? Number(/usage_usec (\d+)/.exec(read('cpu.stat'))?.[1]) / 1e6
        : Number(read('cpuacct.usage')) / 1e9
    },
    async remove() {
      for (const folder of folders)
        for (let tries = 0; tries < 50; tries++)
          try {
            rmdirSync(folder)
            break
          } catch {
            await sleep(100)
          }
    },
  }
}
