import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signInClients } from '../../../src/identity/sign-in-settings.ts'
import { startTestService, type TestService } from '../../harness/service.ts'

let service: TestService
before(async () => {
  service = await startTestService({
    signIn: ({ issuer, audience }) => signInClients([{ issuer, audience }], ['the-page'], 'openid email'),
  })
})
after(() => service.close())

describe('GET /.well-known/oauth-protected-resource', () => {
  it('says whose tokens are trusted, and with which client a person signs in', async () => {
    const { status, headers, body } = await service.request('/.well-known/oauth-protected-resource')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    const { issuer, audience } = service.issuer
    assert.deepEqual(body, {
      resource: service.base_url,
      resource_name: 'Workspace Business Service',
      resource_documentation: `${service.base_url}/docs`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      sign_in: [
        {
          issuer,
          client_id: 'the-page',
          scope: 'openid email',
          parameters: { resource: audience, audience },
        },
      ],
    })
  })

  it('is for everybody, from any origin, and may be kept', async () => {
    const { status, headers } = await service.request('/.well-known/oauth-protected-resource', {
      headers: { origin: 'https://elsewhere.example' },
    })
    assert.equal(status, 200)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=/)
    const again = await service.request('/.well-known/oauth-protected-resource', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304)
  })

  it('is named by an answer to a request without a valid credential, and by no other', async () => {
    for (const token of [undefined, 'wrong']) {
      const init = token === undefined ? {} : { token }
      const { status, headers } = await service.request('/v1/workspaces', init)
      assert.equal(status, 401)
      const named = /^Bearer realm="svc".*, resource_metadata="([^"]*)"$/.exec(
        headers.get('www-authenticate') ?? '',
      )?.[1]
      assert.equal(named, `${service.base_url}/.well-known/oauth-protected-resource`)
    }
    const { headers } = await service.request('/nowhere')
    assert.equal(headers.get('www-authenticate'), null)
  })
})
