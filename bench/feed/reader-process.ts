import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadersAsked, ReadersReport } from './feed-readers.ts'

/** The process that reads the streams. */
export interface Readers {
  open(base_url: string, headers: readonly string[], path?: string): Promise<ReadersReport>
  ask(asked: ReadersAsked): Promise<ReadersReport>
  /** Waits until every stream has so many events. */
  settled(count: number): Promise<ReadersReport>
  stop(): void
}

/** Starts the process of feed-readers.ts. */
export function startReaders(): Readers {
  const child = fork(new URL('./feed-readers.ts', import.meta.url), { stdio: 'inherit' })
  async function ask(asked: ReadersAsked): Promise<ReadersReport> {
    const answer = once(child, 'message')
    child.send(asked)
    return ((await answer) as [ReadersReport])[0]
  }
  return {
    ask,
    open: (base_url, headers, path = '/v1/events/stream') =>
      ask({ what: 'open', port: Number(new URL(base_url).port), path, headers: [...headers] }),
    async settled(count) {
      for (let waited = 0; waited < 60_000; waited += 200) {
        const report = await ask({ what: 'report' })
        if (report.broken > 0) throw new Error('Some streams ended.')
        if (report.fewest >= count) return report
        await sleep(200)
      }
      throw new Error('Some streams never had all events.')
    },
    stop: () => child.disconnect(),
  }
}
