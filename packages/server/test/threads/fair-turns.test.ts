import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fairTurns } from '../../src/threads/fair-turns.ts'

describe('turns', () => {
  it('go to the Workspaces in rotation, never more at once than allowed', async () => {
    const turns = fairTurns(2)
    const order: string[] = []
    let running = 0
    const work = (name: string) => async () => {
      order.push(name)
      assert.ok(++running <= 2)
      await new Promise(resolve => setImmediate(resolve))
      running--
    }
    const named = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']
    await Promise.all(named.map(name => turns.run(name.slice(0, 1), work(name))))
    assert.deepEqual(order, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'])
  })

  it('pass on after a failure, and skip those who left', async () => {
    const turns = fairTurns(1)
    const leaving = new AbortController()
    const reason = new Error('The caller is gone.')
    const first = turns.run('a', () => Promise.reject(new Error('It failed.')))
    const left = turns.run('a', () => assert.fail('It was not wanted any more.'), leaving.signal)
    const last = turns.run('a', () => Promise.resolve('done'))
    leaving.abort(reason)
    await assert.rejects(first, /It failed/)
    await assert.rejects(left, reason)
    assert.equal(await last, 'done')
    await assert.rejects(
      turns.run('a', () => Promise.resolve(), leaving.signal),
      reason,
    )
  })
})
