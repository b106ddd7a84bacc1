import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { get } from '../load.ts'

/** How long small requests took, in milliseconds. */
export interface Probed {
  took: readonly number[]
}

const interval = 10

/** Sends a small request every 10 ms while something is done, without waiting for the one before. */
export async function probeDuring<T>(
  url: string,
  work: () => Promise<T>,
): Promise<Probed & { result: T; seconds: number }> {
  const agent = new Agent({ keepAlive: true })
  const took: number[] = []
  const underWay = new Set<Promise<void>>()
  const done = new AbortController()
  async function one(): Promise<void> {
    const begun = performance.now()
    await get(url, agent)
    took.push(performance.now() - begun)
  }
  async function probe(): Promise<void> {
    while (!done.signal.aborted) {
      const sent = one()
      underWay.add(sent)
      void sent.finally(() => underWay.delete(sent)).catch(() => undefined)
      await sleep(interval)
    }
    await Promise.all(underWay)
  }
  const probing = probe()
  const begun = performance.now()
  try {
    const result = await work()
    return { result, seconds: (performance.now() - begun) / 1000, took }
  } finally {
    done.abort()
    await probing
    agent.destroy()
  }
}
