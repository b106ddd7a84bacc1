import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { createTokenVerifier, type RefusalReason, type TokenVerifier } from '../../src/identity/issuers.ts'
import { makeTestKey, startTestIssuer, type SignOptions, type TestIssuer } from '../harness/issuer.ts'
import { manualClock, recordingLog } from './clock-and-log.ts'

const clock = manualClock()
const seconds = Math.floor(clock.now().getTime() / 1000)
const log = recordingLog()
let issuer: TestIssuer
let stranger: TestIssuer
let verifier: TokenVerifier

before(async () => {
  issuer = await startTestIssuer({ alg: 'RS256', path: '/tenant' })
  stranger = await startTestIssuer()
  verifier = createTokenVerifier([issuer], { now: clock.now, log })
})
after(async () => {
  await Promise.all([issuer.close(), stranger.close()])
})

/** A valid token with the given changes. `undefined` removes a claim. */
function token(claims: Record<string, unknown> = {}, options: SignOptions = {}): string {
  return issuer.sign({ ...issuer.claims(clock.now()), ...claims }, options)
}

function parts(text: string): [string, string, string] {
  const [header = '', payload = '', signature = ''] = text.split('.')
  return [header, payload, signature]
}

function pem(): string {
  return issuer.key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

const forger = makeTestKey('RS256')

const hostile: Record<RefusalReason, Record<string, () => string>> = {
  malformed: {
    'an empty text': () => '',
    'one word': () => 'token',
    'two parts': () => parts(token()).slice(0, 2).join('.'),
    'four parts': () => `${token()}.extra`,
    'five parts, as of an encrypted token': () => 'e30.e30.e30.e30.e30',
    'a header that is not base64url': () => `!!!!.${parts(token()).slice(1).join('.')}`,
    'a header that is not JSON': () => `bm90IGpzb24.${parts(token()).slice(1).join('.')}`,
    'a header that is a list': () => `W10.${parts(token()).slice(1).join('.')}`,
    'a payload that is not JSON': () => issuer.sign('not json'),
    'a payload that is a list': () => issuer.sign('[]'),
    'a payload that is null': () => issuer.sign('null'),
    'a signature that is not base64url': () => `${parts(token()).slice(0, 2).join('.')}.a+b/=`,
    'a line break at the end': () => `${token()}\n`,
    'a scheme in front': () => `Bearer ${token()}`,
    'a token of 200 KB': () => token({ junk: 'x'.repeat(200_000) }),
  },
  issuer: {
    'no issuer': () => token({ iss: undefined }),
    'another issuer': () => token({ iss: 'https://issuer.example' }),
    'the token of an issuer nobody trusts': () => stranger.sign(stranger.claims(clock.now())),
    'the issuer with a slash more': () => token({ iss: `${issuer.issuer}/` }),
    'the issuer in other letters': () => token({ iss: issuer.issuer.replace('tenant', 'TENANT') }),
    'the issuer with a Cyrillic letter': () => token({ iss: issuer.issuer.replace('tenant', 'tеnant') }),
    'the issuer with a full-width letter': () => token({ iss: issuer.issuer.replace('tenant', 'ｔenant') }),
    'the issuer with an invisible letter': () => token({ iss: `${issuer.issuer}\u200b` }),
    'the issuer with a NUL': () => token({ iss: `${issuer.issuer}\0` }),
    'the issuer in a list': () => token({ iss: [issuer.issuer] }),
    'a property of every object as the issuer': () => token({ iss: '__proto__' }),
  },
  signature: {
    'the algorithm none': () => token({}, { alg: 'none' }),
    'the algorithm NoNe': () => token({}, { alg: 'NoNe' }),
    'no signature': () => `${parts(token()).slice(0, 2).join('.')}.`,
    'no algorithm': () => token({}, { header: { alg: undefined } }),
    'HS256 with the public key as the secret': () => token({}, { alg: 'HS256', secret: pem() }),
    'HS256 with an empty secret': () => token({}, { alg: 'HS256', secret: '' }),
    'an algorithm of a weaker hash': () => token({}, { alg: 'RS1' }),
    'the right key with another algorithm than it is for': () => token({}, { alg: 'PS256' }),
    'an elliptic algorithm with an RSA key': () => token({}, { alg: 'ES256' }),
    'another key under the name of the right one': () =>
      token({}, { key: { ...forger, kid: issuer.key.kid } }),
    'a changed payload': () => {
      const [header, , signature] = parts(token())
      return [header, parts(token({ sub: 'somebody-else' }))[1], signature].join('.')
    },
    'a changed header': () => {
      const [, payload, signature] = parts(token())
      return [parts(token({}, { typ: 'JWT' }))[0], payload, signature].join('.')
    },
    'a shortened signature': () => token().slice(0, -8),
    'no key id': () => token({}, { kid: null }),
    'a key id that is a number': () => token({}, { kid: 1 }),
    'a key id that is an object': () => token({}, { kid: { $ne: null } }),
    'an unknown key id': () => token({}, { kid: 'nobody' }),
    'an empty key id': () => token({}, { kid: '' }),
    'a key id that is a path': () => token({}, { kid: '../../../../dev/null' }),
    'a key id that is SQL': () => token({}, { kid: "' UNION SELECT 'secret' --" }),
    'a key id that is a command': () => token({}, { kid: '$(touch /tmp/owned)' }),
    'a key id that is a URL': () => token({}, { kid: `${stranger.issuer}/jwks` }),
    'a property of every object as the key id': () => token({}, { kid: '__proto__' }),
    'its own key in the header': () =>
      token({}, { key: forger, header: { jwk: forger.publicKey.export({ format: 'jwk' }) } }),
    'its own key set in the header': () =>
      issuer.sign(issuer.claims(clock.now()), {
        key: stranger.key,
        header: { jku: `${stranger.issuer}/jwks` },
      }),
    'its own certificate in the header': () =>
      token({}, { key: forger, header: { x5u: `${stranger.issuer}/cert`, x5c: ['AAAA'] } }),
    'an extension nobody knows marked as critical': () => token({}, { header: { crit: ['exp'], exp: 1 } }),
  },
  expired: {
    'a token that expired a minute ago': () => token({ exp: seconds - 60 }),
    'a token that expired exactly the tolerance ago': () => token({ exp: seconds - 30 }),
    'a token without end that ended': () => token({ iat: 0, exp: 1 }),
    'a negative end': () => token({ exp: -1 }),
  },
  not_yet_valid: {
    'a token good in a minute': () => token({ nbf: seconds + 60 }),
    'a token made in a minute': () => token({ iat: seconds + 60 }),
    'a token good at the end of time': () => issuer.sign(withRaw('"nbf":1e999')),
  },
  audience: {
    'no audience': () => token({ aud: undefined }),
    'another audience': () => token({ aud: 'https://other.test' }),
    'an audience that begins like ours': () => token({ aud: `${issuer.audience}.evil.test` }),
    'other audiences': () => token({ aud: ['https://other.test', 'https://another.test'] }),
    'our audience in a list in a list': () => token({ aud: [[issuer.audience]] }),
    'our audience in an object': () => token({ aud: { 0: issuer.audience } }),
    'no audiences': () => token({ aud: [] }),
  },
  type: {
    'a type header of another kind': () => token({}, { typ: 'logout+jwt' }),
    'a type header that is a number': () => token({}, { typ: 7 }),
    'an ID token, by its hash of an access token': () => token({ at_hash: 'x' }, { typ: 'JWT' }),
    'an ID token, by its nonce': () => token({ nonce: 'x', azp: 'app' }, { typ: 'JWT' }),
    'an ID token of Keycloak': () => token({ typ: 'ID', azp: 'app' }, { typ: 'JWT' }),
    'a refresh token of Keycloak': () => token({ typ: 'Refresh' }, { typ: 'JWT' }),
    'an ID token of Cognito': () => token({ token_use: 'id' }, { typ: null }),
    'an ID token of Entra': () =>
      token({ tid: 'tenant', oid: 'x', ver: '2.0', roles: ['a'] }, { typ: 'JWT' }),
    'a logout token': () =>
      token({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }, { typ: 'JWT' }),
    'a token bound to a key': () => token({ cnf: { jkt: 'x' } }),
    'a token a program got for itself': () => token({ sub: 'app', client_id: 'app' }),
    'a token of a program at Entra': () =>
      token({ tid: 'tenant', azp: 'app', idtyp: 'app', roles: ['all'] }, { typ: 'JWT' }),
    'a token of a program at Auth0': () => token({ gty: 'client-credentials', sub: 'app@clients' }),
  },
  claims: {
    'no subject': () => token({ sub: undefined }),
    'an empty subject': () => token({ sub: '' }),
    'a subject that is null': () => token({ sub: null }),
    'a subject that is a number': () => token({ sub: 42 }),
    'a subject that is an object': () => token({ sub: { id: 'user-1' } }),
    'a subject that is a list': () => token({ sub: ['user-1'] }),
    'a subject of 256 characters': () => token({ sub: 'x'.repeat(256) }),
    'a subject with a NUL': () => token({ sub: 'user-1\0' }),
    'a subject with a line break': () => token({ sub: 'user-1\nadmin' }),
    'a subject beyond ASCII': () => token({ sub: 'usér-1' }),
    'no end': () => token({ exp: undefined }),
    'no beginning': () => token({ iat: undefined }),
    'an end that is a text': () => token({ exp: String(seconds + 60) }),
    'an end that is null': () => token({ exp: null }),
    'an end in a list': () => token({ exp: [seconds + 60] }),
    'a beginning that is a text': () => token({ iat: String(seconds) }),
    'a not-before that is a text': () => token({ nbf: 'tomorrow' }),
  },
  lifetime: {
    'a token for a year': () => token({ exp: seconds + 365 * 86_400 }),
    'a token for a second more than allowed': () => token({ exp: seconds + 90_001 }),
    'a token without an end to speak of': () => issuer.sign(withRaw('"exp":1e999')),
    'an old token for a year': () => token({ iat: seconds - 200_000, exp: seconds + 60 }),
  },
}

/** Valid claims with one more that JSON can represent and JSON.stringify cannot. */
function withRaw(claim: string): string {
  return JSON.stringify(issuer.claims(clock.now())).replace(/\}$/, `,${claim}}`)
}

for (const [reason, tokens] of Object.entries(hostile)) {
  describe(`refused for its ${reason}`, () => {
    for (const [title, make] of Object.entries(tokens)) {
      test(title, async () => {
        assert.deepEqual(await verifier.verify(make()), { ok: false, reason })
      })
    }
  })
}

test('the token the hostile ones are made from is good', async () => {
  const verdict = await verifier.verify(token())
  assert.equal(verdict.ok, true)
})

test('all the hostile tokens together cost the issuer one discovery and one key set, and a stranger nothing', () => {
  assert.equal(issuer.fetches, 2)
  assert.equal(stranger.fetches, 0)
})

test('hostile tokens leave nothing of themselves in the log', () => {
  assert.deepEqual(log.lines, [])
})
