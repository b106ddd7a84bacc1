import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, isProblem, ProblemError, UnexpectedAnswer, type ClientSettings } from '@wbs/sdk'
import {
  answer,
  hangUp,
  hangUpHalfway,
  problem,
  silence,
  startScriptedServer,
  text,
  type Reaction,
  type ScriptedServer,
} from './scripted-server.ts'

const done = answer(201, {
  workspace: { id: '1' },
  request_id: 'req_2',
  original_request_id: 'req_2',
  idempotent_replay: false,
})

describe('a call of the client', () => {
  let server: ScriptedServer
  before(async () => void (server = await startScriptedServer()))
  after(() => server.close())

  const client = (settings: Partial<ClientSettings> = {}) =>
    createClient({ base_url: server.base_url, access_token: 'token', ...settings })
  const create = (settings: Partial<ClientSettings> = {}, options = {}) =>
    client(settings).createWorkspace({ name: 'A' }, options)
  const keys = () => server.seen.map(request => request.headers['idempotency-key'])

  const passing: Record<string, Reaction> = {
    'the service is not available': problem('unavailable'),
    'there were too many requests': problem('rate_limited', { 'retry-after': '0' }),
    'the first request is still running': problem('idempotency_in_progress', { 'retry-after': '0' }),
    'a proxy does not reach the service': text(502, '<h1>Bad Gateway</h1>'),
    'a proxy has waited too long': text(504, '<h1>Gateway Timeout</h1>'),
    'a proxy sheds load': text(503, 'busy', 'text/plain'),
    'a request took too long to arrive': text(408, ''),
    'the connection is lost': hangUp,
    'the connection is lost in the middle of the answer': hangUpHalfway,
  }
  for (const [what, reaction] of Object.entries(passing))
    it(`is repeated under the same key when ${what}`, async () => {
      server.script(reaction, done)
      const { workspace } = await create()
      assert.equal(workspace.id, '1')
      assert.equal(server.seen.length, 2)
      assert.equal(new Set(keys()).size, 1)
      assert.match(keys()[0] as string, /^[0-9a-f]{32}$/)
      assert.equal(server.seen[0]?.body, server.seen[1]?.body)
    })

  const lasting: Record<string, [Reaction, (error: unknown) => boolean]> = {
    'is not valid': [
      problem('validation_error', {}, { errors: [] }),
      error => isProblem(error, 'validation_error'),
    ],
    'is not allowed': [problem('forbidden'), error => isProblem(error, 'forbidden')],
    'shows no good credential': [problem('unauthenticated'), error => isProblem(error, 'unauthenticated')],
    'comes too late': [
      problem('revision_conflict', {}, { expected: 1, current: 2, changed_fields: [] }),
      error => isProblem(error, 'revision_conflict') && error.problem.current === 2,
    ],
    'makes the service fail': [problem('internal_error'), error => isProblem(error, 'internal_error')],
    'is answered by a sign-in page': [
      text(200, '<form>'),
      error => error instanceof UnexpectedAnswer && error.status === 200,
    ],
    'is answered by what is not JSON': [
      text(200, '{"data":', 'application/json'),
      error => error instanceof UnexpectedAnswer,
    ],
    'is answered by JSON of somebody else': [
      answer(404, { error: 'no such page' }),
      error => error instanceof UnexpectedAnswer,
    ],
    'is refused by a proxy': [
      text(403, 'no'),
      error => error instanceof UnexpectedAnswer && error.status === 403,
    ],
  }
  for (const [what, [reaction, isExpected]] of Object.entries(lasting))
    it(`is sent once when it ${what}`, async () => {
      server.script(reaction)
      await assert.rejects(create(), isExpected)
      assert.equal(server.seen.length, 1)
    })

  it('does not follow redirects, which are errors, so that no token leaks', async () => {
    const elsewhere = await startScriptedServer()
    elsewhere.script(done)
    server.script(
      response => void response.writeHead(307, { location: `${elsewhere.base_url}/v1/workspaces` }).end(),
    )
    await assert.rejects(create())
    await elsewhere.close()
    assert.equal(elsewhere.seen.length, 0)
  })

  it('is given up after three attempts, or as many as are set, with what the last one met', async () => {
    server.script(problem('unavailable', { 'retry-after': '0' }))
    for (const [settings, attempts] of [
      [{}, 3],
      [{ attempts: 1 }, 1],
      [{ attempts: 5 }, 5],
    ] as const) {
      server.seen.length = 0
      await assert.rejects(create(settings), error => isProblem(error, 'unavailable'))
      assert.equal(server.seen.length, attempts)
    }
  })

  it('is repeated under the key it is given', async () => {
    server.script(hangUp, done)
    await create({}, { idempotency_key: 'my-own-key' })
    assert.deepEqual(keys(), ['my-own-key', 'my-own-key'])
  })

  it('has a new key each time it is made', async () => {
    server.script(done)
    await Promise.all([create(), create(), create()])
    assert.equal(new Set(keys()).size, 3)
  })

  it('gets a token before every attempt', async () => {
    let asked = 0
    server.script(hangUp, problem('unavailable'), done)
    await create({ access_token: async () => `token-${++asked}` })
    assert.deepEqual(
      server.seen.map(request => request.headers.authorization),
      ['Bearer token-1', 'Bearer token-2', 'Bearer token-3'],
    )
  })

  it('fails without being sent where there is no token, or one that cannot stand in a header', async () => {
    server.script(done)
    await assert.rejects(
      create({ access_token: () => Promise.reject(new Error('Signed out.')) }),
      /Signed out/,
    )
    let asked = 0
    const access_token = () => {
      asked++
      return 'line\nbreak'
    }
    await assert.rejects(create({ access_token }), TypeError)
    assert.equal(asked, 1, 'it was tried again')
    assert.equal(server.seen.length, 0)
  })

  describe('waits', () => {
    const pauses = () => server.seen.slice(1).map(({ at }, i) => at - (server.seen[i]?.at ?? 0))

    it('longer from attempt to attempt', async () => {
      server.script(hangUp, hangUp, hangUp, done)
      await create({ attempts: 4 })
      const [first = 0, second = 0, third = 0] = pauses()
      assert.ok(first >= 95 && second >= 195 && third >= 395, pauses().join())
    })

    it('as long as Retry-After says, in seconds', async () => {
      server.script(problem('rate_limited', { 'retry-after': '1' }), done)
      await create()
      assert.ok((pauses()[0] ?? 0) >= 990)
    })

    it('as long as Retry-After says, as a date', async () => {
      const date = new Date(Date.now() + 2000).toUTCString()
      server.script(problem('unavailable', { 'retry-after': date }), done)
      await create()
      assert.ok(Date.now() >= Date.parse(date))
    })

    it('for no date of the past, and past what it cannot read', async () => {
      for (const value of ['Wed, 21 Oct 2015 07:28:00 GMT', 'soon', '-1', '']) {
        server.script(problem('unavailable', { 'retry-after': value }), done)
        await create()
        assert.equal(server.seen.length, 2)
      }
    })

    it('not if the service asks for more than half a minute', async () => {
      server.script(problem('rate_limited', { 'retry-after': '31' }, { 'violated-policies': ['write'] }))
      const start = performance.now()
      await assert.rejects(
        create(),
        error => isProblem(error, 'rate_limited') && error instanceof ProblemError,
      )
      assert.ok(performance.now() - start < 30_000)
      assert.equal(server.seen.length, 1)
    })

    it('no longer for an answer than it is set to', async () => {
      server.script(silence, done)
      // The second attempt is answered within that on a busy machine too.
      await create({ timeout: 2_000 })
      assert.equal(server.seen.length, 2)
      server.script(silence)
      let asked = 0
      const access_token = () => `token ${++asked}`
      const hasty = create({ timeout: 100, attempts: 2, access_token })
      await assert.rejects(hasty, { name: 'TimeoutError' })
      assert.equal(asked, 2)
    })
  })

  describe('ends at once when it is aborted', () => {
    const stop = new Error('No longer wanted.')
    const sameError = (error: unknown) => error === stop

    it('before it begins', async () => {
      server.script(done)
      await assert.rejects(create({}, { signal: AbortSignal.abort(stop) }), sameError)
      assert.equal(server.seen.length, 0)
    })

    for (const [when, reaction] of [
      ['while it waits for the answer', silence],
      ['between two attempts', problem('unavailable', { 'retry-after': '29' })],
    ] as const)
      it(when, async () => {
        server.script(reaction)
        const controller = new AbortController()
        const start = performance.now()
        const aborted = assert.rejects(create({}, { signal: controller.signal }), sameError)
        while (server.seen.length === 0) await sleep(10)
        await sleep(150)
        controller.abort(stop)
        await aborted
        assert.ok(performance.now() - start < 28_000)
        assert.equal(server.seen.length, 1)
      })

    it('and is left alone by a signal that is never used', async () => {
      server.script(hangUp, done)
      await create({}, { signal: new AbortController().signal })
    })
  })
})
