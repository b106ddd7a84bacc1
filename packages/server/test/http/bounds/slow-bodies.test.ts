import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { eventually } from '../../harness/eventually.ts'
import { assertProblem } from '../problem-check.ts'
import { lines, rawConnection, type RawConnection } from '../raw-socket.ts'

describe('a service with many slow senders', () => {
  let service: TestService
  let olivia: Person
  let mallory: Person
  let open: RawConnection[] = []
  let ahead = 0
  before(async () => {
    service = await startTestService({ now: () => new Date(Date.now() + ahead) })
    olivia = service.person('Olivia')
    mallory = service.person('Mallory')
    // From here on, the issuer's keys are cached.
    await olivia.client.createWorkspace({ name: 'Harbor' })
  })
  afterEach(() => {
    for (const one of open.splice(0)) one.destroy()
  })
  after(() => service.close())

  const half = (path: string, ...headers: string[]) =>
    `${lines(`POST ${path} HTTP/1.1`, 'Host: here', ...headers, 'Content-Type: application/json', 'Content-Length: 100')}{`

  /** Sends the same on many connections, and gives those that were answered by the time that others were. */
  async function send(count: number, bytes: () => string): Promise<{ problems: () => Promise<unknown[]> }> {
    open = await Promise.all(Array.from({ length: count }, () => rawConnection(service.base_url)))
    const refused: unknown[] = []
    for (const one of open) {
      one.write(bytes())
      one
        .answer()
        .then(answer => refused.push(JSON.parse(answer.body)))
        .catch(() => undefined)
    }
    return { problems: async () => refused }
  }

  /** Everybody else is answered, whatever they request, and well before a slow request times out. */
  async function assertServesOthers() {
    const start = performance.now()
    for (let n = 0; n < 5; n++) {
      assert.equal((await service.request('/v1/businesses?limit=1')).status, 200)
      assert.equal((await service.request('/v1/me', { token: olivia.token })).status, 200)
      await olivia.client.createWorkspace({ name: `Harbor ${n}` })
      const inspected = await service.request('/v1/invitations/inspect', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: 'none' }),
      })
      assert.ok([400, 404].includes(inspected.status), inspected.text)
    }
    assert.ok(performance.now() - start < 10_000)
  }

  it('serves others while 450 connections without a credential have sent one byte of their body', async () => {
    const { problems } = await send(450, () => half('/v1/invitations/inspect'))
    await assertServesOthers()
    // One address may have 256 incomplete requests; the others are refused at once.
    const refused = await eventually(async () => ((await problems()).length >= 194 ? problems() : false))
    assert.equal(refused.length, 194)
    for (const one of refused) assert.deepEqual(pick(one), ['rate_limited', ['unfinished']])
  })

  it('serves others, and the same caller, while 600 connections of one caller have sent half of their body', async () => {
    const { problems } = await send(600, () =>
      half('/v1/workspaces', `Authorization: Bearer ${mallory.token}`, `Idempotency-Key: ${randomUUID()}`),
    )
    await assertServesOthers()
    await mallory.client.createWorkspace({ name: 'Whole' })
    const refused = await eventually(async () => ((await problems()).length >= 536 ? problems() : false))
    assert.equal(refused.length, 536)
    for (const one of refused) assert.deepEqual(pick(one), ['rate_limited', ['unfinished']])
  })

  it('serves others while its issuer hangs and 600 requests come with unknown keys', async t => {
    service.issuer.down('hang')
    // The issuer is asked at most once in half a minute.
    ahead = 60_000
    t.after(() => service.issuer.up())
    const unknown = () => service.issuer.sign(service.issuer.claims(), { kid: randomUUID() })
    const { problems } = await send(600, () =>
      lines('GET /v1/me HTTP/1.1', 'Host: here', `Authorization: Bearer ${unknown()}`),
    )
    await assertServesOthers()
    const refused = await eventually(async () => ((await problems()).length >= 344 ? problems() : false))
    for (const one of refused) assert.equal((one as { code: string }).code, 'unavailable')
  })

  const pick = (problem: unknown) => {
    const { code, 'violated-policies': policies } = problem as Record<string, unknown>
    return [code, policies]
  }

  it('says when to come again to whom it refuses, without waiting for the rest', async () => {
    await send(300, () => half('/v1/invitations/inspect'))
    const one = await rawConnection(service.base_url)
    open.push(one)
    const answer = await eventually(async () => {
      one.write(half('/v1/invitations/inspect'))
      return one.answer()
    })
    assertProblem(answer, 'rate_limited', service.base_url)
    assert.equal(answer.headers['retry-after'], '1')
  })
})
