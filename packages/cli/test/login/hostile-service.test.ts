import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startTestIssuer, type TestIssuer } from '../../../server/test/harness/issuer.ts'
import { openTerminal, pagePattern, type Terminal } from './terminal.ts'

describe('wbs login at a service that sends it elsewhere', () => {
  let server: Server
  let url: string
  let answer: { status: number; body: string }
  let issuer: TestIssuer
  let terminal: Terminal
  before(async () => {
    server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    issuer = await startTestIssuer()
    terminal = await openTerminal()
  })
  after(async () => {
    server.close()
    server.closeAllConnections()
    await issuer.close()
    await terminal.remove()
  })

  const client = (at: string, parameters: object = {}) => ({
    issuer: at,
    client_id: 'wbs',
    scope: 'openid',
    parameters,
  })
  const says = (metadata: object) =>
    (answer = {
      status: 200,
      body: JSON.stringify({ resource: url, authorization_servers: [], ...metadata }),
    })

  async function refused(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await terminal.run(['login', '--url', url, ...args])
    assert.deepEqual([code, stdout], [1, ''])
    assert.equal(stderr.split('\n').length, 2, stderr)
    return stderr
  }

  it('refuses an issuer to which no secret may be sent', async () => {
    for (const address of [
      'http://issuer.example',
      'file:///etc/passwd',
      'https://user:secret@issuer.example',
      'javascript:alert(1)',
      'issuer',
    ]) {
      says({ sign_in: [client(address)] })
      assert.match(
        await refused(),
        /^wbs does not sign you in at .*: .* is neither https nor on this machine/,
      )
    }
  })

  it('refuses an issuer that sends tokens elsewhere', async () => {
    says({ sign_in: [client(issuer.issuer)] })
    for (const name of ['authorization_endpoint', 'token_endpoint', 'revocation_endpoint']) {
      issuer.answer('discovery', (_request, response) =>
        response.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            ...issuer.metadata(),
            authorization_endpoint: `${issuer.issuer}/auth`,
            token_endpoint: `${issuer.issuer}/token`,
            [name]: 'http://collector.example/\u001b[2Jtokens',
          }),
        ),
      )
      const said = await refused()
      assert.match(said, /http:\/\/collector\.example\/ ?\[2Jtokens is neither https/)
      assert.ok(!said.includes('\u001b'))
    }
  })

  it('refuses an issuer that says it is another', async () => {
    says({ sign_in: [client(issuer.issuer)] })
    issuer.answer('discovery', (_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ...issuer.metadata(), issuer: 'https://issuer.example' })),
    )
    assert.match(await refused(), /cannot be used: /)
  })

  it('says that an issuer is out of reach', async () => {
    const closed = await startTestIssuer()
    await closed.close()
    says({ sign_in: [client(closed.issuer)] })
    assert.equal(await refused(), `The issuer ${closed.issuer} cannot be used: nothing listens there.\n`)
  })

  it('takes from the service only for whom the token is', async () => {
    says({
      sign_in: [
        client(issuer.issuer, { audience: 'a', prompt: 'none', redirect_uri: 'http://evil.example' }),
      ],
    })
    issuer.answer('discovery', (_request, response) =>
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          ...issuer.metadata(),
          authorization_endpoint: `${issuer.issuer}/auth`,
          token_endpoint: `${issuer.issuer}/token`,
        }),
      ),
    )
    const running = terminal.start(['login', '--url', url])
    const { searchParams } = new URL(await running.told(pagePattern))
    assert.deepEqual([searchParams.get('audience'), searchParams.get('prompt')], ['a', null])
    assert.match(searchParams.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    running.child.kill('SIGTERM')
    await running.ended
    const device = await terminal.run(['login', '--url', url, '--device'])
    assert.match(device.stderr, /has no sign-in by code\. Leave out --device\.\n$/)
  })

  it('lets a person name one of several issuers', async () => {
    says({ sign_in: [client('https://one.example'), client('https://two.example/')] })
    assert.match(
      await refused(),
      /Name one by --issuer: https:\/\/one\.example, https:\/\/two\.example\/\.$/m,
    )
    assert.match(await refused('--issuer', 'https://x.example'), /--issuer takes: https:\/\/one\.example, /)
  })

  it('says what to do if the service names no client', async () => {
    says({ authorization_servers: ['https://issuer.example'], sign_in: [] })
    assert.match(
      await refused(),
      /use WBS_TOKEN or an API key .* set OIDC_CLIENT_IDS to a public client at https:\/\/issuer\.example/,
    )
  })

  it('refuses metadata of another service, and what is none', async () => {
    says({ resource: 'https://api.example.com', sign_in: [client(issuer.issuer)] })
    assert.match(await refused(), /says that its address is https:\/\/api\.example\.com\. Sign in there/)
    for (const given of [
      { status: 404, body: '' },
      { status: 200, body: '<html>Sign in to the network</html>' },
      { status: 200, body: '{}' },
      { status: 200, body: 'null' },
    ]) {
      answer = given
      assert.match(await refused(), /does not say how to sign in: /)
    }
  })

  it('sends nothing over http to another machine', async () => {
    const { code, stderr } = await terminal.run(['login', '--url', 'http://api.example.com'])
    assert.equal(code, 1)
    assert.match(stderr, /must begin with https, except for this machine/)
  })
})
