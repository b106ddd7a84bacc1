import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { signInByBrowser } from '../../src/login/browser-flow.ts'
import { signInByDevice } from '../../src/login/device-flow.ts'
import { connectIssuer } from '../../src/sessions/issuer.ts'

describe('a sign-in that nobody finishes', () => {
  let server: Server
  let issuer: string
  let device: object
  before(async () => {
    server = createServer((request, response) => {
      const answer = request.url?.startsWith('/.well-known/')
        ? {
            issuer,
            jwks_uri: `${issuer}/jwks`,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
            device_authorization_endpoint: `${issuer}/device`,
          }
        : request.url === '/device'
          ? device
          : { error: 'authorization_pending' }
      response
        .writeHead(request.url === '/token' ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const signIn = () => ({ issuer, client_id: 'wbs', scope: 'openid', parameters: {} })

  it('in the browser ends after a while, and its port is closed', async () => {
    let page = ''
    const connected = await connectIssuer(signIn(), issuer)
    await assert.rejects(
      signInByBrowser(connected, signIn(), url => (page = url), 50),
      /^Error: Nobody signed in within \d+ minutes\. Run wbs login again\.$/,
    )
    const callback = new URL(page).searchParams.get('redirect_uri') ?? ''
    await assert.rejects(fetch(callback), { message: 'fetch failed' })
  })

  it('by a code ends after a while, at the latest with the code', async () => {
    const connected = await connectIssuer(signIn(), issuer)
    for (const [expires_in, wait] of [
      [600, 50],
      [1, 300_000],
    ] as const) {
      device = {
        device_code: 'd',
        user_code: 'A\u001bB',
        verification_uri: `${issuer}/enter`,
        expires_in,
        interval: 1,
      }
      let shown = ''
      await assert.rejects(
        signInByDevice(connected, signIn(), code => (shown = code.user_code), wait),
        /^Error: Nobody entered the code in time\. Run wbs login --device again\.$/,
      )
      assert.equal(shown, 'A B')
    }
  })

  it('by a code sends nobody to a page that is not safe', async () => {
    device = { device_code: 'd', user_code: 'x', verification_uri: 'javascript:alert(1)', expires_in: 60 }
    const connected = await connectIssuer(signIn(), issuer)
    await assert.rejects(
      signInByDevice(connected, signIn(), () => assert.fail()),
      /names a page that wbs does not send you to/,
    )
  })
})
