import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as client from 'openid-client'
import { browser } from './browser.ts'
import { config, issuer, everything, origin, useDevelopmentIdentity } from './development-fixture.ts'

useDevelopmentIdentity()

const form = 'application/x-www-form-urlencoded'
const long = 'x'.repeat(100_000)

/** Bodies that an endpoint may not expect: of another type, malformed, too long, or none. */
const bodies: readonly [content_type: string | null, body: string][] = [
  [null, ''],
  ['application/json', '{"user_code":"WRNG-CODE"}'],
  ['application/json', '{'],
  ['application/json', 'null'],
  ['application/json', '[]'],
  ['application/json', `{"a":"${long}"}`],
  ['text/plain', 'user_code=WRNG-CODE'],
  ['multipart/form-data; boundary=a', '--a--'],
  ['garbage', 'x'],
  [form, ''],
  [form, 'user_code=%zz'],
  [form, 'user_code=a&user_code=b&xsrf=a'],
  [form, 'client_id=wbs-development&xsrf=%00&user_code[]=%00&__proto__=x'],
  [`${form}; charset=nonsense`, 'user_code=a'],
  [form, `user_code=${long}`],
]

const paths = [
  '/auth',
  '/auth/abc',
  '/device',
  '/device?user_code=%zz',
  '/device?user_code=1&user_code=2',
  '/device/abc',
  '/device/auth',
  '/token',
  '/token/revocation',
  '/token/introspection',
  '/reg',
  '/reg/abc',
  '/request',
  '/session/end',
  '/session/end/confirm',
  '/jwks',
  '/me',
  '/sign-in/abc',
  '/nothing',
  '',
  '/%zz',
]

const post = (path: string, content_type: string | null, body: string, accept: string) =>
  fetch(`${issuer}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept, ...(content_type !== null && { 'content-type': content_type }) },
    body: new TextEncoder().encode(body),
  })

describe('the development identity refuses what it cannot read', () => {
  for (const path of paths)
    test(`at ${path || '/'}, and does not fail`, async () => {
      for (const [content_type, body] of bodies)
        for (const accept of ['text/html', 'application/json']) {
          const { status } = await post(path, content_type, body, accept)
          assert.ok(status < 500, `${status} to ${content_type} ${body.slice(0, 40)}`)
        }
    })

  test('with the reason, to a client that posts a code as JSON', async () => {
    const answer = await post('/device', 'application/json', '{"user_code":"WRNG-CODE"}', 'application/json')
    assert.equal(answer.status, 400)
    assert.deepEqual(await answer.json(), {
      error: 'invalid_request',
      error_description: `only ${form} content-type bodies are supported on POST /device`,
    })
  })

  test('with a page that says what to do, to a browser whose form is over', async () => {
    const answer = await post('/device', form, 'user_code=WRNG-CODE', 'text/html')
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /Open the page again and enter the code that your device shows\./)
    assert.equal(answer.headers.get('set-cookie'), null)
  })

  test('with the form again, to a browser whose form is not the last that it opened', async () => {
    const { verification_uri, user_code } = await client.initiateDeviceAuthorization(config, {
      scope: everything,
    })
    const visitor = browser(origin)
    const first = await visitor.go(verification_uri)
    await visitor.go(verification_uri)
    const refused = await visitor.submit(first, { user_code })
    assert.equal(refused.status, 400)
    assert.doesNotMatch(refused.html, /wrong/)
    assert.ok((await visitor.submit(refused, { user_code })).html.includes(user_code))
  })
})
