import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { decodeJwt } from 'jose'
import * as client from 'openid-client'

import { developmentNamespace, sampleUsers } from '../../src/identity/development/sample-users.ts'
import { userId } from '../../src/identity/user-id.ts'
import { browser } from './browser.ts'
import {
  audience,
  insecure,
  printed,
  origin,
  issuer,
  verifier,
  config,
  beginSignIn,
  signIn,
  openSignIn,
  useDevelopmentIdentity,
} from './development-fixture.ts'

useDevelopmentIdentity()

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

  test('with any other address gives a token for it, always of the same person', async () => {
    const verified = async (email: string) => {
      const { url, checks } = await beginSignIn()
      const visitor = browser(origin)
      const arrived = await visitor.submit(await visitor.go(url), { email })
      const tokens = await client.authorizationCodeGrant(config, arrived.url, checks)
      const verdict = await verifier.verify(tokens.access_token)
      assert.ok(verdict.ok === true, JSON.stringify(verdict))
      const { user_id, email: address, email_verified } = verdict.user
      return { user_id, address, email_verified }
    }
    const subject = 'address-kim+deal@bakery.example'
    const kim = {
      user_id: userId(developmentNamespace, subject),
      address: 'kim+deal@bakery.example',
      email_verified: true,
    }
    assert.deepEqual(await verified(' Kim+deal@Bakery.example '), kim)
    assert.deepEqual(await verified('kim+deal@bakery.example'), kim)
    const [owner] = sampleUsers
    assert.equal(
      (await verified(owner?.email ?? '')).user_id,
      userId(developmentNamespace, owner?.subject ?? ''),
    )
  })

  test('with what is no address signs nobody in', async () => {
    for (const email of [
      '',
      'kim',
      '@',
      'kim@',
      'a b@example.com',
      'k@m@example.com',
      `${'k'.repeat(200)}@x.example`,
    ]) {
      const visitor = browser(origin)
      const arrived = await visitor.submit(await openSignIn(visitor), { email })
      assert.equal(arrived.url.searchParams.get('error'), 'access_denied', email)
    }
  })

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

test('nothing of all this was printed', () => {
  for (const { mock } of printed)
    assert.deepEqual(
      mock.calls.map(call => call.arguments),
      [],
    )
})
