import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { lines, rawConnection } from '../http/raw-socket.ts'

describe('a caller with too many waiting requests', () => {
  let service: TestService
  let olivia: Person
  let mia: Person
  let workspace_id: string
  // Of 100, two.
  before(async () => {
    service = await startTestService({ rateLimitScale: 0.02 })
    olivia = service.person('Olivia')
    mia = service.person('Mia')
    workspace_id = await service.workspace('Harbor', olivia, { member: mia })
  })
  after(() => service.close())

  /** Opens a stream, and gives its status and a function that closes it. */
  async function follow({ token }: Person) {
    const hangUp = new AbortController()
    const response = await fetch(`${service.base_url}/v1/events/stream`, {
      headers: { authorization: `Bearer ${token}`, 'svc-workspace-id': workspace_id },
      signal: hangUp.signal,
    })
    return { response, close: () => hangUp.abort() }
  }
  const poll = ({ token }: Person, wait_seconds: number) =>
    service.request(`/v1/events/changes?wait_seconds=${wait_seconds}`, {
      token,
      headers: { 'svc-workspace-id': workspace_id },
    })

  it('may open a stream after any number of clients that hung up early', async () => {
    const ask = lines(
      'GET /v1/events/stream HTTP/1.1',
      'Host: here',
      `Authorization: Bearer ${mia.token}`,
      `SVC-Workspace-Id: ${workspace_id}`,
    )
    for (let n = 0; n < 90; n++) {
      const connection = await rawConnection(service.base_url)
      connection.write(ask)
      await sleep(n / 10)
      connection.destroy()
    }
    const open = await eventually(async () => {
      const next = await follow(mia)
      return next.response.status === 200 && next
    })
    open.close()
  })

  it('is refused, whether streaming or polling, until one of the waiting requests has ended', async () => {
    const [one, other] = [await follow(olivia), await follow(olivia)]
    assert.deepEqual([one.response.status, other.response.status], [200, 200])
    const refusedStream = await follow(olivia)
    assert.equal(refusedStream.response.status, 429)
    const refusedPoll = await poll(olivia, 1)
    assert.deepEqual(
      [refusedPoll.status, refusedPoll.headers.get('retry-after'), refusedPoll.body.code],
      [429, '1', 'rate_limited'],
    )
    assert.deepEqual(refusedPoll.body['violated-policies'], ['waiting'])
    assert.equal((await poll(olivia, 0)).status, 200, 'it does not wait')
    const ofMia = await follow(mia)
    assert.equal(ofMia.response.status, 200)

    one.close()
    const again = await eventually(async () => {
      await sleep(50)
      const next = await follow(olivia)
      return next.response.status === 200 && next
    })
    for (const open of [other, again, ofMia]) open.close()
  })
})
