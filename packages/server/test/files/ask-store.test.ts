import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { Problem } from '../../src/call/problem.ts'
import { waitAtOnce } from '../../src/call/waiting/wait-without-slot.ts'
import { askStore } from '../../src/files/ask-store.ts'

describe('a request that asks the store', () => {
  it('keeps its slot while the store answers soon', async () => {
    const releasing = mock.fn(waitAtOnce)
    assert.equal(await askStore(Promise.resolve('stored'), releasing), 'stored')
    assert.equal(releasing.mock.callCount(), 0)
  })

  it('is told what went wrong', async () => {
    await assert.rejects(askStore(Promise.reject(new Error('The disk is full.')), waitAtOnce), /disk is full/)
  })

  it('waits without its slot, and is told to try again after 20 seconds', async context => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const releasing = mock.fn(waitAtOnce)
    const { promise, resolve } = Promise.withResolvers<void>()
    const answer = askStore(promise, releasing)
    context.mock.timers.tick(200)
    while (releasing.mock.callCount() === 0) await Promise.resolve()
    context.mock.timers.tick(20_000)
    await assert.rejects(answer, (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.code, error.headers['retry-after']], ['unavailable', '1'])
      return true
    })
    resolve()
  })
})
