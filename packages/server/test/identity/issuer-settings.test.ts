import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { issuerSettings } from '../../src/identity/issuer-settings.ts'

const audience = 'https://api.test'

describe('an issuer’s URL', () => {
  const good = [
    'https://tenant.eu.auth0.com/',
    'https://login.microsoftonline.com/8a1c/v2.0',
    'https://keycloak.example:8443/realms/main',
    'http://127.0.0.1:8080/identity',
    'http://127.8.9.10',
    'http://[::1]:8080',
    'http://localhost:3000/',
  ]
  for (const url of good) {
    test(`${url} is taken exactly`, () => {
      assert.deepEqual(issuerSettings([url], audience), [{ issuer: url, audience }])
    })
  }

  const bad: Record<string, RegExp> = {
    'http://issuer.example': /must use https/,
    'http://127.0.0.1.issuer.example': /must use https/,
    'http://localhost.issuer.example': /must use https/,
    'http://10.0.0.1': /must use https/,
    'http://[::ffff:127.0.0.1]': /must use https/,
    'https://user:secret@issuer.example': /user name or password/,
    'https://user@issuer.example': /user name or password/,
    'https://issuer.example?tenant=1': /query/,
    'https://issuer.example/?': /query/,
    'https://issuer.example#x': /fragment/,
    'https://issuer.example/#': /fragment/,
    'ftp://issuer.example': /not an https URL/,
    'issuer.example': /not a URL/,
    ' https://issuer.example': /not a URL/,
    '': /not a URL/,
  }
  for (const [url, message] of Object.entries(bad)) {
    test(`"${url}" is refused in one sentence`, () => {
      assert.throws(
        () => issuerSettings(['https://good.example', url], audience),
        error => {
          assert.ok(error instanceof Error)
          assert.match(error.message, message)
          assert.match(error.message, /^[^\n]+\.$/)
          assert.doesNotMatch(error.message, /secret/)
          return true
        },
      )
    })
  }
})

test('issuers without an audience are refused', () => {
  for (const missing of ['', '  ']) {
    assert.throws(() => issuerSettings(['https://issuer.example'], missing), /without the audience/)
  }
})

test('no issuers need no audience', () => {
  assert.deepEqual(issuerSettings([], ''), [])
})
