import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problems, type ProblemCode } from '@wbs/contract/problems'
import { CommandError } from '../../src/command-error.ts'
import { exitCodeOf } from '../../src/operations/exit-codes.ts'
import { fakeService, type Reply } from './fake-service.ts'
import { run, type Run } from './terminal.ts'

/** What each problem ends with. A new one does not compile until it is here. */
const expected: Readonly<Record<ProblemCode, number>> = {
  validation_error: 2,
  unauthenticated: 3,
  forbidden: 4,
  not_found: 5,
  gone: 5,
  method_not_allowed: 1,
  not_acceptable: 1,
  revision_conflict: 6,
  state_conflict: 6,
  already_exists: 6,
  limit_reached: 6,
  payload_too_large: 7,
  range_not_satisfiable: 7,
  unsupported_media_type: 7,
  evidence_required: 7,
  idempotency_key_reused: 7,
  download_required: 7,
  unprocessable_content: 7,
  idempotency_in_progress: 8,
  rate_limited: 8,
  unavailable: 8,
  internal_error: 1,
}

const members: { readonly [Code in ProblemCode]?: object } = {
  validation_error: {
    errors: [{ in: 'body', pointer: '/title', code: 'too_long', detail: 'title is too long.' }],
  },
  revision_conflict: { expected: 1, current: 3, changed_fields: ['title'] },
  forbidden: { required_permission: 'rooms:write' },
  already_exists: { candidates: [{ id: 'biz_1', name: 'Bakery', matched_on: ['name'] }] },
  evidence_required: {
    missing_evidence: [{ code: 'returns', pointer: '', detail: 'Add the returns.', accepted: [] }],
  },
}

const problemReply = (code: ProblemCode): Reply => ({
  status: problems[code].status,
  body: {
    type: `http://service.test/problems/${code}`,
    ...problems[code],
    code,
    detail: `The detail of ${code}.`,
    instance: '/v1/rooms',
    request_id: 'req_01K8ZQ4T9V2M6N3R7W5X0Y1ABC',
    ...members[code],
  },
})

const create = ['rooms', 'create', '--title', 'x']
const read = ['rooms', 'list']
const failedWith = (cause: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(cause), { code: cause }) })

async function ended(words: readonly string[], reply: Reply, options: Run = {}) {
  const { access } = fakeService(reply)
  return run(words, { access, ...options })
}

describe('the exit code', () => {
  for (const code of Object.keys(problems) as ProblemCode[])
    it(`of ${code} is ${expected[code]}, and its error says what happened`, async () => {
      assert.equal(exitCodeOf(problems[code]), expected[code])
      const text = await ended(create, problemReply(code))
      assert.equal(text.code, expected[code])
      assert.equal(text.stdout, '')
      assert.ok(text.stderr.includes(`(${code}, ${problems[code].status})`), text.stderr)
      assert.match(text.stderr, /Request: req_01K8ZQ4T9V2M6N3R7W5X0Y1ABC/)
      const { stderr } = await ended([...create, '--json'], problemReply(code))
      assert.equal((JSON.parse(stderr) as { code: string }).code, code)
    })

  it('has a meaning for every status, and no status without one', () => {
    for (const { status, retryable } of Object.values(problems))
      assert.notEqual(exitCodeOf({ status, retryable }), undefined, `the status ${status} has no exit code`)
    assert.equal(exitCodeOf({ status: 418, retryable: false }), undefined)
  })

  it('is explained by wbs help exit-codes', async () => {
    const { code, stdout } = await run(['help', 'exit-codes'])
    assert.equal(code, 0)
    for (const problem of Object.keys(problems)) assert.ok(stdout.includes(problem), problem)
  })

  it('is 9 for a change whose answer was lost, with the key to repeat it', async () => {
    const { code, stderr } = await ended(create, failedWith('ECONNRESET'))
    assert.equal(code, 9)
    const [, key] = /--idempotency-key (\S+)/.exec(stderr) ?? []
    assert.match(key ?? '', /^[0-9a-f-]{36}$/)
    const json = await ended(
      [...create, '--json', '--idempotency-key', 'my-own-key-1'],
      failedWith('ECONNRESET'),
    )
    assert.deepEqual(Object.keys(JSON.parse(json.stderr) as object).toSorted(), [
      'code',
      'detail',
      'idempotency_key',
    ])
    assert.match(json.stderr, /"unknown_outcome".*my-own-key-1/)
  })

  it('is 9 for a change that a proxy answered, which does not know what the service did', async () => {
    const page = new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } })
    const { access } = fakeService()
    const { code } = await run(create, { access: { ...access, fetch: () => Promise.resolve(page) } })
    assert.equal(code, 9)
  })

  it('is 8 if nothing can have happened: a read, or a change that was never sent', async () => {
    for (const [words, cause] of [
      [read, 'ECONNRESET'],
      [read, 'ECONNREFUSED'],
      [create, 'ECONNREFUSED'],
      [create, 'ENOTFOUND'],
    ] as const) {
      const { code, stderr } = await ended(words, failedWith(cause))
      assert.equal(code, 8, `${words.join(' ')} ${cause}`)
      assert.doesNotMatch(stderr, /idempotency-key/)
    }
    const { stderr } = await ended(read, failedWith('ECONNREFUSED'))
    assert.match(stderr, /^error: https?:\S+ cannot be reached: nothing listens there\.$/m)
  })

  it('is 1 for an answer that is not of the service', async () => {
    const { code, stderr } = await ended(read, { body: '<html>', headers: { 'content-type': 'text/html' } })
    assert.equal(code, 1)
    assert.match(stderr, /not from the service/)
  })

  it('is 3 without a credential, unless the operation needs none', async () => {
    const access = () => Promise.reject(new CommandError('There is no credential.'))
    const { code, stderr } = await run(read, { access })
    assert.equal(code, 3)
    assert.match(stderr, /There is no credential/)
  })

  it('is 130 if the user interrupts it; a change that was under way can be repeated', async () => {
    const interruption = new AbortController()
    const { access } = fakeService()
    const hanging = {
      ...access,
      fetch: (_: unknown, init?: RequestInit) =>
        new Promise<Response>((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
          interruption.abort()
        }),
    } as typeof access
    const { code, stderr } = await run(create, { access: hanging, signal: interruption.signal })
    assert.equal(code, 130)
    assert.match(stderr, /Interrupted\.[\s\S]*--idempotency-key/)
  })
})

describe('an error', () => {
  it('names the flag that it is about', async () => {
    const { stderr } = await ended(create, problemReply('validation_error'))
    assert.match(stderr, /--title: title is too long\./)
  })

  it('says what else the service knows', async () => {
    assert.match(
      (await ended(create, problemReply('revision_conflict'))).stderr,
      /Now it is 3; you expected 1/,
    )
    assert.match((await ended(create, problemReply('forbidden'))).stderr, /Required permission: rooms:write/)
    assert.match((await ended(create, problemReply('already_exists'))).stderr, /biz_1 {2}Bakery/)
    assert.match((await ended(create, problemReply('evidence_required'))).stderr, /returns: Add the returns/)
  })

  it('cannot control the terminal', async () => {
    const { body } = problemReply('not_found') as { body: object }
    const reply = { status: 404, body: { ...body, detail: 'x\u001b[2J\u202Ey\u009b1m' } }
    for (const words of [read, [...read, '--json']]) {
      const { stderr } = await ended(words, reply)
      assert.doesNotMatch(stderr, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
    }
  })
})
