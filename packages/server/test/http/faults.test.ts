import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseError } from 'pg'
import { problems, type ProblemCode, type ProblemMembers } from '@wbs/contract/problems'
import { Problem } from '../../src/call/problem.ts'
import { eventually } from '../harness/eventually.ts'
import { assertProblem } from './problem-check.ts'
import { sendRaw, lines } from './raw-socket.ts'
import { startTransport, type TestTransport } from './test-transport.ts'

const read = lines('GET /v1/things/1 HTTP/1.1', 'Host: here')
const secret = 'canary-0815'

const databaseError = () => {
  const error = new DatabaseError(`invalid input syntax for type uuid: "${secret}"`, 1, 'error')
  return Object.assign(error, {
    code: '22P02',
    detail: `Key (email)=(${secret}) already exists.`,
    where: `unnamed portal parameter $1 = '${secret}'`,
    routine: 'string_to_uuid',
    constraint: 'users_pkey',
  })
}

const faults: Record<string, () => unknown> = {
  'an error': () => new Error('The shelf is gone.'),
  'an error with a reason': () => new Error('The shelf is gone.', { cause: databaseError() }),
  'an error of the database': databaseError,
  'an error whose words look like a stack': () =>
    Object.assign(new Error(`No.\n    at ${secret} (file.ts:1:1)`), { routine: 'scanner_yyerror' }),
  'an error of a parser': () => {
    try {
      return JSON.parse(`{"${secret}`)
    } catch (error) {
      return error
    }
  },
  'an error that says it is the client’s': () =>
    Object.assign(new Error('No.'), { statusCode: 400, code: 'NO' }),
  'an error that says nothing': () => new TypeError(),
  'a text': () => secret,
  nothing: () => undefined,
  null: () => null,
}

describe('a fault of the service', () => {
  for (const [what, make] of Object.entries(faults))
    it(`says nothing of itself outside, and is logged: ${what}`, async t => {
      const transport = await startTransport({ run: () => Promise.reject(make()) })
      t.after(() => transport.close())
      const answer = await sendRaw(transport.base_url, read)
      const problem = assertProblem(answer, 'internal_error', transport.base_url)
      assert.equal(
        problem.detail,
        'An internal error occurred. The log of the service has its cause under this request_id.',
      )
      assert.doesNotMatch(answer.body, /shelf|canary|\.ts|node_modules/)

      const record = await faultOf(transport, problem.request_id)
      assert.ok(record.fault.name.length > 0)
      assert.ok(!transport.logged.join().includes(secret))
    })

  it('is logged with where it arose', async t => {
    const transport = await startTransport({
      run: () => Promise.reject(new Error('The shelf is gone.', { cause: databaseError() })),
    })
    t.after(() => transport.close())
    const { request_id } = assertProblem(await sendRaw(transport.base_url, read), 'internal_error')
    const { fault } = await faultOf(transport, request_id)
    assert.equal(fault.message, 'The shelf is gone.')
    assert.match(fault.frames[0] ?? '', /^at .*faults\.test\.ts/)
    assert.equal(fault.cause?.code, '22P02')
    assert.equal(fault.cause?.routine, 'string_to_uuid')
    assert.equal(fault.cause?.constraint, 'users_pkey')
    assert.equal(fault.cause?.message, undefined)
  })

  it('may be an answer that does not match its declaration', async t => {
    const transport = await startTransport({
      run: async () => ({ status: 200, body: { input: 1n }, replay: false }),
    })
    t.after(() => transport.close())
    assertProblem(await sendRaw(transport.base_url, read), 'internal_error')
  })

  it('leaves the connection and the service usable', async t => {
    let broken = true
    const run = async () => {
      if (broken) throw new Error('The shelf is gone.')
      return { status: 200, body: { input: {}, request_id: '' }, replay: false }
    }
    const transport = await startTransport({ run })
    t.after(() => transport.close())
    assert.equal((await fetch(`${transport.base_url}/v1/things/1`)).status, 500)
    broken = false
    assert.equal((await fetch(`${transport.base_url}/v1/things/1`)).status, 200)
  })
})

describe('an answer', () => {
  it('contains nothing that its operation does not declare', async t => {
    const body = { input: { free: 1 }, nested: { known: 'a', secret }, secret, request_id: 'r' }
    const transport = await startTransport({ run: async () => ({ status: 200, body, replay: false }) })
    t.after(() => transport.close())
    const answer = await sendRaw(transport.base_url, read)
    assert.deepEqual(JSON.parse(answer.body), { input: { free: 1 }, nested: { known: 'a' }, request_id: 'r' })
  })
})

describe('a problem', () => {
  const members: { [Code in ProblemCode]?: ProblemMembers[Code] } = {
    validation_error: {
      errors: [{ in: 'body', pointer: '/a', code: 'format', detail: 'Something is wrong.' }],
    },
    revision_conflict: { expected: 1, current: 2, changed_fields: ['name'] },
    state_conflict: { current_status: 'archived' },
    evidence_required: { missing_evidence: [] },
    idempotency_key_reused: { original_request_id: 'req_1' },
    rate_limited: { 'violated-policies': ['read'] },
    forbidden: { required_permission: 'rooms:read' },
  }
  for (const code of Object.keys(problems) as ProblemCode[])
    it(`${code} has every member, and a page that explains its type`, async t => {
      const run = () =>
        Promise.reject(
          new Problem(code, 'This is what happened.', members[code] ?? {}, { 'retry-after': '3' }),
        )
      const transport = await startTransport({ run })
      t.after(() => transport.close())
      const answer = await sendRaw(transport.base_url, read)
      if (code === 'unauthenticated') answer.headers['www-authenticate'] ??= 'Bearer realm="svc"'
      const problem = assertProblem(answer, code, transport.base_url)
      assert.equal(problem.instance, '/v1/things/1')
      assert.equal(answer.headers['retry-after'], '3')
      for (const [name, value] of Object.entries(members[code] ?? {}))
        assert.deepEqual((problem as unknown as Record<string, unknown>)[name], value)

      const page = await fetch(problem.type)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      const text = await page.text()
      assert.ok(text.includes(code) && text.includes(String(problems[code].status)))
    })

  for (const code of ['unknown', '__proto__', 'toString', '%3Cscript%3E'])
    it(`has no page for the code ${code}`, async t => {
      const transport = await startTransport()
      t.after(() => transport.close())
      const answer = await fetch(`${transport.base_url}/problems/${code}`)
      assertProblem(
        { status: answer.status, headers: answer.headers, body: await answer.text() },
        'not_found',
      )
    })
})

interface FaultLine {
  fault: {
    name: string
    message?: string
    code?: string
    routine?: string
    constraint?: string
    frames: string[]
    cause?: FaultLine['fault']
  }
}

const faultOf = (transport: TestTransport, request_id: string): Promise<FaultLine> =>
  eventually(() => {
    const line = transport.logged.find(one => one.includes(request_id) && one.includes('a request failed'))
    return line === undefined ? undefined : (JSON.parse(line) as FaultLine)
  })
