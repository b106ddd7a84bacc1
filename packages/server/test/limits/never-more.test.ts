import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Limit, createBuckets, type Buckets } from '../../src/limits/buckets.ts'

import { slowStore } from './model-store.ts'
import { quietLog } from '../harness/quiet-log.ts'

/** What may happen next: time passes, somebody sends a request to a node, a message of a node is delivered or answered. */
type Step =
  | { does: 'wait'; milliseconds: number }
  | { does: 'send'; node: number; requests: number; back: boolean }
  | { does: 'arrive' }
  | { does: 'answer' }

const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('wait' as const), milliseconds: fc.nat(3_000) }),
    fc.record({
      does: fc.constant('send' as const),
      node: fc.nat(2),
      requests: fc.integer({ min: 1, max: 80 }),
      back: fc.boolean(),
    }),
    fc.record({ does: fc.constant('arrive' as const) }),
    fc.record({ does: fc.constant('answer' as const) }),
  ),
  { minLength: 1, maxLength: 150, size: 'max' },
)

/** Runs the steps, and gives the times at which requests were admitted: those that the store admitted, at the store's time. */
async function timesLetIn(limit: Limit, all: readonly Step[]): Promise<number[]> {
  let now = 0
  const clock = () => now
  const store = slowStore(clock)
  const nodes: Buckets[] = Array.from({ length: 3 }, () => createBuckets({ store, log: quietLog, clock }))
  const times: number[] = []
  let told = 0
  const end = Array.from({ length: 8 }, (): Step[] => [{ does: 'arrive' }, { does: 'answer' }])
  for (const step of [...all, ...end.flat()]) {
    if (step.does === 'wait') now += step.milliseconds
    if (step.does === 'send')
      for (let i = 0; i < step.requests; i++) {
        const verdict = nodes[step.node]?.take('bucket', limit)
        if (verdict instanceof Promise) void verdict.then(({ allowed }) => allowed && told++)
        else if (verdict?.allowed && step.back) nodes[step.node]?.giveBack('bucket')
        else if (verdict?.allowed) times.push(now)
      }
    if (step.does === 'arrive') times.push(...Array<number>(store.arrive()).fill(now))
    if (step.does === 'answer') {
      told = 0
      const byStore = await store.answer()
      // Requests beyond those that the store admitted got tokens that the node had leased.
      times.push(...Array<number>(told - byStore).fill(now))
    }
  }
  return times
}

describe('however requests, nodes and messages interleave', () => {
  for (const limit of [
    { quota: 1000, window: 60 },
    { quota: 600, window: 10 },
    { quota: 7, window: 60 },
  ])
    it(`no time sees more than ${limit.quota} and what ${limit.window} seconds bring back evenly`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async all => {
          const times = (await timesLetIn(limit, all)).sort((a, b) => a - b)
          const moments = [...new Set(times)]
          const upTo = moments.map(moment => times.lastIndexOf(moment) + 1)
          for (const [i, from] of moments.entries())
            for (const [j, to] of moments.entries()) {
              if (j < i) continue
              const most = limit.quota * (1 + (to - from) / limit.window / 1000)
              assert.ok((upTo[j] ?? 0) - (upTo[i - 1] ?? 0) <= most + 1e-6)
            }
        }),
        { numRuns: 300 },
      )
    })
})
