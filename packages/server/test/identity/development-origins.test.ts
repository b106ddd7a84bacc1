import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { browser } from './browser.ts'
import { app, beginSignIn, issuer, origin, verifier, useDevelopmentIdentity } from './development-fixture.ts'

useDevelopmentIdentity()

/** Sends a request as a browser does for a page of this origin. */
const askFrom = (
  from: string,
  path: string,
  {
    headers = {},
    ...init
  }: { method?: string; headers?: Record<string, string>; body?: URLSearchParams } = {},
) => fetch(issuer + path, { ...init, headers: { ...headers, origin: from } })
const allowedBy = (answer: Response) => answer.headers.get('access-control-allow-origin')

describe('a web app of an allowed origin', () => {
  test('signs somebody in: redirect, code, token and userinfo', async () => {
    const redirect_uri = `${app}/callback`
    const { url, checks } = await beginSignIn({ redirect_uri })
    const visitor = browser(origin)
    const arrived = await visitor.submit(await visitor.go(url), { user: 'owner' })
    assert.equal(arrived.url.origin + arrived.url.pathname, redirect_uri)
    const asked = await askFrom(app, '/token', {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST' },
    })
    assert.deepEqual([asked.status, allowedBy(asked)], [204, app])
    const answer = await askFrom(app, '/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'wbs-development',
        redirect_uri,
        code: arrived.url.searchParams.get('code') ?? '',
        code_verifier: checks.pkceCodeVerifier,
      }),
    })
    assert.deepEqual([answer.status, allowedBy(answer)], [200, app])
    const { access_token } = (await answer.json()) as { access_token: string }
    assert.equal((await verifier.verify(access_token)).ok, true)
    const info = await askFrom(app, '/me', { headers: { authorization: `Bearer ${access_token}` } })
    assert.equal(info.status, 200)
    assert.ok([app, '*'].includes(allowedBy(info) ?? ''))
  })

  test('finds the metadata and the keys', async () => {
    for (const path of ['/.well-known/openid-configuration', '/jwks']) {
      const answer = await askFrom(app, path)
      assert.deepEqual([answer.status, allowedBy(answer)], [200, app], path)
    }
  })
})

describe('a web app of another origin', () => {
  test('gets no code, since nobody is led back to it', async () => {
    const { url } = await beginSignIn({ redirect_uri: 'https://other.example.com/callback' })
    const page = await browser(origin).go(url)
    assert.deepEqual([page.url.origin, page.status], [origin, 400])
    assert.match(page.html, /redirect_uri/)
  })

  test('exchanges no code that it came by', async () => {
    const redirect_uri = `${app}/callback`
    const { url, checks } = await beginSignIn({ redirect_uri })
    const visitor = browser(origin)
    const arrived = await visitor.submit(await visitor.go(url), { user: 'owner' })
    const answer = await askFrom('https://other.example.com', '/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'wbs-development',
        redirect_uri,
        code: arrived.url.searchParams.get('code') ?? '',
        code_verifier: checks.pkceCodeVerifier,
      }),
    })
    assert.deepEqual([answer.status, allowedBy(answer)], [400, null])
  })
})
