import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createThreads, type Threads, type ThreadSettings } from '../../src/threads/threads.ts'
import { eventually } from '../harness/eventually.ts'
import type { Order } from './obedient-thread.ts'

const settings = {
  module: new URL('./obedient-thread.ts', import.meta.url),
  name: 'tests',
  most: 1,
  idleMilliseconds: 60_000,
  limits: { maxOldGenerationSizeMb: 16 },
}

describe('threads', () => {
  const opened: Threads<Order, number>[] = []
  function open(changes: Partial<ThreadSettings> = {}): Threads<Order, number> {
    const threads = createThreads<Order, number>({ ...settings, ...changes })
    opened.push(threads)
    return threads
  }
  after(() => Promise.all(opened.map(threads => threads.close())))

  it('carry out orders, and one thread serves the next order too', async () => {
    const threads = open()
    const first = await threads.carryOut('a', 'which')
    assert.equal(await threads.carryOut('b', 'which'), first)
  })

  it('work at the same time, as many as there may be', async () => {
    const threads = open({ most: 2 })
    const controller = new AbortController()
    const long = threads.carryOut('a', 'go on until it is canceled', controller.signal)
    assert.ok(await threads.carryOut('a', 'which'))
    controller.abort(new Error('Enough.'))
    await assert.rejects(long, /Enough/)
  })

  it('give an error of the work with its code, and go on', async () => {
    const threads = open()
    await assert.rejects(threads.carryOut('a', 'fail'), { message: 'It failed.', code: 'E_FAILED' })
    assert.ok(await threads.carryOut('a', 'which'))
  })

  it('stop an order that is not wanted any more, and the event loop goes on meanwhile', async () => {
    const threads = open()
    const controller = new AbortController()
    const long = threads.carryOut('a', 'go on until it is canceled', controller.signal)
    for (let turns = 0; turns < 20; turns++) await setTimeout(1)
    controller.abort(new Error('Nobody waits.'))
    await assert.rejects(long, /Nobody waits/)
    assert.ok(await threads.carryOut('a', 'which'))
  })

  it('an order that uses all memory ends its thread alone, and the next one gets another thread', async () => {
    const threads = open()
    const first = await threads.carryOut('a', 'which')
    await assert.rejects(threads.carryOut('a', 'use all memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
    assert.notEqual(await threads.carryOut('a', 'which'), first)
  })

  it('an order that takes too long ends its thread, and the next one gets another thread', async () => {
    const threads = open({ longestMilliseconds: 1_000 })
    await assert.rejects(threads.carryOut('a', 'go on until it is canceled'), /A thread of tests ended/)
    assert.ok(await threads.carryOut('a', 'which'))
  })

  it('end after a while without work', async () => {
    const threads = open({ idleMilliseconds: 10 })
    const first = await threads.carryOut('a', 'which')
    await eventually(async () => ((await threads.carryOut('a', 'which')) === first ? undefined : true))
  })

  it('fail when they are closed: what runs, and what comes later', async () => {
    const threads = open()
    await threads.carryOut('a', 'which')
    const running = threads.carryOut('a', 'go on until it is canceled')
    const failed = assert.rejects(running, /A thread of tests ended/)
    await setTimeout(1)
    await threads.close()
    await failed
    await assert.rejects(threads.carryOut('a', 'which'), /The threads of tests are closed/)
  })
})
