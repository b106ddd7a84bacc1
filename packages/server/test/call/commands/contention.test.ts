import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../../src/call/call.ts'
import { Problem } from '../../../src/call/problem.ts'
import { lockExclusive, type Lockable } from '../../../src/database/locks.ts'
import { bodyOf, noteEdit } from './commands.ts'
import { somebody, startTwoNodes, type Node, type TwoNodes } from '../node.ts'

describe('concurrent changes of the same resource', () => {
  let world: TwoNodes
  before(async () => void (world = await startTwoNodes()))
  after(() => world.close())

  it('succeed once per revision; the others get a conflict, and none is lost or delayed', async () => {
    const command = await noteEdit(world)
    const rounds = 15
    const start = performance.now()
    for (let revision = 1; revision <= rounds; revision++) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, (_, i) =>
          command.ask({
            key: randomUUID(),
            node: world.nodes[i % 2] as Node,
            body: { expected_revision: revision, text: `by ${i}` },
          }),
        ),
      )
      const codes = outcomes.map(codeOf)
      assert.equal(codes.filter(code => code === 'done').length, 1)
      assert.deepEqual(new Set(codes), new Set(['done', 'revision_conflict']))
    }
    assert.deepEqual(await command.traces(), {
      effects: rounds,
      receipts: rounds,
      events: rounds,
      commands: rounds,
    })
    // A deadlock would take a second to be detected.
    assert.ok(performance.now() - start < 15_000)
  })

  it('that all stay true are all done, and their events have the order and the positions of their commits', async () => {
    const command = await noteEdit(world)
    const told: string[] = []
    const persistent = async (name: string, node: Node) => {
      for (let done = 0, revision = 1; done < 5;)
        try {
          const body = { expected_revision: revision, text: name }
          const answer = await command.ask({ key: randomUUID(), node, body })
          revision = bodyOf(answer).note?.revision ?? 0
          told[revision] = bodyOf(answer).action_receipt?.command_id ?? ''
          done++
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== 'revision_conflict') throw error
          revision = (error as Problem<'revision_conflict'>).members.current
        }
    }
    await Promise.all(Array.from({ length: 6 }, (_, i) => persistent(`by ${i}`, world.nodes[i % 2] as Node)))
    const events = await world.sql<{ position: string; command_id: string }>(
      `select position, command_id from events where workspace_id = $1 order by position`,
      [command.workspace_id],
    )
    // The first position is that of the Workspace's creation.
    assert.deepEqual(
      events.map(event => Number(event.position)),
      Array.from({ length: 31 }, (_, i) => i + 1),
    )
    assert.deepEqual(
      events.slice(1).map(event => event.command_id),
      told.slice(2),
    )
  })

  const codeOf = (outcome: PromiseSettledResult<Answer>) =>
    outcome.status === 'fulfilled'
      ? 'done'
      : outcome.reason instanceof Problem
        ? outcome.reason.code
        : String(outcome.reason)
})

describe('between the check of standing and the commit', () => {
  let world: TwoNodes
  before(async () => void (world = await startTwoNodes()))
  after(() => world.close())

  const losses: [string, Lockable, (owner: string, key: string) => string][] = [
    ['no membership is taken away', 'member', owner => owner],
    ['no API key is revoked', 'api_key', (_owner, key) => key],
    ['no Workspace is closed', 'workspace', () => ''],
  ]
  for (const [title, thing, idOf] of losses)
    it(title, async context => {
      const command = await noteEdit(world, somebody())
      const caller = await world.apiKey(command.workspace_id, command.owner)
      const { promise, resolve } = Promise.withResolvers<void>()
      context.after(() => resolve())
      command.probe.atFirst = () => promise
      const editing = command.ask({ caller })
      while (command.probe.runs === 0) await sleep(2)
      const id = idOf(command.owner.user_id, caller.key_id)
      const { writers } = world.nodes[0].pipeline
      const losing = writers
        .transaction({ workspace_id: command.workspace_id, user_id: null }, tx =>
          lockExclusive(tx, command.workspace_id, [[thing, id]]),
        )
        .then(() => 'lost')
      assert.equal(await Promise.race([losing, sleep(300, 'waits')]), 'waits')
      resolve()
      assert.equal((await editing).replay, false)
      assert.equal(await losing, 'lost')
    })
})
