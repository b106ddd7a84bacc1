import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertProblem } from './problem-check.ts'
import { sendRaw, lines, rawConnection } from './raw-socket.ts'
import { startTransport, token, type TestTransport } from './test-transport.ts'

describe('the order of the checks of a request', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const ask = (request: string, ...headers: string[]) =>
    sendRaw(transport.base_url, lines(`${request} HTTP/1.1`, 'Host: here', ...headers))
  const post = (...headers: string[]) => ask('POST /v1/things/1', ...headers)

  const laterFaults = {
    'a body that is not JSON': ['Content-Type: application/json', 'Content-Length: 1'],
    'no media type': ['Content-Length: 2'],
    'another media type': ['Content-Type: text/plain', 'Content-Length: 2'],
    'a malformed media type': ['Content-Type: nonsense', 'Content-Length: 2'],
    'a compressed body': ['Content-Type: application/json', 'Content-Encoding: gzip', 'Content-Length: 2'],
    'a body that is too large': ['Content-Type: application/json', 'Content-Length: 99999999'],
    'a body without end': ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    'an Accept that leaves JSON out': ['Accept: text/html'],
    'two Idempotency-Keys': ['Idempotency-Key: first-key', 'Idempotency-Key: second-key'],
    'two Workspaces': ['SVC-Workspace-Id: 1', 'SVC-Workspace-Id: 2'],
    'nothing else wrong': ['Content-Type: application/json', 'Content-Length: 2'],
  }
  for (const [what, headers] of Object.entries(laterFaults)) {
    it(`answers 401 without a credential, with ${what}`, async () => {
      assertProblem(await post(...headers), 'unauthenticated', transport.base_url)
    })
    it(`answers 401 to an invalid credential, with ${what}`, async () => {
      const answer = await post('Authorization: Bearer garbage', ...headers)
      assertProblem(answer, 'unauthenticated', transport.base_url)
      assert.match(answer.headers['www-authenticate'] ?? '', /error="invalid_token"/)
    })
  }

  it('says 401 before it reads the query string', async () => {
    assertProblem(await ask('POST /v1/things/1?unknown=%ff'), 'unauthenticated')
    assertProblem(
      await ask('GET /v1/things/1?unknown=%ff', 'Authorization: Bearer garbage'),
      'unauthenticated',
    )
  })

  it('answers an invalid credential while the body is still arriving', async () => {
    const connection = await rawConnection(transport.base_url)
    connection.write(
      lines(
        'POST /v1/things/1 HTTP/1.1',
        'Host: here',
        'Content-Type: application/json',
        'Content-Length: 1000',
      ),
    )
    assertProblem(await connection.answer(), 'unauthenticated')
    connection.destroy()
  })

  for (const [what, headers] of [
    ['two credentials of one kind', [`Authorization: Bearer ${token}`, 'Authorization: Bearer garbage']],
    ['two API keys', ['X-SVC-API-Key: one', 'X-SVC-API-Key: two']],
    ['two hosts', ['Host: there', `Authorization: Bearer ${token}`]],
  ] as const)
    it(`answers 400 if the sender is ambiguous: ${what}`, async () => {
      const body = assertProblem(await post(...headers), 'validation_error')
      assert.equal(body.errors?.[0]?.code, 'conflict')
    })

  it('reports all errors of the parameters at once', async () => {
    const answer = await ask('GET /v1/things/1?unknown=1&note=a&note=b&also=2')
    const { errors } = assertProblem(answer, 'validation_error')
    assert.deepEqual(errors?.map(error => error.pointer).sort(), ['/also', '/note', '/unknown'])
  })
})
