import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../../src/call/call.ts'
import type { Problem } from '../../../src/call/problem.ts'
import { isLiveApiKey } from '../../../src/workspaces/api-keys/api-key-store.ts'
import { bodyOf, creation, noteEdit, once, type Command } from './commands.ts'
import { refusal, startTwoNodes, type Node, type TwoNodes } from '../node.ts'

describe('concurrent duplicates', () => {
  let world: TwoNodes
  before(async () => void (world = await startTwoNodes()))
  after(() => world.close())

  const kinds: [string, () => Promise<Command>][] = [
    ['creating a Workspace', () => creation(world)],
    ['editing a note', () => noteEdit(world)],
  ]
  for (const [kind, make] of kinds)
    for (const count of [2, 16, 64])
      for (const places of [1, 2])
        it(`${kind}: ${count} on ${places} nodes are done once, and all get that answer`, async () => {
          const command = await make()
          const answers = await Promise.all(
            Array.from({ length: count }, (_, i) => command.ask({ node: world.nodes[i % places] as Node })),
          )
          assert.equal(answers.filter(answer => !answer.replay).length, 1)
          assert.equal(new Set(answers.map(answer => bodyOf(answer).original_request_id)).size, 1)
          assert.equal(new Set(answers.map(answer => bodyOf(answer).request_id)).size, count)
          assert.deepEqual(await command.traces(), once)
        })

  it('with different bodies: one is done, and only those with its body get its answer', async () => {
    const command = await creation(world)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 32 }, (_, i) =>
        command.ask({ node: world.nodes[i % 2] as Node, body: { name: `Name ${i % 4}` } }),
      ),
    )
    const names = outcomes.flatMap(one => (one.status === 'fulfilled' ? [bodyOf(one.value).workspace] : []))
    assert.equal(names.length, 8)
    assert.equal(new Set(names.map(workspace => workspace?.name)).size, 1)
    assert.deepEqual(await command.traces(), once)
  })

  it('of a first that fails: another one of them does it, and one only', async () => {
    const command = await noteEdit(world)
    command.probe.meanwhile = async () => {
      if (command.probe.runs === 1) throw new Error('the first one fails')
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => command.ask()))
    assert.equal(outcomes.filter(one => one.status === 'rejected').length, 1)
    assert.equal(command.probe.runs, 2)
    assert.deepEqual(await command.traces(), once)
  })

  it('that all fail: each is refused for its own reason, one run at a time', async () => {
    const command = await noteEdit(world)
    let under_way = 0
    let most = 0
    command.probe.meanwhile = async () => {
      most = Math.max(most, ++under_way)
      await sleep(5)
      under_way--
    }
    const stale = { expected_revision: 9, text: 'stale' }
    const refused = await Promise.all(Array.from({ length: 16 }, () => refusal(command.ask({ body: stale }))))
    assert.deepEqual(new Set(refused.map(problem => problem.code)), new Set(['revision_conflict']))
    assert.equal(most, 1)
  })
})

describe('a duplicate of a slow request', () => {
  let world: TwoNodes
  before(async () => void (world = await startTwoNodes()))
  after(() => world.close())

  /** A note whose first edit is held until it is released or made to fail, at the latest at the end of the test. */
  async function slowEdit(context: TestContext) {
    const command = await noteEdit(world)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    command.probe.meanwhile = () => {
      reached.resolve()
      return promise
    }
    context.after(() => resolve())
    const first = command.ask()
    await reached.promise
    return { command, first, release: resolve, fail: () => reject(new Error('it failed')) }
  }

  for (const [where, node] of [
    ['on the same node', 0],
    ['on another node', 1],
  ] as const) {
    it(`waits for its answer, ${where}`, async context => {
      const { command, first, release } = await slowEdit(context)
      const duplicate = command.ask({ node: world.nodes[node] })
      assert.equal(await Promise.race([duplicate, sleep(300, 'waits')]), 'waits')
      release()
      assert.equal(bodyOf(await duplicate).original_request_id, bodyOf(await first).request_id)
      assert.equal((await duplicate).replay, true)
      assert.deepEqual(await command.traces(), once)
    })

    it(`gets idempotency_in_progress after two seconds, ${where}`, async context => {
      const { command, first, release } = await slowEdit(context)
      const start = performance.now()
      const problem = await refusal(command.ask({ node: world.nodes[node] }))
      const waited = performance.now() - start
      assert.equal(problem.status, 409)
      assert.equal(problem.code, 'idempotency_in_progress')
      assert.equal(problem.headers['retry-after'], '1')
      assert.ok(waited > 1500 && waited < 10_000, `${waited} ms`)
      release()
      await first
      assert.equal((await command.ask({ node: world.nodes[node] })).replay, true)
      assert.deepEqual(await command.traces(), once)
    })

    it(`delays no other request, even with 64 of them, ${where}`, async context => {
      const { command, first, release } = await slowEdit(context)
      const duplicates = Promise.allSettled(
        Array.from({ length: 64 }, () => command.ask({ node: world.nodes[node] })),
      )
      const times = await timesOfOthers(world.nodes[node])
      release()
      await first
      assert.ok(Math.max(...times) < 1000, `${Math.max(...times)} ms`)
      for (const duplicate of await duplicates) assertReplayedOrTold(duplicate)
      assert.deepEqual(await command.traces(), once)
    })
  }

  it('delays no other request, even with 64 of them, when the first one fails and the next is slow too', async context => {
    const { command, first, fail } = await slowEdit(context)
    const duplicates = Promise.allSettled(Array.from({ length: 64 }, () => command.ask()))
    command.probe.meanwhile = () => sleep(1200)
    fail()
    await assert.rejects(first, /it failed/)
    while (command.probe.runs === 1) await sleep(2)
    const times = await timesOfOthers(world.nodes[0])
    assert.ok(Math.max(...times) < 1000, `${Math.max(...times)} ms`)
    const isFirst = (duplicate: PromiseSettledResult<Answer>) =>
      duplicate.status === 'fulfilled' && !duplicate.value.replay
    const settled = await duplicates
    assert.equal(settled.filter(isFirst).length, 1)
    for (const duplicate of settled) if (!isFirst(duplicate)) assertReplayedOrTold(duplicate)
    assert.deepEqual(await command.traces(), once)
  })

  /** On a busy machine, some wait for more than the two seconds after which they are told to try again. */
  function assertReplayedOrTold(duplicate: PromiseSettledResult<Answer>): void {
    if (duplicate.status === 'fulfilled') return assert.equal(duplicate.value.replay, true)
    const { code } = duplicate.reason as Problem
    assert.ok(code === 'idempotency_in_progress' || code === 'unavailable', code)
  }

  async function timesOfOthers(node: Node): Promise<number[]> {
    const times: number[] = []
    for (let i = 0; i < 20; i++) {
      const { owner, ask } = await creation(world)
      const start = performance.now()
      await ask({ node })
      await isLiveApiKey(
        node.pipeline.readers.scoped({ workspace_id: randomUUID(), user_id: owner.user_id }),
        randomUUID(),
        randomUUID(),
      )
      times.push(performance.now() - start)
    }
    return times
  }
})
