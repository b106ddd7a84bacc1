import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, ProblemError, UnexpectedAnswer, type ClientSettings, type Hooks } from '@wbs/sdk'
import { answer, hangUp, problem, startScriptedServer, text, type ScriptedServer } from './scripted-server.ts'

let server: ScriptedServer
before(async () => void (server = await startScriptedServer()))
after(() => server.close())

const client = (settings: Partial<ClientSettings> = {}) =>
  createClient({ base_url: server.base_url, access_token: 'a secret token', ...settings })

const headers = {
  'svc-request-id': 'req_7',
  'ratelimit-policy': '"write";q=1200;w=60, "invite";q=100;w=3600',
  ratelimit: '"write";r=1187;t=1, "invite";r=0;t=36',
}

describe('withResponse', () => {
  it('gives the answer with its status, headers, request id, replay, ETag and rate limits', async () => {
    server.script(
      answer(201, { workspace: { id: '1' } }, { ...headers, etag: '"r3"', 'idempotent-replayed': 'true' }),
    )
    const { answer: body, response } = await client().createWorkspace({ name: 'A' }).withResponse()
    assert.equal(body.workspace.id, '1')
    const { headers: all, ...told } = response
    assert.deepEqual(told, {
      status: 201,
      request_id: 'req_7',
      idempotent_replay: true,
      etag: '"r3"',
      rate_limits: [
        { name: 'write', quota: 1200, window: 60, remaining: 1187, reset: 1 },
        { name: 'invite', quota: 100, window: 3600, remaining: 0, reset: 36 },
      ],
    })
    assert.equal(all.get('content-type'), 'application/json')
  })

  it('says of an answer without these headers that it has none', async () => {
    server.script(answer(200, { status: 'ok' }))
    const { response } = await client().health().withResponse()
    const { headers: _, ...told } = response
    const none = { request_id: null, idempotent_replay: false, etag: null, rate_limits: [] }
    assert.deepEqual(told, { status: 200, ...none })
  })

  it('reads rate limits as they may be written, and what is missing as null', async () => {
    const odd = {
      'ratelimit-policy': '"read";w=60;q=6000;pk=:eDsx:,"a b" ; q=5',
      ratelimit: 'broken, "other"; r=4',
    }
    server.script(answer(200, { status: 'ok' }, odd))
    const { response } = await client().health().withResponse()
    const unknown = { window: null, remaining: null, reset: null }
    assert.deepEqual(response.rate_limits, [
      { name: 'read', quota: 6000, window: 60, remaining: null, reset: null },
      { name: 'a b', quota: 5, ...unknown },
      { name: 'other', quota: null, window: null, remaining: 4, reset: null },
    ])
  })

  it('gives the response of content too', async () => {
    server.script(response =>
      response.writeHead(200, { etag: '"abc"', 'svc-request-id': 'req_8' }).end('all'),
    )
    const { answer: content, response } = await client().downloadFile({ file_id: 'fil_1' }).withResponse()
    assert.deepEqual([await content.text(), response.etag, response.request_id], ['all', '"abc"', 'req_8'])
  })

  it('throws what the call throws, once', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    server.script(problem('forbidden', headers))
    await assert.rejects(client().getMe().withResponse(), ProblemError)
    await assert.rejects(client().getMe(), ProblemError)
    await new Promise(resolve => setTimeout(resolve, 20))
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })
})

describe('an error', () => {
  it('has the response of the service, and the id of its request', async () => {
    server.script(
      problem('rate_limited', { ...headers, 'retry-after': '36' }, { 'violated-policies': ['invite'] }),
    )
    const error = (await client()
      .getMe()
      .catch((thrown: unknown) => thrown)) as ProblemError
    assert.deepEqual(
      [
        error.request_id,
        error.response.status,
        error.response.request_id,
        error.response.rate_limits[1]?.reset,
      ],
      ['req_1', 429, 'req_7', 36],
    )
    assert.equal(error.response.headers.get('retry-after'), '36')
  })

  it('has the response of whatever else answered', async () => {
    server.script(text(403, 'no'))
    const error = (await client()
      .getMe()
      .catch((thrown: unknown) => thrown)) as UnexpectedAnswer
    assert.ok(error instanceof UnexpectedAnswer)
    assert.deepEqual([error.request_id, error.status, error.response.status], [null, 403, 403])
  })
})

describe('hooks', () => {
  const logged = async (settings: Partial<ClientSettings> = {}) => {
    const log: [string, object][] = []
    const note = (name: string) => (entry: object) => void log.push([name, entry])
    const hooks: Hooks = { onRequest: note('request'), onAnswer: note('answer'), onRetry: note('retry') }
    await client({ hooks, ...settings })
      .getRoom({ room_id: 'rom_secret' }, { claim_token: 'clm_secret' })
      .catch(() => {})
    return log
  }
  const of = { operation: 'get_room', method: 'GET', path: '/v1/rooms/{room_id}' }
  const withoutTimes = (log: [string, object][]) =>
    log.map(([name, entry]) => {
      const { milliseconds, pause, ...rest } = entry as { milliseconds?: number; pause?: number }
      if (name === 'answer') assert.ok(Number.isInteger(milliseconds) && Number(milliseconds) >= 0)
      if (name === 'retry') assert.ok(Number.isInteger(pause) && Number(pause) >= 0)
      return [name, rest]
    })

  it('are told of every request, answer and retry, and of nothing secret', async () => {
    server.script(
      problem('unavailable', { 'retry-after': '0', 'svc-request-id': 'req_3' }),
      hangUp,
      answer(200, { room: { title: 'secret title' } }, headers),
    )
    const log = await logged()
    const failed = { status: 503, request_id: 'req_3', error: 'unavailable' }
    const lost = { status: null, request_id: null, error: 'TypeError' }
    assert.deepEqual(withoutTimes(log), [
      ['request', { ...of, attempt: 1 }],
      ['answer', { ...of, attempt: 1, ...failed }],
      ['retry', { ...of, attempt: 1, ...failed }],
      ['request', { ...of, attempt: 2 }],
      ['answer', { ...of, attempt: 2, ...lost }],
      ['retry', { ...of, attempt: 2, ...lost }],
      ['request', { ...of, attempt: 3 }],
      ['answer', { ...of, attempt: 3, status: 200, request_id: 'req_7', error: null }],
    ])
    assert.doesNotMatch(JSON.stringify(log), /secret/)
  })

  it('are told how an attempt ended that took too long, met a proxy or was aborted', async () => {
    const errorOf = async (settings: Partial<ClientSettings>) => {
      const log = await logged({ attempts: 1, ...settings })
      return log.map(([name, entry]) => `${name} ${(entry as { error?: string }).error ?? ''}`)
    }
    server.script(() => {})
    assert.deepEqual(await errorOf({ timeout: 50 }), ['request ', 'answer TimeoutError'])
    server.script(text(403, 'no'))
    assert.deepEqual(await errorOf({}), ['request ', 'answer UnexpectedAnswer'])
    server.script(() => {})
    const names: (string | null)[] = []
    const call = client({ hooks: { onAnswer: ({ error }) => names.push(error) } }).health(
      {},
      { signal: AbortSignal.timeout(50) },
    )
    await assert.rejects(call, { name: 'TimeoutError' })
    assert.deepEqual(names, ['TimeoutError'])
  })

  it('break no call when they throw or reject, and are not waited for', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    server.script(problem('unavailable', { 'retry-after': '0' }), answer(200, { status: 'ok' }))
    const hooks: Hooks = {
      onRequest: () => {
        throw new Error('broken')
      },
      onAnswer: () => Promise.reject(new Error('broken')),
      onRetry: () => new Promise(() => {}),
    }
    assert.equal((await client({ hooks }).health()).status, 'ok')
    await new Promise(resolve => setTimeout(resolve, 20))
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })
})
