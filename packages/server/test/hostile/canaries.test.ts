import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { quietLog } from '../harness/quiet-log.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { startCollector, type Collector } from '../telemetry/collector.ts'
import { createTracing, type Tracing } from '../../src/telemetry/tracing.ts'
import { sendRaw, lines } from '../http/raw-socket.ts'

/** Text that appears nowhere unless it leaks. */
const canary = () => `canary${randomUUID().replaceAll('-', '')}`

const request = (line: string, ...headers: string[]) => lines(`${line} HTTP/1.1`, 'Host: here', ...headers)

describe('the content of a request', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  let api_key: string
  let collector: Collector
  let tracing: Tracing
  const secrets: string[] = []
  before(async () => {
    collector = await startCollector()
    tracing = await createTracing(
      {
        url: `${collector.url}/v1/traces`,
        headers: {},
        sampler: { ratio: 1, follows_parent: true },
        continues_traces: true,
      },
      quietLog,
    )
    // All that can be logged and traced.
    const everything = { logLevel: 'trace', loggedAddresses: 'on', trustedProxies: ['127.0.0.1'] } as const
    service = await startTestService({ ...everything, tracing })
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor', olivia)
    api_key = (await service.apiKey(workspace_id, olivia, ['businesses:read', 'workspace:read'])).secret
  })
  after(async () => {
    await service.close()
    await collector.close()
  })

  /** Sends a request; gives its answer once its line is in the log. */
  async function send(head: string, body = '') {
    const answer = await sendRaw(service.base_url, head, body)
    await eventually(() =>
      service.logged.some(line => line.includes(answer.headers['svc-request-id'] ?? 'none')),
    )
    return answer
  }
  const logged = () => service.logged.join('\n')

  const places: Record<string, (secret: string) => [line: string, headers?: string[], body?: string]> = {
    'in an unknown path': secret => [`GET /v1/${secret}`],
    'in a path parameter': secret => [`GET /v1/businesses/${secret}`],
    'in a path that cannot be read': secret => [`GET /v1/businesses/${secret}%ff`],
    'in a query parameter': secret => [`GET /v1/businesses?query=${secret}`],
    'in a query parameter that is refused': secret => [`GET /v1/businesses?status=${secret}`],
    'in an unknown query parameter': secret => [`GET /v1/businesses?unknown=${secret}`],
    'in the name of a query parameter': secret => [`GET /v1/businesses?${secret}=1`],
    'in a malformed query string': secret => [`GET /v1/businesses?a=${secret}%ff`],
    'as an access token': secret => [`GET /v1/me`, [`Authorization: Bearer ${secret}`]],
    'as a token of three parts': secret => [
      `GET /v1/me`,
      [`Authorization: Bearer ${secret}.${secret}.${secret}`],
    ],
    'as a credential of another scheme': secret => [`GET /v1/me`, [`Authorization: Basic ${secret}`]],
    'as an API key': secret => [`GET /v1/me`, [`X-SVC-API-Key: ${secret}`]],
    'as an API key of the right form': secret => [
      `GET /v1/me`,
      [`X-SVC-API-Key: svc_test_${secret.slice(6, 14)}_${secret}`],
    ],
    'as the Workspace': secret => [
      `GET /v1/workspaces/${workspace_id}`,
      [`Authorization: Bearer ${olivia.token}`, `SVC-Workspace-Id: ${secret}`],
    ],
    'as the Idempotency-Key': secret => [
      'POST /v1/workspaces',
      [
        `Authorization: Bearer ${olivia.token}`,
        `Idempotency-Key: ${secret}`,
        'Content-Type: application/json',
        'Content-Length: 12',
      ],
      '{"name":"A"}',
    ],
    'in the body': secret => [
      'POST /v1/workspaces',
      [
        `Authorization: Bearer ${olivia.token}`,
        `Idempotency-Key: ${randomUUID()}`,
        'Content-Type: application/json',
        `Content-Length: ${secret.length + 11}`,
      ],
      `{"name":"${secret}"}`,
    ],
    'in a body that is refused': secret => [
      'POST /v1/workspaces',
      [
        `Authorization: Bearer ${olivia.token}`,
        'Content-Type: application/json',
        `Content-Length: ${secret.length + 13}`,
      ],
      `{"name":["${secret}"]}`,
    ],
    'as the token of an invitation': secret => [
      'POST /v1/invitations/inspect',
      ['Content-Type: application/json', `Content-Length: ${secret.length + 12}`],
      `{"token":"${secret}"}`,
    ],
    'as the token of an invitation of the right form': secret => [
      'POST /v1/invitations/accept',
      [
        `Authorization: Bearer ${olivia.token}`,
        `Idempotency-Key: ${randomUUID()}`,
        'Content-Type: application/json',
        `Content-Length: ${60 - 1}`,
      ],
      `{"token":"svi_${secret.padEnd(43, 'x')}"}`,
    ],
    'as a claim token that reads': secret => [
      `GET /v1/valuations/val_${'0'.repeat(32)}`,
      [`SVC-Claim-Token: ${secret}`],
    ],
    'as a claim token that claims': secret => [
      `POST /v1/valuations/val_${'0'.repeat(32)}/claim`,
      [
        `Authorization: Bearer ${olivia.token}`,
        `SVC-Workspace-Id: ${workspace_id}`,
        `Idempotency-Key: ${randomUUID()}`,
        'Content-Type: application/json',
        `Content-Length: ${secret.length + 65}`,
      ],
      `{"business_id":"biz_01JD0000000000000000000000","claim_token":"${secret}"}`,
    ],
    'as the token of a link to download': secret => [`GET /v1/downloads/${secret}`],
    'as the signature of a part': secret => [
      `PUT /v1/uploads/upl_${'0'.repeat(26)}/parts/1?signature=${secret}&expires=1`,
      ['Content-Type: application/octet-stream', 'Content-Length: 0'],
    ],
    'in a malformed body': secret => [
      'POST /v1/workspaces',
      [
        `Authorization: Bearer ${olivia.token}`,
        'Content-Type: application/json',
        `Content-Length: ${secret.length + 2}`,
      ],
      `{"${secret}`,
    ],
    'as a key of the body': secret => [
      'POST /v1/workspaces',
      [
        `Authorization: Bearer ${olivia.token}`,
        'Content-Type: application/json',
        `Content-Length: ${secret.length + 6}`,
      ],
      `{"${secret}":1}`,
    ],
    'as the media type': secret => [
      'POST /v1/workspaces',
      [`Authorization: Bearer ${olivia.token}`, `Content-Type: application/${secret}`, 'Content-Length: 2'],
      '{}',
    ],
    'as the Accept header': secret => ['GET /v1/businesses', [`Accept: text/${secret}`]],
    'as headers that are passed over': secret => [
      'GET /v1/businesses',
      [
        'User-Agent',
        'Referer',
        'Cookie',
        'X-Request-Id',
        'X-Forwarded-For',
        'Traceparent',
        'Tracestate',
        'Baggage',
        'If-None-Match',
      ].map(name => `${name}: ${secret}`),
    ],
  }
  for (const [where, place] of Object.entries(places))
    it(`is neither logged nor told back ${where}`, async () => {
      const secret = canary()
      secrets.push(secret.slice(0, 20))
      const [line, headers = [], body] = place(secret)
      const answer = await send(request(line, ...headers), body)
      assert.ok(!logged().includes(secret.slice(0, 20)), 'in the log')
      if (answer.status < 400) return
      // By design, the path is in `instance` and the name of a parameter in `pointer`.
      const {
        instance: _,
        errors = [],
        ...rest
      } = JSON.parse(answer.body) as { instance: string; errors?: { pointer: string }[] }
      const said = JSON.stringify([
        rest,
        errors.map(({ pointer: _pointer, ...error }) => error),
        answer.headers,
      ])
      assert.ok(!said.includes(secret.slice(0, 20)), said)
    })

  it('is not logged where all is well: neither token nor key', async () => {
    for (const headers of [[`Authorization: Bearer ${olivia.token}`], [`X-SVC-API-Key: ${api_key}`]])
      assert.equal((await send(request('GET /v1/me', ...headers))).status, 200)
    const signature = olivia.token.split('.')[2] ?? ''
    for (const secret of [olivia.token, signature, olivia.email, olivia.subject, api_key, api_key.slice(-38)])
      assert.ok(!logged().includes(secret))
    secrets.push(olivia.token, signature, olivia.email, olivia.subject, api_key)
  })

  it('leaves only these fields in the log', async () => {
    await send(request('GET /v1/me', `Authorization: Bearer ${olivia.token}`))
    const fields = new Set(service.logged.flatMap(line => Object.keys(JSON.parse(line) as object)))
    const allowed = [
      'level',
      'time',
      'pid',
      'hostname',
      'msg',
      'request_id',
      'operation',
      'method',
      'path_pattern',
      'status',
      'problem_code',
      'ms',
      'principal',
      'workspace_id',
      'client_address',
      'trace_id',
      'parser_code',
      'replayed',
      'incomplete',
      'reason',
    ]
    for (const field of fields) assert.ok(allowed.includes(field), field)
  })

  it('cannot forge a line of the log', async () => {
    const before = service.logged.length
    await send(request('GET /v1/businesses?query=a%0A%7B%22level%22%3A60%7D'))
    for (const line of service.logged.slice(before)) assert.equal(line.trim().split('\n').length, 1)
  })

  it('reaches no trace', async () => {
    await tracing.close()
    assert.ok(collector.spans.length > secrets.length)
    const sent = collector.bodies.join('\n')
    for (const secret of secrets) assert.ok(!sent.includes(secret), secret)
  })
})
