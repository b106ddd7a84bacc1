import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { MailNotSent } from '../../src/mail/mailer.ts'
import { openStream } from '../activity/event-reader.ts'
import type { Person } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { startMeasuredService, type MeasuredService } from './measured-service.ts'
import type { Scrape } from './scrape.ts'

describe('the metrics of a service', () => {
  let measured: MeasuredService
  let olivia: Person
  let workspace_id: string
  let room_id: string
  before(async () => {
    measured = await startMeasuredService({
      rateLimitScale: 0.1,
      mailer: {
        async send({ to }) {
          if (to.startsWith('full')) throw new MailNotSent('EENVELOPE 452')
        },
      },
    })
    olivia = measured.service.person('Olivia')
    workspace_id = await measured.service.workspace('Harbor', olivia)
    const { room } = await us().createRoom({ title: 'Quay' })
    room_id = room.room_id
  })
  after(() => measured.close())

  const us = () => measured.service.client({ access_token: olivia.token, workspace_id })
  const requests = (scrape: Scrape, operation: string, status: number) =>
    scrape.sum('http_server_request_duration_seconds_count', {
      operation,
      http_response_status_code: String(status),
    }) ?? 0
  const refusals = (scrape: Scrape, problem: string, limit = 'none') =>
    scrape.sum('svc_http_refusals_total', { problem, limit }) ?? 0

  /** By how much a number of the metrics grows while something is done. */
  async function growth(of: (scrape: Scrape) => number, work: () => Promise<unknown>): Promise<number> {
    const earlier = of(await measured.scrape())
    await work()
    return of(await measured.scrape()) - earlier
  }

  it('count requests by operation, method and status, with how long they took', async () => {
    const search = () => measured.service.request('/v1/businesses?query=credit')
    assert.equal(await growth(one => requests(one, 'search_businesses', 200), search), 1)
    const scrape = await measured.scrape()
    const labels = { operation: 'search_businesses', http_request_method: 'GET' }
    const seconds = scrape.sum('http_server_request_duration_seconds_sum', labels) ?? 0
    assert.ok(seconds > 0 && seconds < 20, `${seconds} s`)
    const all = scrape.sum('http_server_request_duration_seconds_bucket', { ...labels, le: '+Inf' })
    assert.equal(all, scrape.sum('http_server_request_duration_seconds_count', labels))
  })

  it('count changes that were answered again', async () => {
    const change = {
      method: 'POST',
      token: olivia.token,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: '{"name":"Again"}',
    }
    const replays = (one: Scrape) => one.sum('svc_http_replays_total', { operation: 'create_workspace' }) ?? 0
    const once = await growth(replays, () => measured.service.request('/v1/workspaces', change))
    assert.equal(once, 0)
    assert.equal(await growth(replays, () => measured.service.request('/v1/workspaces', change)), 1)
  })

  it('count refusals by problem, and by the limit that was reached', async () => {
    const { service } = measured
    const missing = () => service.request(`/v1/nothing/${randomUUID()}`)
    assert.equal(await growth(one => refusals(one, 'not_found'), missing), 1)
    const stranger = () => service.request('/v1/workspaces', { token: 'nobody' })
    assert.equal(await growth(one => refusals(one, 'unauthenticated'), stranger), 1)
    const stale = () =>
      service.request(`/v1/rooms/${room_id}`, {
        method: 'PATCH',
        token: olivia.token,
        headers: {
          'content-type': 'application/json',
          'svc-workspace-id': workspace_id,
          'idempotency-key': randomUUID(),
        },
        body: '{"expected_revision":99,"title":"Too late"}',
      })
    assert.equal(await growth(one => refusals(one, 'revision_conflict'), stale), 1)
    const flood = () =>
      Promise.all(Array.from({ length: 150 }, () => service.request('/v1/businesses?query=flood')))
    const refused = await growth(one => refusals(one, 'rate_limited', 'search'), flood)
    assert.ok(refused >= 5 && refused < 150, `${refused} were refused`)
  })

  it('show streams while they are open, and how late they are given events', async () => {
    const streams = (one: Scrape) => one.sum('svc_http_waiting', { kind: 'stream' })
    const delivered = (one: Scrape) => one.sum('svc_feed_delay_seconds_count') ?? 0
    const reader = await openStream(
      { service: measured.service, workspace_id },
      { authorization: `Bearer ${olivia.token}` },
    )
    await reader.next('comment')
    assert.equal(streams(await measured.scrape()), 1)
    // The first events may come before the stream waits; those it reads itself.
    for (let revision = 1; delivered(await measured.scrape()) === 0 && revision < 10; revision++) {
      await us().updateRoom({ room_id, expected_revision: revision, title: `Name ${revision}` })
      await reader.next()
    }
    assert.ok(delivered(await measured.scrape()) >= 1)
    const delay = (await measured.scrape()).sum('svc_feed_delay_seconds_sum') ?? 0
    assert.ok(delay > 0 && delay < 20, `${delay} s`)
    reader.close()
    await eventually(async () => streams(await measured.scrape()) === 0)
    assert.equal(requests(await measured.scrape(), 'stream_events', 200), 1)
  })

  it('count jobs and mail, with what failed', async () => {
    const jobs = (outcome: string) => (one: Scrape) =>
      one.sum('svc_jobs_duration_seconds_count', { kind: 'mail_team_invitation', outcome }) ?? 0
    const mail = (one: Scrape, outcome: string) => one.sum('svc_mail_messages_total', { outcome })
    await us().createTeamInvitation({ email: 'zoe@example.com', role: 'member' })
    await eventually(async () => jobs('succeeded')(await measured.scrape()) === 1)
    assert.equal(mail(await measured.scrape(), 'sent'), 1)
    assert.equal(mail(await measured.scrape(), 'failed'), 0)
    await us().createTeamInvitation({ email: 'full@example.com', role: 'member' })
    await eventually(async () => jobs('failed')(await measured.scrape()) >= 1)
    assert.ok((mail(await measured.scrape(), 'failed') ?? 0) >= 1)
  })

  it('show the connections of the database, who waits for a turn, and what was lost', async () => {
    const before = await measured.scrape()
    const open = { db_client_connection_pool_name: 'writers' }
    assert.ok((before.sum('db_client_connection_count', open) ?? 0) >= 1)
    assert.equal(before.sum('db_client_connection_max', open), 10)
    assert.equal(before.sum('svc_database_turns', { pool: 'writers' }), 0)
    assert.ok((before.sum('svc_database_turn_wait_seconds_count', { pool: 'readers default' }) ?? 0) > 0)
    const lost = (one: Scrape) => one.sum('svc_database_connection_losses_total', { pool: 'writers' }) ?? 0
    assert.equal(lost(before), 0)
    await measured.service.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'wbs svc_writer' and datname = current_database()`,
    )
    await eventually(async () => lost(await measured.scrape()) >= 1)
  })

  it('have as many series after any number of Rooms, paths and methods as before', async () => {
    const { service } = measured
    const visit = async (times: number) => {
      for (let at = 0; at < times; at++) {
        await service.request(`/v1/rooms/${newId('rom')}`, {
          token: olivia.token,
          headers: { 'svc-workspace-id': workspace_id },
        })
        await service.request(`/${randomUUID()}/${randomUUID()}`, { method: at % 2 ? 'GET' : 'PATCH' })
        await service.request(`/docs/${randomUUID()}`)
      }
    }
    // Collections of garbage come when they come.
    const series = ({ samples }: Scrape) => samples.filter(({ name }) => !name.startsWith('v8js_gc')).length
    await visit(2)
    const known = series(await measured.scrape())
    await visit(200)
    assert.equal(series(await measured.scrape()), known)
  })

  it('name no person, Workspace or resource, and no secret', async () => {
    const { secret } = await us().createApiKey({ name: 'Canary', scopes: ['rooms:read'] })
    const key = secret ?? assert.fail()
    await measured.service.request('/v1/rooms', { headers: { 'x-svc-api-key': key } })
    await measured.service.request(`/v1/downloads/${randomUUID()}canary`)
    const { text } = await measured.scrape()
    for (const known of [
      workspace_id,
      room_id,
      olivia.user_id,
      olivia.token,
      olivia.email,
      key,
      'canary',
      'Harbor',
      'zoe@',
    ])
      assert.ok(!text.includes(known), `the metrics name ${known.slice(0, 12)}`)
    assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-|\b[a-z]+_01[0-9A-Z]{10}/)
  })

  it('say which version runs, and how the process is', async () => {
    const scrape = await measured.scrape()
    const [target] = scrape.samples.filter(({ name }) => name === 'target_info')
    assert.match(target?.labels.service_version ?? '', /^\d+\.\d+\.\d+/)
    assert.ok((scrape.sum('process_memory_usage_bytes') ?? 0) > 10_000_000)
    assert.ok((scrape.sum('nodejs_eventloop_delay_p99_seconds') ?? -1) >= 0)
  })
})

describe('two services in one process', () => {
  it('have metrics of their own, also of the jobs that wait', async t => {
    const [one, other] = await Promise.all([startMeasuredService(), startMeasuredService()])
    t.after(() => Promise.all([one.close(), other.close()]))
    const olivia = one.service.person('Olivia')
    const workspace_id = await one.service.workspace('Harbor', olivia)
    const { request } = one.service
    await request('/v1/nothing')
    await olivia.client.createTeamInvitation({ email: 'zoe@example.com', role: 'member' }, { workspace_id })
    const missing = { problem: 'not_found' }
    const [here, there] = await Promise.all([one.scrape(), other.scrape()])
    assert.equal(here.sum('svc_http_refusals_total', missing), 1)
    assert.equal(there.sum('svc_http_refusals_total', missing), 0)
    // Nobody works in these services, and each has a database of its own.
    const invitations = { kind: 'mail_team_invitation' }
    assert.equal(here.sum('svc_jobs_waiting', invitations), 1)
    assert.ok((here.sum('svc_jobs_oldest_age_seconds', invitations) ?? 0) > 0)
    assert.equal(there.sum('svc_jobs_waiting', invitations), 0)
  })
})
