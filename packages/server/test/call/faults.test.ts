import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { Problem } from '../../src/call/problem.ts'
import { startFaultProxy, type Fault, type FaultProxy } from '../harness/postgres/fault-proxy.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { bodyOf, noteEdit, once, type Body } from './commands/commands.ts'
import { somebody, startTwoNodes, type TwoNodes } from './node.ts'
import { createProbe } from './probe.ts'

const faults: [string, Omit<Fault, 'at'>][] = [
  ['the connection is lost before it', { from: 'service', how: 'lose' }],
  ['the connection is lost after it', { from: 'service', how: 'lose answer' }],
  ['the connection is lost during the answer', { from: 'database', how: 'lose' }],
  ['the server ends the session before it', { from: 'service', how: 'terminate' }],
  ['the statement fails', { from: 'service', how: 'fail' }],
]

/**
 * Injects the fault at the first message, at the second, and so on, until a run passes unharmed. Gives the messages
 * that were hit.
 */
async function everywhere(
  proxy: FaultProxy,
  fault: Omit<Fault, 'at'>,
  run: (at: number) => Promise<void>,
): Promise<string[]> {
  for (let at = 1, struck: string[] = []; ; at++) {
    proxy.arm({ ...fault, at })
    await run(at)
    const victim = proxy.struck()
    if (victim === null) return struck
    struck.push(victim)
  }
}

function assertComplete(struck: string[], fault: Omit<Fault, 'at'>): void {
  const ends = fault.from === 'service' ? ['E begin', 'E commit'] : ['C BEGIN', 'C COMMIT']
  for (const end of ends)
    assert.ok(
      struck.some(one => one.startsWith(end)),
      `${end} was not struck: ${struck.join(', ')}`,
    )
  assert.ok(struck.length >= 8, `${struck.length} points`)
}

describe('a Workspace is created once, whichever message to or from the database is lost', () => {
  let proxy: FaultProxy
  let service: TestService
  before(async () => {
    proxy = await startFaultProxy()
    service = await startTestService()
    await Promise.all(
      Array.from({ length: 10 }, () => service.person('Early').client.createWorkspace({ name: 'Early' })),
    )
  })
  after(async () => {
    await service.close()
    await proxy.close()
  })

  for (const [title, fault] of faults)
    it(title, async context => {
      const struck = await everywhere(proxy, fault, async at => {
        const olivia = service.person('Olivia')
        const answer = await persistently(impatient(service, olivia), randomUUID())
        await assertOnce(olivia, answer, `point ${at}`)
      })
      context.diagnostic(`${struck.length} points`)
      assertComplete(struck, fault)
    })

  /** A client that does not wait as long as Retry-After says. */
  function impatient({ client }: TestService, { token }: Person): Client {
    const hurried: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      const headers = new Headers(response.headers)
      if (headers.has('retry-after')) headers.set('retry-after', '0')
      return new Response(response.body, { status: response.status, headers })
    }
    return client({ access_token: token, fetch: hurried })
  }

  async function persistently(client: Client, idempotency_key: string): Promise<Body> {
    for (let tries = 0; ; tries++)
      try {
        return await client.createWorkspace({ name: 'Once' }, { idempotency_key })
      } catch (error) {
        // A failed statement is a fault of the service, which the client does not retry.
        if (tries === 3) throw error
      }
  }

  async function assertOnce({ user_id }: Person, answer: Body, at: string): Promise<void> {
    const [traces] = await service.sql(
      `select (select array_agg(id) from workspaces where created_by = $1) as workspaces,
              (select count(*)::int from memberships where user_id = $1) as memberships,
              (select count(*)::int from receipts where actor ->> 'user_id' = $1::text) as receipts,
              (select count(*)::int from events where actor ->> 'user_id' = $1::text) as events,
              (select count(*)::int from commands where scope_id = $1 and status = 201 and answer is not null) as commands,
              (select count(*)::int from commands where status is null) as dangling`,
      [user_id],
    )
    const workspaces = [answer.workspace?.id]
    assert.deepEqual(
      traces,
      { workspaces, memberships: 1, receipts: 1, events: 1, commands: 1, dangling: 0 },
      at,
    )
  }
})

describe('a note is edited once, whichever message to or from the database is lost', () => {
  let proxy: FaultProxy
  let world: TwoNodes
  before(async () => {
    proxy = await startFaultProxy()
    world = await startTwoNodes()
    const command = await noteEdit(world)
    await Promise.all(Array.from({ length: 10 }, () => command.ask()))
  })
  after(async () => {
    await world.close()
    await proxy.close()
  })

  const probe = createProbe()
  for (const [title, fault] of faults)
    it(title, async context => {
      let answers = 0
      const struck = await everywhere(proxy, fault, async at => {
        const command = await unharmed(() => noteEdit(world, somebody(), probe))
        proxy.arm({ ...fault, at })
        const answer = await persistently(() => command.ask())
        if (!bodyOf(answer).idempotent_replay) answers++
        assert.deepEqual(await command.traces(), once, `point ${at}`)
        assert.equal(bodyOf(answer).note?.revision, 2)
      })
      context.diagnostic(`${struck.length} points`)
      assertComplete(struck, fault)
      // Also if the answer to COMMIT was lost: a caller who sent one request must not get a replay.
      assert.equal(answers, struck.length + 1)
    })

  async function unharmed<T>(work: () => Promise<T>): Promise<T> {
    proxy.arm({ at: 0, from: 'service', how: 'lose' })
    return work()
  }

  async function persistently<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++)
      try {
        return await ask()
      } catch (error) {
        const expected = error instanceof Problem ? error.code === 'unavailable' : isMadeUp(error)
        if (tries === 3 || !expected) throw error
      }
  }

  const isMadeUp = (error: unknown) =>
    error instanceof Error && /division by zero|portal "nothing"|row-level security/.test(error.message)
})
