import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'

import { createDevelopmentProvider } from '../../src/identity/development/provider.ts'
import { createTokenVerifier } from '../../src/identity/issuers.ts'
import { browser } from './browser.ts'
import { recordingLog } from './clock-and-log.ts'
import {
  audience,
  everything,
  insecure,
  printed,
  folder,
  origin,
  issuer,
  provider,
  verifier,
  config,
  beginSignIn,
  signIn,
  askAs,
  sampleUser,
  shapeOf,
  exchangeFrom,
  useDevelopmentIdentity,
} from './development-fixture.ts'

useDevelopmentIdentity()

describe('what follows a sign-in', () => {
  test('a refresh token gives new tokens, and can be revoked', async () => {
    const { tokens } = await signIn('member')
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.notEqual(refreshed.access_token, tokens.access_token)
    const verdict = await verifier.verify(refreshed.access_token)
    assert.ok(verdict.ok === true && verdict.user.subject === 'sample-member')
    const newest = refreshed.refresh_token ?? ''
    await client.tokenRevocation(config, newest)
    await assert.rejects(client.refreshTokenGrant(config, newest), { error: 'invalid_grant' })
  })

  test('a refresh token used twice ends the grant', async () => {
    const { tokens } = await signIn('member')
    const first = tokens.refresh_token ?? ''
    const { refresh_token: second = '' } = await client.refreshTokenGrant(config, first)
    await assert.rejects(client.refreshTokenGrant(config, first), { error: 'invalid_grant' })
    await assert.rejects(client.refreshTokenGrant(config, second), { error: 'invalid_grant' })
  })

  test('userinfo says whose token it is', async () => {
    const { tokens } = await signIn('admin')
    const info = await client.fetchUserInfo(config, tokens.access_token, 'sample-admin')
    const user = sampleUser('admin')
    assert.deepEqual(
      { ...info },
      {
        sub: user.subject,
        email: user.email,
        email_verified: true,
        name: user.name,
        is_anonymous: false,
      },
    )
  })

  test('userinfo has no answer to any other token', async () => {
    const { tokens } = await signIn('admin')
    const other = await createDevelopmentProvider({
      issuer,
      audience,
      keyFile: join(folder, 'other-keys.json'),
      log: recordingLog(),
    })
    const forged = await other.mintAccessToken(sampleUser('owner'))
    for (const token of ['', 'x', forged, tokens.id_token ?? '', tokens.refresh_token ?? '']) {
      const response = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(response.status, 401)
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
    }
  })

  test('the ID token is none of the service’s', async () => {
    const { tokens } = await signIn('owner')
    const idToken = tokens.id_token ?? ''
    assert.deepEqual(await verifier.verify(idToken), { ok: false, reason: 'audience' })
    const careless = createTokenVerifier([{ issuer, audience: 'wbs-development' }], { log: recordingLog() })
    assert.deepEqual(await careless.verify(idToken), { ok: false, reason: 'type' })
  })

  test('the service in the same process verifies them by the public key, and fetches nothing', async () => {
    const { tokens } = await signIn('member')
    const near = createTokenVerifier([{ issuer, audience, keys: provider.keys }], {
      fetch: () => assert.fail('It fetches.'),
      log: recordingLog(),
    })
    const verdict = await near.verify(tokens.access_token)
    assert.ok(verdict.ok === true && verdict.user.subject === 'sample-member')
    const other = await createDevelopmentProvider({
      issuer,
      audience,
      keyFile: join(folder, 'yet-other-keys.json'),
      log: recordingLog(),
    })
    const forged = await other.mintAccessToken(sampleUser('member'))
    assert.deepEqual(await near.verify(forged), { ok: false, reason: 'signature' })
    for (const key of provider.keys)
      assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  test('signing out ends the session and leads back', async () => {
    const { visitor, tokens } = await signIn('owner')
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'http://127.0.0.1:53111/',
      state: 'back',
    })
    const page = await visitor.go(url)
    assert.match(page.html, /Sign out\?/)
    const arrived = await visitor.submit(page, { logout: 'yes' })
    assert.equal(arrived.url.href, 'http://127.0.0.1:53111/?state=back')
    assert.match((await visitor.go((await beginSignIn()).url)).html, /Sign in as…/)
  })

  test('signing out without a place to go back to says so', async () => {
    const { visitor } = await signIn('owner')
    const page = await visitor.submit(await visitor.go(`${issuer}/session/end`), { logout: 'yes' })
    assert.match(page.html, /Signed out/)
  })
})

describe('other ways in', () => {
  test('a client registers itself and signs somebody in', async () => {
    const registered = await client.dynamicClientRegistration(
      new URL(issuer),
      {
        client_name: 'A console',
        redirect_uris: ['https://console.example/callback'],
        token_endpoint_auth_method: 'none',
      },
      client.None(),
      insecure,
    )
    const { tokens } = await signIn('owner', { redirect_uri: 'https://console.example/callback' }, registered)
    const verdict = await verifier.verify(tokens.access_token)
    assert.ok(verdict.ok === true)
    assert.equal(verdict.user.client?.name, 'A console')
    assert.notEqual(verdict.user.client?.id, 'wbs-development')
    assert.ok(tokens.refresh_token)
  })

  test('a client with a secret, too', async () => {
    const metadata = { redirect_uris: ['http://localhost:6274/callback'] }
    const registered = await client.dynamicClientRegistration(new URL(issuer), metadata, undefined, insecure)
    const { tokens } = await signIn('owner', { redirect_uri: metadata.redirect_uris[0] ?? '' }, registered)
    assert.equal((await verifier.verify(tokens.access_token)).ok, true)
    const { url } = await beginSignIn({ redirect_uri: metadata.redirect_uris[0] ?? '' }, registered)
    url.searchParams.delete('code_challenge')
    url.searchParams.delete('code_challenge_method')
    const page = await browser(origin).go(url)
    assert.equal(page.url.searchParams.get('error'), 'invalid_request', 'PKCE is asked of it as well')
  })

  test('a device shows a code, and its owner enters it', async () => {
    const device = await client.initiateDeviceAuthorization(config, { scope: everything })
    const visitor = browser(origin)
    const codePage = await visitor.go(device.verification_uri)
    assert.match(codePage.html, /Enter the code/)
    assert.match((await visitor.submit(codePage, { user_code: 'WRNG-CODE' })).html, /That code is wrong/)
    const confirmPage = await visitor.submit(await visitor.go(device.verification_uri), {
      user_code: device.user_code,
    })
    assert.ok(confirmPage.html.includes(device.user_code))
    const page = await visitor.submit(confirmPage, {})
    assert.match((await visitor.submit(page, { user: 'owner' })).html, /Signed in/)
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.1 })
    assert.equal((await verifier.verify(tokens.access_token)).ok, true)
  })
})

describe('minting', () => {
  test('gives a token like the provider’s own', async () => {
    const { tokens } = await signIn('owner')
    const minted = await provider.mintAccessToken(sampleUser('owner'))
    assert.deepEqual(decodeProtectedHeader(minted), decodeProtectedHeader(tokens.access_token))
    assert.equal(decodeProtectedHeader(minted).typ, 'at+jwt')
    assert.deepEqual(shapeOf(minted), shapeOf(tokens.access_token))
  })

  test('is good for as long as asked', async () => {
    const { iat = 0, exp = 0 } = decodeJwt(
      await provider.mintAccessToken(sampleUser('owner'), { lifetimeSeconds: 90 }),
    )
    assert.equal(exp - iat, 90)
  })
})

describe('where it is reached', () => {
  test('the metadata names its own addresses, whatever the request calls it', async () => {
    const metadata = config.serverMetadata()
    for (const [name, value] of Object.entries(metadata)) {
      if (/_(?:endpoint|uri)$/.test(name))
        assert.ok(typeof value === 'string' && value.startsWith(`${issuer}/`), name)
    }
    const port = new URL(issuer).port
    const other = await fetch(`http://localhost:${port}/identity/.well-known/openid-configuration`).catch(
      () => null,
    )
    if (other !== null) assert.deepEqual(await other.json(), { ...metadata })
    const forwarded = await fetch(`${issuer}/.well-known/openid-configuration`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    assert.deepEqual(await forwarded.json(), { ...metadata })
  })

  test('with the path of the issuer stripped or not, and at RFC 8414’s place', async () => {
    for (const path of [
      '/identity/.well-known/openid-configuration',
      '/.well-known/openid-configuration',
      '/identity/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/identity',
    ]) {
      const response = await fetch(origin + path)
      const document: unknown = await response.json()
      assert.ok(typeof document === 'object' && document !== null && 'issuer' in document, path)
      assert.equal(document.issuer, issuer)
    }
  })

  test('a page whose host name is made to lead here gets nothing', async () => {
    const port = new URL(issuer).port
    const path = '/identity/.well-known/openid-configuration'
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${port}`,
    ]) {
      assert.equal(await askAs(host, path), 421, host)
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      assert.equal(await askAs(host, path), 200, host)
    }
  })

  test('pages of this machine may exchange a code; pages from elsewhere may not', async () => {
    const near = await exchangeFrom('http://localhost:5173')
    assert.equal(near.headers.get('access-control-allow-origin'), 'http://localhost:5173')
    const far = await exchangeFrom('https://evil.example')
    assert.equal(far.headers.get('access-control-allow-origin'), null)
  })

  test('an unknown path is not found, and no target breaks it', async () => {
    assert.equal((await fetch(`${issuer}/nothing`)).status, 404)
    assert.equal((await fetch(`${issuer}//[`)).status, 404)
    assert.equal((await fetch(issuer)).status, 404)
  })
})

test('nothing of all this was printed', () => {
  for (const { mock } of printed)
    assert.deepEqual(
      mock.calls.map(call => call.arguments),
      [],
    )
})
