import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { TracingSettings } from '../../src/telemetry/tracing-settings.ts'
import { createTracing } from '../../src/telemetry/tracing.ts'
import { createMailbox, type Mailbox } from '../harness/invitations.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { quietLog } from '../harness/quiet-log.ts'
import { startCollector, type Collector, type SeenSpan } from './collector.ts'

const server = 2
const client = 3
const consumer = 5

const all: Omit<TracingSettings, 'url'> = {
  headers: {},
  sampler: { ratio: 1, follows_parent: true },
  continues_traces: false,
}

describe('a trace', () => {
  let collector: Collector
  let service: TestService
  let mailbox: Mailbox
  let olivia: Person
  let workspace_id: string
  before(async () => {
    collector = await startCollector()
    mailbox = createMailbox()
    const tracing = await createTracing({ ...all, url: `${collector.url}/v1/traces` }, quietLog)
    service = await startTestService({ tracing, mailer: mailbox.mailer })
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor', olivia)
  })
  after(async () => {
    await service.close()
    await collector.close()
  })

  const post = (path: string, body: object, key: string = randomUUID()) =>
    service.request(path, {
      method: 'POST',
      token: olivia.token,
      headers: {
        'content-type': 'application/json',
        'svc-workspace-id': workspace_id,
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    })
  const traceOf = (answer: { headers: Headers }) =>
    collector.traceWith('svc.request_id', answer.headers.get('svc-request-id'))
  const rootOf = (spans: readonly SeenSpan[]) => spans.find(span => span.kind === server) as SeenSpan
  const below = (spans: readonly SeenSpan[], parent: SeenSpan) =>
    spans.filter(span => span.parentSpanId === parent.spanId)

  it('of a search has the request, and below it what the database was asked', async () => {
    const spans = await traceOf(await service.request('/v1/businesses?query=harbor&limit=3'))
    const root = rootOf(spans)
    assert.equal(root.name, 'GET /v1/businesses')
    assert.equal(root.parentSpanId, undefined)
    assert.equal(root.failed, false)
    const { 'svc.request_id': _, ...attributes } = root.attributes
    assert.deepEqual(attributes, {
      'http.request.method': 'GET',
      'http.route': '/v1/businesses',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'svc.operation': 'search_businesses',
    })
    const statements = below(spans, root)
    assert.ok(statements.length > 0)
    for (const { kind, attributes: of, name, nanoseconds } of statements) {
      assert.equal(kind, client)
      assert.equal(of['db.system.name'], 'postgresql')
      assert.equal(of['db.query.summary'], name)
      assert.ok(nanoseconds > 0n && nanoseconds <= root.nanoseconds)
    }
    assert.equal(collector.resource['service.name'], 'workspace-business-service')
    assert.match(String(collector.resource['service.version']), /^\d+\.\d+\.\d+/)
  })

  it('of a change has its round trips to the database, the last with the commit', async () => {
    const answer = await post('/v1/rooms', { title: 'Cold room' })
    assert.equal(answer.status, 201)
    const spans = await traceOf(answer)
    const root = rootOf(spans)
    assert.equal(root.name, 'POST /v1/rooms')
    assert.equal(root.attributes['svc.operation'], 'create_room')
    assert.equal(root.attributes['svc.principal'], `user:${olivia.user_id}`)
    assert.equal(root.attributes['svc.workspace_id'], workspace_id)
    const trips = below(spans, root)
    assert.ok(trips.length >= 2 && trips.length <= 3, String(trips.length))
    assert.match(trips.at(-1)?.name ?? '', /change_settle\w* commit$/)
    assert.ok(Number(trips.at(-1)?.attributes['db.operation.batch.size']) >= 2)
  })

  it('of a repeated change says that it is the stored answer', async () => {
    const key = randomUUID()
    await post('/v1/rooms', { title: 'Once' }, key)
    const again = await post('/v1/rooms', { title: 'Once' }, key)
    assert.equal(again.body.idempotent_replay, true)
    assert.equal(rootOf(await traceOf(again)).attributes['svc.replayed'], true)
  })

  it('of a refusal has its reason, and has not failed', async () => {
    const answer = await service.request(`/v1/rooms/room_${'0'.repeat(26)}`, {
      token: olivia.token,
      headers: { 'svc-workspace-id': workspace_id },
    })
    const root = rootOf(await traceOf(answer))
    assert.equal(root.attributes['http.response.status_code'], answer.status)
    assert.equal(root.attributes['svc.problem_code'], answer.body.code)
    assert.equal(root.name, 'GET /v1/rooms/{room_id}')
    assert.equal(root.failed, false)
  })

  it('of an unknown path has nothing of the path', async () => {
    const spans = await traceOf(await service.request('/v1/canary-4711'))
    assert.equal(rootOf(spans).name, 'GET')
    assert.equal(rootOf(spans).attributes['http.route'], undefined)
  })

  it('goes on in the job that a change sends', async () => {
    const { body } = await post('/v1/rooms', { title: 'With a guest' })
    const guest = service.person('Gus')
    const invited = await post(`/v1/rooms/${body.room.room_id}/participants`, {
      email: guest.email,
      access_level: 'view',
    })
    assert.equal(invited.status, 201)
    await mailbox.token(guest.email)
    const request_id = invited.headers.get('svc-request-id')
    await collector.traceWith('svc.job_kind', 'mail_room_invitation')
    const spans = await traceOf(invited)
    const job = spans.find(span => span.kind === consumer) as SeenSpan
    assert.equal(job.name, 'job mail_room_invitation')
    assert.equal(job.attributes['svc.request_id'], request_id)
    const sender = spans.find(span => span.spanId === job.parentSpanId)
    assert.equal(sender?.name, 'POST /v1/rooms/{room_id}/participants')
    assert.ok(below(spans, job).some(span => span.attributes['db.system.name'] === 'postgresql'))
  })

  it('has the wait of a change that found no turn', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post('/v1/rooms', { title: `Crowd ${i}` })),
    )
    const traces = await Promise.all(answers.map(traceOf))
    const waits = traces.flat().filter(span => span.name === 'wait for a turn')
    assert.ok(waits.length > 0)
    for (const wait of waits) assert.ok(wait.nanoseconds > 0n)
  })

  it('of a fault has failed, down to the statement, without its text', async () => {
    await service.sql('alter table published_businesses rename to somewhere_else')
    try {
      const answer = await service.request('/v1/businesses?query=canary4712')
      assert.equal(answer.status, 500)
      const spans = await traceOf(answer)
      assert.equal(rootOf(spans).failed, true)
      assert.equal(rootOf(spans).attributes['error.type'], 'internal_error')
      const [statement] = below(spans, rootOf(spans)).filter(span => span.failed)
      assert.equal(statement?.attributes['db.response.status_code'], '42P01')
    } finally {
      await service.sql('alter table somewhere_else rename to published_businesses')
    }
  })

  it('is named in the line of its request', async () => {
    const answer = await service.request('/v1/businesses?limit=1')
    const [span] = await traceOf(answer)
    const line = service.logged.find(one => one.includes(answer.headers.get('svc-request-id') ?? 'none'))
    assert.equal((JSON.parse(line ?? '{}') as { trace_id?: string }).trace_id, span?.traceId)
  })

  it('has no value of a statement, and nothing that a client wrote', async () => {
    const secrets = Array.from({ length: 3 }, () => `canary${randomUUID().replaceAll('-', '')}`)
    const key = `canary-${randomUUID()}`
    const made = await post(`/v1/rooms?${secrets[0]}=1`, { title: secrets[1] }, key)
    const done = await post('/v1/rooms', { title: secrets[1] }, key)
    await service.request(`/v1/businesses?query=${secrets[2]}`, {
      headers: { 'user-agent': secrets[2] ?? '', tracestate: `a=${secrets[2]}`, baggage: `a=${secrets[2]}` },
    })
    const last = await service.request(`/v1/rooms/${secrets[2]}`, {
      token: olivia.token,
      headers: { 'svc-workspace-id': workspace_id },
    })
    for (const answer of [made, done, last]) await traceOf(answer)
    const sent = collector.bodies.join('\n')
    for (const secret of [
      ...secrets,
      key,
      olivia.token,
      olivia.email,
      'canary-4711',
      'canary4712',
      'select ',
    ])
      assert.ok(!sent.includes(secret), secret)
  })
})

describe('the header Traceparent', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

  async function rootFor(
    settings: { trusts: boolean; continues: boolean; ratio: number },
    headers: Record<string, string>,
  ): Promise<SeenSpan[]> {
    const collector = await startCollector()
    const tracing = await createTracing(
      {
        ...all,
        url: `${collector.url}/v1/traces`,
        sampler: { ratio: settings.ratio, follows_parent: true },
        continues_traces: settings.continues,
      },
      quietLog,
    )
    const service = await startTestService({
      tracing,
      trustedProxies: settings.trusts ? ['127.0.0.1'] : [],
    })
    await service.request('/health', { headers })
    // Closing sends what is left.
    await service.close()
    await collector.close()
    return collector.spans.filter(span => span.kind === server)
  }

  it('of a trusted proxy is continued, if that is asked for', async () => {
    const [root] = await rootFor({ trusts: true, continues: true, ratio: 0 }, { traceparent })
    assert.equal(root?.traceId, 'a'.repeat(32))
    assert.equal(root?.parentSpanId, 'b'.repeat(16))
  })

  it('of anybody else is not followed: it neither names the trace nor has it sampled', async () => {
    for (const settings of [
      { trusts: false, continues: true },
      { trusts: true, continues: false },
    ]) {
      assert.deepEqual(await rootFor({ ...settings, ratio: 0 }, { traceparent }), [])
      const [root] = await rootFor({ ...settings, ratio: 1 }, { traceparent })
      assert.notEqual(root?.traceId, 'a'.repeat(32))
      assert.equal(root?.parentSpanId, undefined)
    }
  })

  it('that is malformed begins a new trace', async () => {
    for (const wrong of [
      '00-x',
      traceparent.replace('a', 'A'),
      traceparent.replaceAll('b', '0'),
      `ff${traceparent.slice(2)}`,
    ]) {
      const [root] = await rootFor({ trusts: true, continues: true, ratio: 1 }, { traceparent: wrong })
      assert.equal(root?.parentSpanId, undefined, wrong)
    }
  })
})
