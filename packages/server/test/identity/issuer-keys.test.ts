import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, test } from 'node:test'

import { fetchJson } from '../../src/identity/fetch-json.ts'
import { createTokenVerifier, type TokenVerifier } from '../../src/identity/issuers.ts'
import { makeTestKey, startTestIssuer, type TestIssuer } from '../harness/issuer.ts'
import { eventually } from '../harness/eventually.ts'
import { manualClock, recordingLog } from './clock-and-log.ts'

const minutes = 60
const hours = 3600

let clock: ReturnType<typeof manualClock>
let log: ReturnType<typeof recordingLog>
let issuer: TestIssuer
let verifier: TokenVerifier

beforeEach(async () => {
  clock = manualClock()
  log = recordingLog()
  issuer = await startTestIssuer()
  verifier = createTokenVerifier([issuer], { now: clock.now, log })
})
afterEach(() => issuer.close())

/** A valid token, issued now. */
function token(): string {
  return issuer.sign(issuer.claims(clock.now()))
}

/** A token that nobody can have verified, because its key was never published. */
function unknownKidToken(): string {
  return issuer.sign(issuer.claims(clock.now()), { key: makeTestKey() })
}

async function verdict(text: string): Promise<string | boolean> {
  const answer = await verifier.verify(text)
  return answer.ok === false ? answer.reason : answer.ok
}

/** Waits for background work that cannot be awaited otherwise. */
async function fetchesReach(count: number): Promise<void> {
  for (let round = 0; round < 500 && issuer.fetches < count; round += 1) {
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  assert.equal(issuer.fetches, count)
}

describe('fetching an issuer’s keys', () => {
  test('nothing is fetched before the first token', async () => {
    await verdict('malformed')
    await verdict(issuer.sign({ ...issuer.claims(), iss: 'https://other.test' }))
    await verdict(issuer.sign(issuer.claims(), { alg: 'none' }))
    await verdict(issuer.sign(issuer.claims(), { kid: null }))
    await verdict(issuer.sign(issuer.claims(), { typ: 'logout+jwt' }))
    assert.equal(issuer.fetches, 0)
  })

  test('a hundred first tokens at once cost one discovery and one key set', async () => {
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => verdict(token())))
    assert.deepEqual(new Set(verdicts), new Set([true]))
    assert.equal(issuer.fetches, 2)
  })

  for (const path of ['', '/', '/tenant', '/tenant/v2.0/']) {
    test(`an issuer whose URL ends in "${path}" is found and compared as it is`, async () => {
      const other = await startTestIssuer({ path })
      const verifier = createTokenVerifier([other], { log })
      const verdict = await verifier.verify(other.sign())
      await other.close()
      assert.equal(verdict.ok, true)
    })
  }
})

describe('a slow issuer', () => {
  test('is waited for by so many tokens and no more; those whose key is known do not wait', async () => {
    verifier = createTokenVerifier([issuer], { now: clock.now, log, maxWaiting: 10 })
    assert.equal(await verdict(token()), true)
    clock.advance(minutes)
    const reached = Promise.withResolvers<() => void>()
    issuer.answer('discovery', (_request, response) =>
      reached.resolve(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(issuer.metadata()))
      }),
    )
    const waiting = Array.from({ length: 10 }, () => verdict(unknownKidToken()))
    const answer = await reached.promise
    assert.equal(await verdict(unknownKidToken()), 'unavailable')
    assert.equal(await verdict(token()), true)
    answer()
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['signature']))
  })

  test('is not waited for where it was asked a moment ago, however many tokens come', async () => {
    verifier = createTokenVerifier([issuer], { now: clock.now, log, maxWaiting: 2 })
    assert.equal(await verdict(token()), true)
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => verdict(unknownKidToken())))
    assert.deepEqual(new Set(verdicts), new Set(['signature']))
  })
})

describe('key rotation', () => {
  test('a flood of unknown key ids costs at most two fetches in 30 s', async () => {
    assert.equal(await verdict(token()), true)
    for (let second = 0; second < 90; second += 1) {
      const before = issuer.fetches
      const verdicts = await Promise.all(Array.from({ length: 5 }, () => verdict(unknownKidToken())))
      assert.deepEqual(new Set(verdicts), new Set(['signature']))
      assert.ok(issuer.fetches - before <= 2)
      clock.advance(1)
    }
    // At 0 s for the first token, then at 30 s and at 60 s.
    assert.equal(issuer.fetches, 6)
  })

  test('a new key is taken up on sight, once the pause is over', async () => {
    assert.equal(await verdict(token()), true)
    issuer.rotate({ keepOld: true })
    assert.equal(await verdict(token()), 'signature')
    clock.advance(30)
    assert.equal(await verdict(token()), true)
  })

  test('a withdrawn key ends with the next refresh, also for tokens verified before', async () => {
    const old = token()
    assert.equal(await verdict(old), true)
    issuer.rotate()
    assert.equal(await verdict(old), true)
    clock.advance(10 * minutes)
    assert.equal(await verdict(old), true, 'the keys at hand serve while newer ones are fetched')
    await fetchesReach(4)
    // The issuer counts a fetch before its answer has come.
    await eventually(async () => (await verdict(old)) === 'signature')
  })

  test('another key under the name of an old one ends what the old one verified', async () => {
    const old = token()
    const { kid } = issuer.key
    assert.equal(await verdict(old), true)
    issuer.rotate()
    issuer.answer('jwks', (_, response) => {
      response.end(JSON.stringify({ keys: issuer.keySet().keys.map(key => ({ ...key, kid })) }))
    })
    clock.advance(30 * minutes)
    assert.equal(await verdict(old), 'signature')
  })

  test('keys fetched again and found the same leave remembered tokens remembered', async t => {
    const old = token()
    assert.equal(await verdict(old), true)
    const spy = t.mock.method(crypto.subtle, 'verify')
    clock.advance(30 * minutes)
    assert.equal(await verdict(old), true)
    assert.equal(issuer.fetches, 4)
    assert.equal(spy.mock.callCount(), 0)
  })

  test('after a quiet spell keys are fetched before a token is judged', async () => {
    const old = token()
    assert.equal(await verdict(old), true)
    issuer.rotate()
    clock.advance(30 * minutes)
    assert.equal(await verdict(old), 'signature')
  })

  test('keys of ten minutes are fetched again in the background, once', async () => {
    assert.equal(await verdict(token()), true)
    clock.advance(9 * minutes + 59)
    assert.equal(await verdict(token()), true)
    assert.equal(issuer.fetches, 2)
    clock.advance(1)
    await Promise.all(Array.from({ length: 20 }, () => verdict(token())))
    await fetchesReach(4)
  })

  test('a clock set back does not stop refreshing', async () => {
    assert.equal(await verdict(token()), true)
    clock.advance(-2 * hours)
    issuer.rotate({ keepOld: true })
    assert.equal(await verdict(token()), true)
  })
})

describe('an issuer that is down', () => {
  for (const how of ['close', 'error'] as const) {
    test(`known keys work through an outage of ten minutes and more (${how})`, async () => {
      const early = token()
      assert.equal(await verdict(early), true)
      issuer.down(how)
      for (let minute = 0; minute < 45; minute += 1) {
        clock.advance(1 * minutes)
        assert.equal(await verdict(token()), true)
        assert.equal(await verdict(early), true)
      }
    })
  }

  test('an outage that swallows requests holds nobody up once it is known', async () => {
    let isStalled = false
    const stalling = (...request: Parameters<typeof fetch>) =>
      isStalled ? new Promise<Response>(() => {}) : fetch(...request)
    const verifier = createTokenVerifier([issuer], { now: clock.now, fetch: stalling, log })
    assert.equal((await verifier.verify(token())).ok, true)
    issuer.down('error')
    clock.advance(21 * minutes)
    assert.equal((await verifier.verify(token())).ok, true)
    isStalled = true
    clock.advance(1 * minutes)
    assert.equal((await verifier.verify(token())).ok, true)
  })

  test('unknown keys can’t be judged: unavailable, not refused', async () => {
    assert.equal(await verdict(token()), true)
    issuer.down()
    issuer.rotate()
    clock.advance(31)
    assert.equal((await verifier.verify(token())).ok, 'unavailable')
    issuer.up()
    clock.advance(31)
    assert.equal(await verdict(token()), true)
  })

  test('with no keys at all nothing can be judged, and the issuer is asked once in 30 s', async () => {
    issuer.down('error')
    for (let round = 0; round < 20; round += 1) {
      assert.equal((await verifier.verify(token())).ok, 'unavailable')
    }
    assert.equal(issuer.fetches, 1)
    issuer.up()
    assert.equal((await verifier.verify(token())).ok, 'unavailable')
    clock.advance(30)
    assert.equal(await verdict(token()), true)
  })

  test('after a day its keys stop serving, also for tokens verified before', async () => {
    const long = issuer.sign({
      ...issuer.claims(clock.now()),
      exp: clock.now().getTime() / 1000 + 25 * hours,
    })
    assert.equal(await verdict(long), true)
    issuer.down()
    clock.advance(24 * hours - 1)
    assert.equal(await verdict(long), true)
    await new Promise(resolve => setTimeout(resolve, 50))
    clock.advance(31)
    assert.equal((await verifier.verify(long)).ok, 'unavailable')
  })

  test('each failure is logged with its reason and without a token', async () => {
    issuer.down('error')
    await verdict(token())
    assert.equal(log.lines.length, 1)
    assert.deepEqual(log.lines[0]?.fields, {
      issuer: issuer.issuer,
      reason: `${new URL(issuer.issuer).host} answered 500`,
    })
  })
})

describe('an issuer with invalid answers', () => {
  const metadataFaults: Record<string, () => unknown> = {
    'names another issuer': () => ({ ...issuer.metadata(), issuer: `${issuer.issuer}/` }),
    'names no issuer': () => ({ ...issuer.metadata(), issuer: undefined }),
    'has no key set': () => ({ issuer: issuer.issuer }),
    'has its key set on a host elsewhere without https': () => ({
      ...issuer.metadata(),
      jwks_uri: 'http://keys.example/jwks',
    }),
    'has its key set in a file': () => ({ ...issuer.metadata(), jwks_uri: 'file:///etc/passwd' }),
    'has a password in the key set’s URL': () => ({
      ...issuer.metadata(),
      jwks_uri: String(issuer.metadata()['jwks_uri']).replace('//', '//user:password@'),
    }),
    'is a list': () => [issuer.metadata()],
    'is null': () => null,
  }
  for (const [title, metadata] of Object.entries(metadataFaults)) {
    test(`its metadata ${title}`, async () => {
      issuer.answer('discovery', (_, response) => response.end(JSON.stringify(metadata())))
      assert.equal((await verifier.verify(token())).ok, 'unavailable')
      assert.equal(issuer.fetches, 1)
    })
  }

  for (const what of ['discovery', 'jwks'] as const) {
    test(`a redirect from its ${what} is not followed`, async () => {
      const elsewhere = await startTestIssuer()
      issuer.answer(what, (_, response) => {
        response.writeHead(302, { location: `${elsewhere.issuer}/jwks` }).end()
      })
      assert.equal((await verifier.verify(token())).ok, 'unavailable')
      const { fetches } = elsewhere
      await elsewhere.close()
      assert.equal(fetches, 0)
    })

    test(`${what} that is not JSON`, async () => {
      issuer.answer(what, (_, response) => response.end('<html>'))
      assert.equal((await verifier.verify(token())).ok, 'unavailable')
    })

    test(`${what} of more than a MiB`, async () => {
      issuer.answer(what, (_, response) => {
        const body = what === 'jwks' ? issuer.keySet() : issuer.metadata()
        response.end(JSON.stringify({ ...body, padding: 'x'.repeat(1_100_000) }))
      })
      assert.equal((await verifier.verify(token())).ok, 'unavailable')
    })
  }

  test('a key set that is not one', async () => {
    issuer.answer('jwks', (_, response) => response.end('{"keys":{}}'))
    assert.equal((await verifier.verify(token())).ok, 'unavailable')
  })

  test('odd keys beside a good one are passed over', async () => {
    issuer.answer('jwks', (_, response) => {
      const keys = [null, 'key', [], {}, { kty: 'oct', kid: 'secret', k: 'AAAA' }, ...issuer.keySet().keys]
      response.end(JSON.stringify({ keys }))
    })
    assert.equal(await verdict(token()), true)
  })

  test('a published secret signs nothing', async () => {
    const secret = Buffer.from('published')
    issuer.answer('jwks', (_, response) => {
      const key = { kty: 'oct', kid: 'secret', alg: 'HS256', k: secret.toString('base64url') }
      response.end(JSON.stringify({ keys: [key] }))
    })
    const forged = issuer.sign(issuer.claims(clock.now()), { alg: 'HS256', secret, kid: 'secret' })
    assert.equal(await verdict(forged), 'signature')
  })

  test('a key that cannot be one refuses its tokens and is logged', async () => {
    issuer.answer('jwks', (_, response) => {
      response.end(JSON.stringify({ keys: issuer.keySet().keys.map(key => ({ ...key, x: 'AAAA' })) }))
    })
    assert.equal(await verdict(token()), 'signature')
    assert.equal(log.lines.length, 1)
  })

  test('an RSA key of 1,024 bits refuses its tokens', async () => {
    const { generateKeyPairSync } = await import('node:crypto')
    const key = { ...makeTestKey('RS256'), ...generateKeyPairSync('rsa', { modulusLength: 1024 }) }
    issuer.answer('jwks', (_, response) => {
      const jwk = { ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, alg: 'RS256' }
      response.end(JSON.stringify({ keys: [jwk] }))
    })
    assert.equal(await verdict(issuer.sign(issuer.claims(clock.now()), { key })), 'signature')
  })

  test('an issuer elsewhere may not send us to this machine', async () => {
    const asked: string[] = []
    const fetch = async (url: string | URL | Request): Promise<Response> => {
      asked.push(url instanceof URL ? url.href : '')
      return Response.json({ issuer: 'https://issuer.example', jwks_uri: 'http://127.0.0.1:9200/secrets' })
    }
    const settings = [{ issuer: 'https://issuer.example', audience: issuer.audience }]
    const remote = createTokenVerifier(settings, { now: clock.now, fetch, log })
    const text = issuer.sign({ ...issuer.claims(clock.now()), iss: 'https://issuer.example' })
    assert.equal((await remote.verify(text)).ok, 'unavailable')
    assert.deepEqual(asked, ['https://issuer.example/.well-known/openid-configuration'])
  })
})

test('a server that never finishes its answer is given up on', async () => {
  const server = createServer((_, response) => void response.write('{"a":'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = new URL(`http://127.0.0.1:${address.port}/`)
  await assert.rejects(fetchJson(url, { fetch, timeoutMs: 200 }), { name: 'TimeoutError' })
  server.closeAllConnections()
  server.close()
})
