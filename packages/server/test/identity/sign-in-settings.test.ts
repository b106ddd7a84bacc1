import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/config-values.ts'

const issuers = {
  OIDC_ISSUERS: 'https://one.example, https://two.example/',
  OIDC_AUDIENCE: 'https://api.example',
}
const two = { issuer: 'https://two.example/', client_id: 'app' }
const signIn = (env: NodeJS.ProcessEnv) => readConfig({ ...issuers, ...env }).signIn

describe('OIDC_CLIENT_IDS and OIDC_SCOPE', () => {
  it('name the public client of each issuer in order, and what it asks for', () => {
    assert.deepEqual(signIn({}), [])
    const scope = 'openid profile email offline_access'
    const parameters = { resource: 'https://api.example', audience: 'https://api.example' }
    for (const ids of ['-,app', ' ,app', '- , app'])
      assert.deepEqual(signIn({ OIDC_CLIENT_IDS: ids }), [{ ...two, scope, parameters }])
    assert.deepEqual(
      signIn({ OIDC_CLIENT_IDS: 'first', OIDC_SCOPE: 'openid api://x/use' }).map(one => [
        one.issuer,
        one.client_id,
        one.scope,
      ]),
      [['https://one.example', 'first', 'openid api://x/use']],
    )
  })

  it('ask for a resource only where the audience is a URI', () => {
    const [client] = readConfig({
      OIDC_ISSUERS: 'https://one.example',
      OIDC_AUDIENCE: 'the-service',
      OIDC_CLIENT_IDS: 'app',
    }).signIn
    assert.deepEqual(client?.parameters, { audience: 'the-service' })
  })

  it('are refused with one sentence where they are wrong', () => {
    for (const [env, says] of [
      [{ ...issuers, OIDC_CLIENT_IDS: 'a,b,c' }, /^OIDC_CLIENT_IDS has 3 ids for 2 issuers: [^\n]*\.$/],
      [{ ...issuers, OIDC_CLIENT_IDS: 'a b' }, /^OIDC_CLIENT_IDS must be [^\n]*\.$/],
      [{ ...issuers, OIDC_CLIENT_IDS: 'a'.repeat(256) }, /^OIDC_CLIENT_IDS must be [^\n]*\.$/],
      [{ OIDC_CLIENT_IDS: 'a' }, /^OIDC_CLIENT_IDS needs OIDC_ISSUERS: [^\n]*\.$/],
      [{ ...issuers, OIDC_SCOPE: 'openid,email"' }, /^OIDC_SCOPE must be [^\n]*\.$/],
      [{ ...issuers, OIDC_SCOPE: 'openid  email' }, /^OIDC_SCOPE must be [^\n]*\.$/],
    ] as const)
      assert.throws(
        () => readConfig(env),
        error => error instanceof ConfigError && says.test(error.message),
      )
  })
})
