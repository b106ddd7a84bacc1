import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, mock, test } from 'node:test'

import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'

import {
  createDevelopmentProvider,
  type DevelopmentProvider,
} from '../../src/identity/development/provider.ts'
import {
  developmentNamespace,
  sampleUsers,
  type SampleUser,
} from '../../src/identity/development/sample-users.ts'
import { createTokenVerifier, type TokenVerifier } from '../../src/identity/issuers.ts'
import { userId } from '../../src/identity/user-id.ts'
import { browser, type Page } from './browser.ts'
import { recordingLog } from './clock-and-log.ts'

const audience = 'https://api.test'
const redirectUri = 'http://127.0.0.1:53111/callback'
const everything = 'openid profile email offline_access'
const insecure = { execute: [client.allowInsecureRequests] }
const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map(name => mock.method(console, name))

let folder: string
let server: Server
let origin: string
let issuer: string
let provider: DevelopmentProvider
let verifier: TokenVerifier
let config: client.Configuration

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wbs-identity-test-'))
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  origin = `http://127.0.0.1:${address.port}`
  issuer = `${origin}/identity`
  const log = recordingLog()
  provider = await createDevelopmentProvider({ issuer, audience, keyFile: join(folder, 'keys.json'), log })
  server.on('request', (request, response) => provider.handle(request, response))
  verifier = createTokenVerifier([{ issuer, audience, namespace: developmentNamespace }], { log })
  config = await client.discovery(new URL(issuer), 'wbs-development', undefined, client.None(), insecure)
})
after(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true })
})

/** A sign-in a client begins: the address to send the browser to, and what it checks the answer by. */
async function beginSignIn(parameters: Record<string, string> = {}, as = config) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(as, {
    redirect_uri: redirectUri,
    scope: everything,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...parameters,
  })
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } }
}

/** A whole sign-in, from the client's first step to its tokens. */
async function signIn(key: SampleUser['key'], parameters: Record<string, string> = {}, as = config) {
  const { url, checks } = await beginSignIn(parameters, as)
  const visitor = browser(origin)
  const arrived = await visitor.submit(await visitor.go(url), { user: key })
  return { visitor, tokens: await client.authorizationCodeGrant(as, arrived.url, checks) }
}

/** Asks with a Host header of one's choice, which fetch doesn't allow. */
async function askAs(host: string, path: string): Promise<number> {
  const request = httpRequest(origin + path, { headers: { host } }).end()
  const [response] = await once(request, 'response')
  response.resume()
  return response.statusCode
}

function sampleUser(key: SampleUser['key']): SampleUser {
  const user = sampleUsers.find(one => one.key === key)
  assert.ok(user)
  return user
}

describe('signing in', () => {
  for (const user of sampleUsers) {
    test(`as ${user.key} gives a token the service accepts`, async () => {
      const { tokens } = await signIn(user.key)
      const verdict = await verifier.verify(tokens.access_token)
      assert.ok(verdict.ok === true, JSON.stringify(verdict))
      const isAnonymous = user.key === 'anonymous'
      assert.deepEqual(verdict.user, {
        user_id: userId(developmentNamespace, user.subject),
        issuer,
        subject: user.subject,
        email: isAnonymous ? null : user.email,
        email_verified: !isAnonymous,
        name: user.name,
        is_anonymous: isAnonymous,
        client: { id: 'wbs-development', name: 'Development client' },
        expires_at: verdict.user.expires_at,
      })
      assert.equal(tokens.expires_in, 86_400)
    })
  }

  for (const port of ['', ':1', ':65535']) {
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      test(`may end on this machine at ${host}${port}`, async () => {
        const { url } = await beginSignIn({ redirect_uri: `http://${host}${port}/callback` })
        const visitor = browser(origin)
        const arrived = await visitor.submit(await visitor.go(url), { user: 'owner' })
        assert.ok(arrived.url.searchParams.has('code'))
      })
    }
  }

  test('may not end anywhere else', async () => {
    for (const redirect of [
      'https://evil.example/callback',
      'http://127.0.0.1:80/other',
      'http://10.0.0.1/callback',
    ]) {
      const { url } = await beginSignIn({ redirect_uri: redirect })
      const page = await browser(origin).go(url)
      assert.equal(page.status, 400)
      assert.equal(page.url.origin, origin)
    }
  })

  test('without PKCE is refused', async () => {
    const { url } = await beginSignIn()
    url.searchParams.delete('code_challenge')
    url.searchParams.delete('code_challenge_method')
    const page = await browser(origin).go(url)
    assert.equal(page.url.searchParams.get('error'), 'invalid_request')
  })

  test('a code is good for one exchange, with its verifier', async () => {
    const { url, checks } = await beginSignIn()
    const visitor = browser(origin)
    const { url: callback } = await visitor.submit(await visitor.go(url), { user: 'owner' })
    const wrong = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    await assert.rejects(client.authorizationCodeGrant(config, callback, wrong), { error: 'invalid_grant' })
    const { url: again, checks: others } = await beginSignIn()
    const second = await visitor.go(again)
    await client.authorizationCodeGrant(config, second.url, others)
    await assert.rejects(client.authorizationCodeGrant(config, second.url, others), {
      error: 'invalid_grant',
    })
  })

  test('once signed in, the next client is not asked again, unless it wants to be', async () => {
    const { visitor } = await signIn('viewer')
    const quiet = await visitor.go((await beginSignIn({ prompt: 'none' })).url)
    assert.ok(quiet.url.searchParams.has('code'))
    for (const prompt of ['login', 'select_account']) {
      const page = await visitor.go((await beginSignIn({ prompt })).url)
      assert.match(page.html, /Sign in as…/)
      const arrived = await visitor.submit(page, { user: 'viewer' })
      assert.ok(arrived.url.searchParams.has('code'))
    }
  })

  test('consent may be asked for, and is given', async () => {
    const { tokens } = await signIn('member', { prompt: 'consent' })
    assert.ok(tokens.access_token)
  })

  test('somebody else can sign in where one is signed in', async () => {
    const { visitor } = await signIn('viewer')
    const { url, checks } = await beginSignIn({ prompt: 'login' })
    let page = await visitor.submit(await visitor.go(url), { user: 'admin' })
    // The provider ends the old session first, by a form that sends itself.
    for (let form = 0; form < 3 && page.url.origin === origin; form += 1)
      page = await visitor.submit(page, {})
    const tokens = await client.authorizationCodeGrant(config, page.url, checks)
    assert.equal(tokens.claims()?.sub, 'sample-admin')
  })

  test('nobody signed in and no page wanted: the client is told', async () => {
    const page = await browser(origin).go((await beginSignIn({ prompt: 'none' })).url)
    assert.equal(page.url.searchParams.get('error'), 'login_required')
  })

  test('without a scope gives a token, too', async () => {
    const { url, checks } = await beginSignIn()
    url.searchParams.delete('scope')
    const visitor = browser(origin)
    const arrived = await visitor.submit(await visitor.go(url), { user: 'owner' })
    const tokens = await client.authorizationCodeGrant(config, arrived.url, checks)
    assert.equal((await verifier.verify(tokens.access_token)).ok, true)
  })

  test('for a resource of the service gives a token for the service; for another, none', async () => {
    const { tokens } = await signIn('owner', { resource: `${origin}/mcp` })
    assert.equal(decodeJwt(tokens.access_token).aud, audience)
    await signIn('owner', { resource: audience })
    const page = await browser(origin).go((await beginSignIn({ resource: 'https://other.test' })).url)
    assert.equal(page.url.searchParams.get('error'), 'invalid_target')
  })
})

async function openSignIn(visitor = browser(origin)): Promise<Page> {
  return visitor.go((await beginSignIn()).url)
}

describe('the page that asks whom to sign in', () => {
  test('has a language, a title, one heading, and a button with a name for each user', async () => {
    const { html, status } = await openSignIn()
    assert.equal(status, 200)
    assert.match(html, /<html lang="en">/)
    assert.match(html, /<title>Sign in as…<\/title>/)
    assert.equal(html.match(/<h1>/g)?.length, 1)
    for (const user of sampleUsers) {
      assert.ok(html.includes(`<button name="user" value="${user.key}">${user.name}`))
    }
  })

  test('loads nothing, runs nothing and can’t be framed', async () => {
    const { headers, html } = await openSignIn()
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.doesNotMatch(html, /<script|src=|https?:\/\/|@import/i)
  })

  test('cancelling tells the client', async () => {
    for (const user of ['', 'root', '__proto__']) {
      const visitor = browser(origin)
      const arrived = await visitor.submit(await openSignIn(visitor), { user })
      assert.equal(arrived.url.searchParams.get('error'), 'access_denied')
    }
  })

  test('a form of a megabyte signs nobody in', async () => {
    const visitor = browser(origin)
    const page = await openSignIn(visitor)
    const arrived = await visitor.submit(page, { user: 'owner', junk: 'x'.repeat(1_000_000) })
    assert.equal(arrived.url.searchParams.get('error'), 'access_denied')
  })

  test('without the browser’s cookie there is nothing to sign in to', async () => {
    const page = await openSignIn()
    const stranger = browser(origin)
    assert.equal((await stranger.go(page.url)).status, 400)
    assert.equal((await stranger.submit(page, { user: 'owner' })).status, 400)
  })

  test('one sign-in’s cookie does not open another', async () => {
    const { url } = await beginSignIn()
    const first = await fetch(url, { redirect: 'manual' })
    const second = await fetch(url, { redirect: 'manual' })
    const cookie = first.headers
      .getSetCookie()
      .map(line => line.split(';')[0])
      .join('; ')
    const statusAt = async (answer: Response) => {
      const page = new URL(answer.headers.get('location') ?? '', origin)
      return (await fetch(page, { headers: { cookie } })).status
    }
    assert.equal(await statusAt(first), 200)
    assert.equal(await statusAt(second), 400)
  })

  test('a finished sign-in cannot be used again', async () => {
    const visitor = browser(origin)
    const page = await openSignIn(visitor)
    await visitor.submit(page, { user: 'owner' })
    assert.equal((await visitor.submit(page, { user: 'admin' })).status, 400)
  })

  test('two sign-ins in one browser do not take each other’s', async () => {
    const visitor = browser(origin)
    const [first, second] = [await openSignIn(visitor), await openSignIn(visitor)]
    assert.notEqual(first.url.href, second.url.href)
    const arrived = await visitor.submit(first, { user: 'owner' })
    assert.ok(arrived.url.searchParams.has('code'))
  })

  test('escapes what a client says of itself', async () => {
    const name = `<script>alert("1")</script>&'<img src=x>`
    const hostile = await client.dynamicClientRegistration(
      new URL(issuer),
      { client_name: name, redirect_uris: ['http://127.0.0.1/callback'], application_type: 'native' },
      client.None(),
      insecure,
    )
    const { html } = await browser(origin).go((await beginSignIn({}, hostile)).url)
    assert.doesNotMatch(html, /<script|<img/)
    assert.ok(html.includes('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;&#60;img'))
  })

  test('escapes what a request says in an error', async () => {
    const url = new URL(`${issuer}/auth`)
    url.search = String(new URLSearchParams({ client_id: '<script>alert(1)</script>', response_type: '<b>' }))
    const page = await browser(origin).go(url)
    assert.equal(page.status, 400)
    assert.doesNotMatch(page.html, /<script|<b>/)
  })
})

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
    assert.match((await visitor.submit(codePage, { user_code: 'WRNG-CODE' })).html, /That code is not/)
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

/** What is the same in every token of a user: the claims, in their order, and how long they hold. */
function shapeOf(token: string): unknown[] {
  const { jti, iat = 0, exp = 0, ...rest } = decodeJwt(token)
  return [Object.keys(decodeJwt(token)), rest, exp - iat, typeof jti]
}

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

function exchangeFrom(origin: string): Promise<Response> {
  return fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'wbs-development', code: 'x' }),
  })
}

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
