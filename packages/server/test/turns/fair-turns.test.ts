import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { partyOf } from '../../src/database/connections/connection.ts'
import { createFairTurns, TooManyWaiting, type EndTurn, type TurnBounds } from '../../src/turns/fair-turns.ts'

class Late extends Error {}

const bounds = {
  total: 4,
  perShare: 2,
  perShareWhenContended: 2,
  queuePerShare: 10,
  timeoutMilliseconds: 60_000,
  timeoutError: () => new Late(),
  partyOf,
} satisfies TurnBounds

/** Turns, and the order in which they began. */
function turnsFor(t: TestContext, changed: Partial<TurnBounds> = {}, clock?: () => number) {
  const turns = createFairTurns({ ...bounds, ...changed }, clock)
  t.after(() => turns.close())
  const order: string[] = []
  const ends: EndTurn[] = []
  return {
    ...turns,
    order,
    ends,
    /** Asks for so many turns. */
    ask: (whose: string, times = 1) =>
      Array.from({ length: times }, () => {
        const asked = turns.take(whose).then(end => {
          order.push(whose)
          ends.push(end)
        })
        // Those who still wait at the end are rejected.
        asked.catch(() => {})
        return asked
      }),
    /** Ends the oldest turn, and lets the next ones begin. */
    async endOne() {
      ends.shift()?.()
      await settled()
    },
  }
}

const settled = () => new Promise(resolve => setImmediate(resolve))
const none = { running: 0, waiting: 0 }

describe('fair turns', () => {
  it('start at once for a share below its limit, although another share waits', async t => {
    const turns = turnsFor(t)
    void turns.ask('busy', 8)
    await Promise.all(turns.ask('quiet', 2))
    assert.deepEqual(turns.order, ['busy', 'busy', 'quiet', 'quiet'])
    assert.deepEqual(turns.usage(), { running: 4, waiting: 6 })
  })

  it('are fewer for a share while others compete, until a second after their last request', async t => {
    let now = 0
    const turns = turnsFor(t, { total: 10, perShare: 4, perShareWhenContended: 1 }, () => now)
    void turns.ask('busy', 14)
    await settled()
    assert.deepEqual(turns.usage(), { running: 4, waiting: 10 }, 'alone')
    await Promise.all(turns.ask('quiet'))
    for (let ended = 0; ended < 4; ended++) await turns.endOne()
    assert.deepEqual(turns.usage(), { running: 2, waiting: 9 }, 'beside others')
    await turns.endOne()
    assert.deepEqual(turns.order.slice(-2), ['quiet', 'busy'])
    now += 1001
    await turns.endOne()
    assert.deepEqual(turns.usage(), { running: 4, waiting: 5 }, 'alone again')
  })

  it("are not reduced for a Workspace by the service's own work in it", async t => {
    const turns = turnsFor(t, { total: 10, perShare: 4, perShareWhenContended: 1 })
    await Promise.all(turns.ask('service in w'))
    void turns.ask('workspace w', 9)
    await settled()
    assert.deepEqual(turns.usage(), { running: 5, waiting: 5 })
  })

  it('go round-robin among the shares that wait, however much each asked for', async t => {
    const turns = turnsFor(t, { total: 1, perShare: 1, queuePerShare: 100 })
    void turns.ask('a', 50)
    void turns.ask('b', 3)
    void turns.ask('c', 3)
    await settled()
    for (let i = 0; i < 10; i++) await turns.endOne()
    assert.equal(turns.order.join(''), 'aabcabcabca')
  })

  it('go first to the share that runs the fewest, and to a new share after at most one of each other', async t => {
    const turns = turnsFor(t, { total: 2, perShare: 2 })
    void turns.ask('a', 10)
    void turns.ask('b', 10)
    await settled()
    await turns.endOne()
    void turns.ask('new')
    for (let i = 0; i < 3; i++) await turns.endOne()
    assert.deepEqual(turns.order, ['a', 'a', 'b', 'a', 'b', 'new'])
  })

  it('of one share start in the order of its requests', async () => {
    const turns = createFairTurns({ ...bounds, perShare: 1 })
    const order: number[] = []
    const end = await turns.take('a')
    const all = [1, 2, 3].map(async number => {
      const endMine = await turns.take('a')
      order.push(number)
      endMine()
    })
    end()
    await Promise.all(all)
    assert.deepEqual(order, [1, 2, 3])
  })

  it('are never more at once than may be, in all or of one, and none is lost, whatever the order of their ends', async () => {
    const turns = createFairTurns({ ...bounds, queuePerShare: 1000 })
    const now = new Map<string, number>()
    let done = 0
    const use = async (whose: string) => {
      const end = await turns.take(whose)
      now.set(whose, (now.get(whose) ?? 0) + 1)
      assert.ok((now.get(whose) ?? 0) <= bounds.perShare)
      assert.ok([...now.values()].reduce((sum, count) => sum + count) <= bounds.total)
      for (let i = Math.floor(Math.random() * 4); i > 0; i--) await settled()
      now.set(whose, (now.get(whose) ?? 0) - 1)
      end()
      end()
      done++
    }
    await Promise.all(Array.from({ length: 600 }, (_, i) => use(`share ${i % 7}`)))
    assert.equal(done, 600)
    assert.deepEqual(turns.usage(), none)
  })

  it('are refused to a share whose queue is full, and to no other', async t => {
    const turns = turnsFor(t, { total: 2, perShare: 1 })
    void turns.ask('busy', 11)
    await assert.rejects(turns.take('busy'), TooManyWaiting)
    await Promise.all(turns.ask('quiet'))
    assert.deepEqual(turns.usage(), { running: 2, waiting: 10 })
  })

  it('time out, and then go to those behind', async t => {
    const turns = turnsFor(t, { perShare: 1, timeoutMilliseconds: 30 })
    await Promise.all(turns.ask('a'))
    await assert.rejects(turns.take('a'), Late)
    assert.deepEqual(turns.usage(), { running: 1, waiting: 0 })
    const patient = turns.ask('a')
    await turns.endOne()
    await Promise.all(patient)
    await turns.endOne()
    assert.deepEqual(turns.usage(), none)
  })

  it('are rejected for all who wait when they are closed, and those that run go on', async t => {
    const turns = turnsFor(t, { perShare: 1 })
    await Promise.all(turns.ask('a'))
    const waiting = [turns.take('a'), turns.take('a'), turns.take('a')].map(one => assert.rejects(one, Late))
    turns.close()
    await Promise.all(waiting)
    await assert.rejects(turns.take('b'), Late)
    assert.deepEqual(turns.usage(), { running: 1, waiting: 0 })
    await turns.endOne()
    assert.deepEqual(turns.usage(), none)
  })
})

describe('work in fair turns', () => {
  it('goes first to the Workspaces that run the least, never more at once than allowed', async () => {
    const turns = createFairTurns({ total: 2 })
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
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5'])
  })

  it('goes on after a failure, and skips those who left', async () => {
    const turns = createFairTurns({ total: 1 })
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
