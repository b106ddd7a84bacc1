import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPrivateServer, type PrivateServer } from '../database/embedded/private-server.ts'
import { eventually } from '../harness/eventually.ts'
import { makeTemplate } from '../harness/postgres/template.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'

type Response = Awaited<ReturnType<TestService['request']>>

// On a server of its own, because what is set here is set for all its databases.
describe('a PostgreSQL with standbys', () => {
  let server: PrivateServer
  let service: TestService
  let olivia: Person
  const environment = { ...process.env }
  before(async () => {
    server = await startPrivateServer({ fsync: 'off' })
    Object.assign(process.env, await makeTemplate(server.address('postgres'), 'template_of_failover'))
    service = await startTestService()
    olivia = service.person('Olivia')
    await olivia.client.createWorkspace({ name: 'Harbor' })
  })
  after(async () => {
    await service.close()
    Object.assign(process.env, environment)
    await server.close()
  })

  const create = (key: string) =>
    service.request('/v1/workspaces', {
      method: 'POST',
      token: olivia.token,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name: key }),
    })

  const set = async (name: string, value: string) => {
    await server.sql(`alter system set ${name} = '${value}'`)
    await server.sql('select pg_reload_conf()')
    await eventually(
      async () =>
        (await server.sql<{ value: string }>(`select current_setting('${name}') as value`))[0]?.value ===
        value,
    )
  }

  const named = async (name: string) =>
    (await olivia.client.listWorkspaces()).data.filter(workspace => workspace.name === name).length

  function assertUnavailable({ status, body, headers, text }: Response): void {
    assert.equal(status, 503, text)
    assert.equal(body.code, 'unavailable')
    assert.equal(headers.get('content-type'), 'application/problem+json; charset=utf-8')
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }

  for (const end of ['pg_cancel_backend', 'pg_terminate_backend'])
    describe(`when the wait for the synchronous standby is cut short by ${end}`, () => {
      before(() => set('synchronous_standby_names', 'nobody'))
      after(() => set('synchronous_standby_names', ''))

      /** Cuts the waits of all changes short until the answer comes. */
      async function impatiently(asked: Promise<Response>): Promise<{ answer: Response; cut: number }> {
        const state = { isAnswered: false }
        const answer = asked.finally(() => void (state.isAnswered = true))
        let cut = 0
        while (!state.isAnswered) {
          const rows = await server.sql(
            `select ${end}(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'wbs svc_writer'`,
          )
          cut += rows.length
          await sleep(5)
        }
        return { answer: await answer, cut }
      }

      it('a change is not acknowledged, nor is its repetition, until the standby has it', async () => {
        const key = randomUUID()
        for (const time of ['first', 'repeated']) {
          const { answer, cut } = await impatiently(create(key))
          assert.ok(cut > 0, `${time}: nothing waited`)
          assertUnavailable(answer)
          assert.equal(await named(key), 1, 'the leader alone has it')
        }
        await set('synchronous_standby_names', '')
        const known = await create(key)
        assert.equal(known.status, 201, known.text)
        assert.equal(known.body.idempotent_replay, true)
        assert.equal(await named(key), 1)
      })
    })

  it('a change is unavailable while the server only reads, and works again without a restart', async () => {
    const sessions = async () =>
      (
        await server.sql<{ pid: number }>(
          `select pid from pg_stat_activity where application_name = 'wbs svc_writer' order by pid`,
        )
      ).map(({ pid }) => pid)
    await create(randomUUID())
    const before = await sessions()
    await set('default_transaction_read_only', 'on')
    const key = randomUUID()
    for (let time = 0; time < 5; time++) assertUnavailable(await create(key))
    assert.equal(await named(key), 0)
    // A connection to a server that was replaced as the leader must not be used again.
    const left = await sessions()
    assert.deepEqual(
      before.filter(pid => left.includes(pid)),
      [],
    )
    await set('default_transaction_read_only', 'off')
    assert.equal((await create(key)).status, 201)
    assert.equal(await named(key), 1)
  })
})
