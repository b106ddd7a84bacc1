import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { query } from '@wbs/contract/operation'
import { implement } from '../../src/call/implement.ts'
import { read, write } from '../../src/database/statement.ts'
import { startFaultProxy, type FaultProxy } from '../harness/postgres/fault-proxy.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { creation, noteEdit, once } from './commands/commands.ts'
import { refusal, startTwoNodes, type TwoNodes } from './node.ts'

describe('while the database cannot be reached', () => {
  let proxy: FaultProxy
  let service: TestService
  before(async () => {
    proxy = await startFaultProxy()
    service = await startTestService()
  })
  after(async () => {
    await service.close()
    await proxy.close()
  })

  it('what needs it is unavailable, with when to try again; and all works again when it is back', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor Street', olivia)
    const { secret } = await service.apiKey(workspace_id, olivia, ['workspace:read'])
    const key = randomUUID()
    const requests: [string, () => ReturnType<TestService['request']>][] = [
      ['a read', () => service.request('/v1/workspaces', { token: olivia.token })],
      ['a read with an API key', () => service.request('/v1/me', { headers: { 'x-svc-api-key': secret } })],
      ['an anonymous search', () => service.request('/v1/businesses')],
      ['being ready', () => service.request('/ready')],
      ['a change', () => create(olivia.token, key, 'During the outage')],
    ]
    for (const outage of [1, 2]) {
      proxy.sever()
      for (const [title, send] of requests) {
        const answer = await send()
        assert.equal(answer.status, 503, `${title}, outage ${outage}: ${answer.text}`)
        assert.equal(answer.body.code, 'unavailable')
        assert.equal(answer.body.retryable, true)
        assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      }
      assert.equal((await service.request('/health')).status, 200)
      proxy.mend()
      for (const [title, send] of requests) assert.ok((await send()).status < 300, `${title} after it`)
    }
    const { data } = await olivia.client.listWorkspaces()
    assert.deepEqual(
      data.map(workspace => workspace.name),
      ['Harbor Street', 'During the outage'],
    )
  })

  it('a change whose COMMIT took effect unseen is unavailable, and found by its key afterwards', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    proxy.arm({ from: 'database', at: 'C COMMIT', how: 'sever' })
    const first = await create(olivia.token, key, 'Unseen')
    assert.equal(proxy.struck(), 'C COMMIT')
    assert.equal(first.status, 503)
    assert.match(first.body.detail, /same Idempotency-Key/)
    proxy.mend()
    const second = await create(olivia.token, key, 'Unseen')
    assert.equal(second.status, 201)
    assert.equal(second.body.idempotent_replay, true)
    assert.equal(second.body.original_request_id, first.body.request_id)
    assert.equal((await olivia.client.listWorkspaces()).data.length, 1)
  })

  it('a change whose COMMIT never arrived is unavailable, and done by its key afterwards', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    proxy.arm({ from: 'service', at: 'B commit', how: 'sever' })
    assert.equal((await create(olivia.token, key, 'Unheard')).status, 503)
    assert.equal(proxy.struck(), 'B commit')
    proxy.mend()
    const second = await create(olivia.token, key, 'Unheard')
    assert.equal(second.body.idempotent_replay, false)
    assert.equal((await olivia.client.listWorkspaces()).data.length, 1)
  })

  it('a change that a full disk stops, though the statements behind it were sent by then; the log has the reason', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor Street', olivia)
    const client = service.client({ access_token: olivia.token, workspace_id })
    const { room } = await client.createRoom({ title: 'Harbor Street' })
    await service.sql(
      `create function svc.test_full_disk() returns trigger language plpgsql as $$
       begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
       create trigger test_full_disk before insert on svc.room_participants for each row execute function svc.test_full_disk()`,
    )
    const key = randomUUID()
    // The invitation is mailed by a job, which is inserted behind the participant, in a batch of its own.
    const invite = () =>
      service.request(`/v1/rooms/${room.room_id}/participants`, {
        method: 'POST',
        token: olivia.token,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          'svc-workspace-id': workspace_id,
        },
        body: JSON.stringify({ email: 'zoe@example.com', access_level: 'view' }),
      })
    const refused = await invite()
    assert.equal(refused.status, 503, refused.text)
    assert.equal(refused.body.code, 'unavailable')
    assert.match(refused.body.detail, /full disk\. Nothing was changed/)
    assert.equal(refused.headers.get('retry-after'), '5')
    const line = service.logged.find(one => one.includes(refused.body.request_id) && one.includes('"fault"'))
    const { level, fault } = JSON.parse(line ?? '{}') as { level: number; fault: Record<string, unknown> }
    assert.deepEqual([level, fault.code, fault.statement], [50, '53100', 'room_participant_insert'])
    await service.sql('drop function svc.test_full_disk cascade')
    assert.equal((await invite()).body.idempotent_replay, false)
  })

  const create = (token: string, key: string, name: string) =>
    service.request('/v1/workspaces', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name }),
    })
})

describe('the answer is unavailable, and nothing is changed, also', () => {
  let world: TwoNodes
  before(async () => void (world = await startTwoNodes()))
  after(() => world.close())

  it('when a lock was waited for too long', async context => {
    const command = await noteEdit(world)
    const holder = await holdRow(command.workspace_id)
    context.after(() => holder.release())
    const start = performance.now()
    const problem = await refusal(command.ask())
    const waited = performance.now() - start
    assert.equal(problem.code, 'unavailable')
    assert.ok(problem.headers['retry-after'])
    assert.ok(waited > 1500 && waited < 10_000, `${waited} ms`)
    await holder.release()
    assert.equal((await command.ask()).replay, false)
    assert.deepEqual(await command.traces(), once)
  })

  it('what keeps running into deadlocks, after three tries', async () => {
    const command = await noteEdit(world)
    command.probe.meanwhile = async () => {
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }
    const problem = await refusal(command.ask())
    assert.equal(problem.code, 'unavailable')
    assert.equal(command.probe.runs, 3)
    command.probe.meanwhile = async () => {}
    assert.equal((await command.ask()).replay, false)
    assert.deepEqual(await command.traces(), once)
  })

  it('a change for which no connection becomes free', async context => {
    const slow = await Promise.all(Array.from({ length: 10 }, () => noteEdit(world)))
    const { promise, resolve } = Promise.withResolvers<void>()
    context.after(() => resolve())
    const reached = slow.map(() => Promise.withResolvers<void>())
    for (const [i, { probe }] of slow.entries())
      probe.meanwhile = () => {
        reached[i]?.resolve()
        return promise
      }
    const under_way = slow.map(command => command.ask())
    await Promise.all(reached.map(one => one.promise))
    const start = performance.now()
    const problem = await refusal((await creation(world)).ask())
    assert.equal(problem.code, 'unavailable')
    assert.ok(performance.now() - start < 10_000)
    resolve()
    for (const answer of await Promise.all(under_way)) assert.equal(answer.replay, false)
    await (await creation(world)).ask()
  })

  it('a read that is canceled', async () => {
    const reading = refusal(
      world.nodes[0].call(handleSleep, { caller: (await creation(world)).owner, key: '', body: {} }),
    )
    for (let canceled = false; !canceled;)
      canceled =
        (
          await world.sql(
            `select pg_cancel_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'wbs svc_reader' and query like '%pg_sleep%' and state = 'active'`,
          )
        ).length > 0
    assert.equal((await reading).code, 'unavailable')
  })

  /** Locks a Workspace's row like a change of it. */
  async function holdRow(workspace_id: string): Promise<{ release(): Promise<void> }> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const held = world.nodes[1].pipeline.writers.transaction({ workspace_id, user_id: null }, async tx => {
      await tx.run(lockWorkspace, { workspace_id })
      locked.resolve()
      await promise
    })
    await locked.promise
    return { release: () => (resolve(), held) }
  }
})

const lockWorkspace = write(
  'test_workspace_locked',
  `select from workspaces where id = :workspace_id for no key update`,
)

const sleepLong = read('test_sleep', `select pg_sleep(4)`)
const handleSleep = implement(
  query('sleep', {
    http: 'GET /v1/sleep',
    summary: 'Take long.',
    tag: 'Tests',
    audience: 'user',
    input: {},
    output: {},
    problems: [],
  }),
  async (_input, { read }) => {
    await read.one(sleepLong, {})
    return { result: {} }
  },
)
