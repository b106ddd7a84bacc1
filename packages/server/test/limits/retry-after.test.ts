import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../harness/service.ts'
import { assertLimited, untilRefused } from './answers.ts'

// Sixty changes a minute, so that one is refilled in a second.
describe('a client that waits as long as Retry-After says', () => {
  let service: TestService
  before(async () => void (service = await startTestService({ rateLimitScale: 0.05 })))
  after(() => service.close())

  const create = (token: string, key: string) =>
    service.request('/v1/workspaces', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name: 'Harbor Street' }),
    })

  it('is let in; the refusal has used up no Idempotency-Key, and a replay counts too', async () => {
    const { token } = service.person('Olivia')
    let key = ''
    const answers = await untilRefused(() => create(token, (key = randomUUID())))
    assert.ok(answers.length > 60)
    assert.equal(assertLimited(answers.at(-1), 'write'), 1)
    assert.equal((await service.sql('select from commands where idempotency_key = $1', [key])).length, 0)

    await sleep(1000)
    const done = await create(token, key)
    assert.equal(done.status, 201)
    assert.equal(done.body.idempotent_replay, false)
    await untilRefused(() => create(token, key))
    await sleep(1000)
    const again = await create(token, key)
    assert.equal(again.body.idempotent_replay, true)
    assert.equal(again.body.original_request_id, done.body.request_id)
  })

  it('need not do so by hand with the client', async () => {
    const { token, client } = service.person('Quentin')
    await untilRefused(() => create(token, randomUUID()))
    assert.equal((await client.createWorkspace({ name: 'After a while' })).idempotent_replay, false)
  })
})
