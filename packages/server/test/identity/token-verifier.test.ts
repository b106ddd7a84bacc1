import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { createTokenVerifier, type TokenVerifier, type UserIdentity } from '../../src/identity/issuers.ts'
import { userId } from '../../src/identity/user-id.ts'
import { startTestIssuer, type SignOptions, type TestAlgorithm, type TestIssuer } from '../harness/issuer.ts'
import { manualClock, recordingLog } from './clock-and-log.ts'

const clock = manualClock()
let issuer: TestIssuer
let verifier: TokenVerifier

before(async () => {
  issuer = await startTestIssuer()
  verifier = createTokenVerifier([issuer], { now: clock.now, log: recordingLog() })
})
after(() => issuer.close())

async function userOf(claims: Record<string, unknown>, options: SignOptions = {}): Promise<UserIdentity> {
  const verdict = await verifier.verify(
    issuer.sign({ ...issuer.claims(clock.now()), ...claims }, { typ: 'JWT', ...options }),
  )
  assert.ok(verdict.ok === true, JSON.stringify(verdict))
  return verdict.user
}

describe('tokens as real issuers make them are accepted', () => {
  const shapes: Record<string, [claims: Record<string, unknown>, typ: string | null, client: string | null]> =
    {
      'RFC 9068': [{ client_id: 'app', jti: 'x', scope: 'openid' }, 'at+jwt', 'app'],
      'RFC 9068, its type written out': [{ client_id: 'app' }, 'application/at+jwt', 'app'],
      Auth0: [
        { aud: ['https://api.test', 'https://t.auth0.com/userinfo'], azp: 'app', scope: 'openid' },
        'JWT',
        'app',
      ],
      'Entra, second version': [{ azp: 'app', scp: 'access', tid: 't', oid: 'o', ver: '2.0' }, 'JWT', 'app'],
      'Entra, first version': [{ appid: 'app', scp: 'access', tid: 't', ver: '1.0' }, 'JWT', 'app'],
      'Keycloak, with the nonce it used to add': [
        { typ: 'Bearer', azp: 'app', aud: ['https://api.test', 'account'], nonce: 'x' },
        'JWT',
        'app',
      ],
      'Cognito, with a resource': [{ token_use: 'access', client_id: 'app', scope: 'openid' }, null, 'app'],
      Okta: [{ cid: 'app', scp: ['openid'], uid: 'u' }, null, 'app'],
      Supabase: [{ role: 'authenticated', session_id: 's', is_anonymous: false }, 'JWT', null],
    }
  for (const [title, [claims, typ, client]] of Object.entries(shapes)) {
    test(title, async () => {
      const user = await userOf(claims, { typ })
      assert.equal(user.client?.id ?? null, client)
    })
  }

  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] as TestAlgorithm[]) {
    test(`signed with ${alg}`, async () => {
      const other = await startTestIssuer({ alg })
      const verdict = await createTokenVerifier([other], { log: recordingLog() }).verify(other.sign())
      await other.close()
      assert.equal(verdict.ok, true)
    })
  }
})

describe('the claims of a token about its user', () => {
  test('all of it', async () => {
    const claims = issuer.claims(clock.now())
    const user = await userOf({
      email: 'Olivia.Bennett@Example.com',
      email_verified: true,
      name: ' Olivia Bennett ',
      client_id: 'app',
      client_name: 'An app',
    })
    assert.deepEqual(user, {
      user_id: userId(issuer.issuer, 'user-1'),
      issuer: issuer.issuer,
      subject: 'user-1',
      email: 'olivia.bennett@example.com',
      email_verified: true,
      name: 'Olivia Bennett',
      is_anonymous: false,
      client: { id: 'app', name: 'An app' },
      expires_at: claims['exp'],
    })
  })

  test('none of it', async () => {
    const user = await userOf({})
    assert.deepEqual(
      [user.email, user.email_verified, user.name, user.is_anonymous, user.client],
      [null, false, null, false, null],
    )
  })

  test('a time between two seconds ends at the earlier', async () => {
    const exp = Math.floor(clock.now().getTime() / 1000) + 60
    assert.equal((await userOf({ exp: exp + 0.9 })).expires_at, exp)
  })

  test('only true is true', async () => {
    const user = await userOf({ email: 'a@example.com', email_verified: 'true', is_anonymous: 1 })
    assert.equal(user.email_verified, false)
    assert.equal(user.is_anonymous, false)
  })

  test('an address that is none proves nothing', async () => {
    for (const email of [
      '',
      'a',
      'a@',
      '@b',
      'a b@c',
      'a@b@c',
      7,
      null,
      ['a@b.c'],
      `${'x'.repeat(320)}@b.c`,
    ]) {
      const user = await userOf({ email, email_verified: true })
      assert.deepEqual([user.email, user.email_verified], [null, false], String(email))
    }
  })

  test('a name that does not fit on a line is none', async () => {
    for (const name of ['', '  ', 'a\nb', 'a\u0000b', 7, {}, 'x'.repeat(256)]) {
      assert.equal((await userOf({ name })).name, null)
    }
  })

  test('an anonymous user', async () => {
    assert.equal((await userOf({ is_anonymous: true })).is_anonymous, true)
  })

  test('with a namespace the id does not depend on the issuer’s address', async () => {
    const named = createTokenVerifier([{ ...issuer, namespace: 'people' }], {
      now: clock.now,
      log: recordingLog(),
    })
    const verdict = await named.verify(issuer.sign(issuer.claims(clock.now())))
    assert.ok(verdict.ok === true)
    assert.equal(verdict.user.user_id, userId('people', 'user-1'))
  })
})

describe('time', () => {
  test('a token is good up to the tolerance before and after its time, and not beyond', async () => {
    const at = Math.floor(clock.now().getTime() / 1000)
    const verdictFor = (claims: object) =>
      verifier.verify(issuer.sign({ ...issuer.claims(clock.now()), ...claims }))
    assert.equal((await verdictFor({ exp: at - 29 })).ok, true)
    assert.deepEqual(await verdictFor({ exp: at - 30 }), { ok: false, reason: 'expired' })
    assert.equal((await verdictFor({ nbf: at + 30 })).ok, true)
    assert.deepEqual(await verdictFor({ nbf: at + 31 }), { ok: false, reason: 'not_yet_valid' })
    assert.equal((await verdictFor({ iat: at + 30 })).ok, true)
    assert.deepEqual(await verdictFor({ iat: at + 31 }), { ok: false, reason: 'not_yet_valid' })
  })

  test('a day and an hour is the longest life, unless told otherwise', async () => {
    const text = (life: number) => {
      const claims = issuer.claims(clock.now())
      return issuer.sign({ ...claims, exp: Number(claims['iat']) + life })
    }
    assert.equal((await verifier.verify(text(90_000))).ok, true)
    assert.deepEqual(await verifier.verify(text(90_001)), { ok: false, reason: 'lifetime' })
    const strict = createTokenVerifier([issuer], {
      now: clock.now,
      log: recordingLog(),
      maxLifetimeSeconds: 600,
    })
    assert.deepEqual(await strict.verify(text(601)), { ok: false, reason: 'lifetime' })
  })

  test('a remembered token expires like any other', async () => {
    const own = manualClock()
    const other = createTokenVerifier([issuer], { now: own.now, log: recordingLog() })
    const text = issuer.sign(issuer.claims(own.now()))
    assert.equal((await other.verify(text)).ok, true)
    own.advance(-31)
    assert.deepEqual(await other.verify(text), { ok: false, reason: 'not_yet_valid' })
    own.advance(3600 + 31 + 29)
    assert.equal((await other.verify(text)).ok, true)
    own.advance(1)
    assert.deepEqual(await other.verify(text), { ok: false, reason: 'expired' })
    assert.deepEqual(await other.verify(text), { ok: false, reason: 'expired' })
    own.advance(-4000)
    assert.deepEqual(await other.verify(text), { ok: false, reason: 'not_yet_valid' })
  })

  test('a remembered token costs no second signature check', async t => {
    const spy = t.mock.method(crypto.subtle, 'verify')
    const text = issuer.sign({ ...issuer.claims(clock.now()), jti: 'twice' })
    for (let round = 0; round < 5; round += 1) assert.equal((await verifier.verify(text)).ok, true)
    assert.equal(spy.mock.callCount(), 1)
  })

  test('five thousand tokens are remembered, the least recently used forgotten', async t => {
    const own = createTokenVerifier([issuer], { now: clock.now, log: recordingLog() })
    const texts = Array.from({ length: 5001 }, (_, index) =>
      issuer.sign({ ...issuer.claims(clock.now()), jti: String(index) }),
    )
    const [first = '', second = '', ...rest] = texts
    await own.verify(first)
    await own.verify(second)
    for (const text of rest.slice(0, -1)) await own.verify(text)
    const spy = t.mock.method(crypto.subtle, 'verify')
    await own.verify(first)
    assert.equal(spy.mock.callCount(), 0)
    await own.verify(rest.at(-1) ?? '')
    await own.verify(first)
    assert.equal(spy.mock.callCount(), 1)
    await own.verify(second)
    assert.equal(spy.mock.callCount(), 2)
  })
})

test('tokens of several issuers are kept apart', async () => {
  const other = await startTestIssuer()
  const both = createTokenVerifier([issuer, other], { now: clock.now, log: recordingLog() })
  const mine = await both.verify(issuer.sign(issuer.claims(clock.now())))
  const theirs = await both.verify(other.sign(other.claims(clock.now())))
  const crossed = await both.verify(issuer.sign(issuer.claims(clock.now()), { key: other.key }))
  await other.close()
  assert.ok(mine.ok === true && theirs.ok === true)
  assert.notEqual(mine.user.user_id, theirs.user.user_id)
  assert.deepEqual(crossed, { ok: false, reason: 'signature' })
})
