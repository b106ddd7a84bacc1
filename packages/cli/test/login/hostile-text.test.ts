import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { openTerminal, type Terminal } from './terminal.ts'

const hostile = 'Deal \u001b[2J\u001b]0;owned\u0007\r\n\tnext\u202Etxt\u2066\u009b31m'

describe('text of a hostile service', () => {
  let server: Server
  let terminal: Terminal
  let env: Record<string, string>
  let answer: { status: number; body: object }
  before(async () => {
    server = createServer((_request, response) =>
      response
        .writeHead(answer.status, {
          'content-type': answer.status < 400 ? 'application/json' : 'application/problem+json',
        })
        .end(JSON.stringify(answer.body)),
    )
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    env = { WBS_URL: url, WBS_TOKEN: 'token', WBS_WORKSPACE: 'w' }
    terminal = await openTerminal()
  })
  after(async () => {
    server.close()
    server.closeAllConnections()
    await terminal.remove()
  })

  async function isHarmless(args: readonly string[]): Promise<void> {
    const { stdout, stderr } = await terminal.run(args, { env })
    const said = stdout + stderr
    assert.ok(said.includes('Deal'), said)
    assert.doesNotMatch(said, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
  }

  it('about a person cannot control the terminal, as lines and as JSON', async () => {
    const membership = {
      workspace_id: 'w',
      workspace_name: hostile,
      role: hostile,
      status: 'active',
      workspace_status: 'active',
    }
    for (const is_anonymous of [true, false]) {
      const user = { user_id: hostile, name: null, email: null, is_anonymous }
      answer = {
        status: 200,
        body: { data: { user, credential: { kind: 'api_key' }, memberships: [membership] } },
      }
      await isHarmless(['whoami'])
      await isHarmless(['whoami', '--json'])
    }
  })

  it('in a problem cannot control the terminal', async () => {
    answer = { status: 403, body: { code: hostile, detail: hostile, retryable: false, status: 403 } }
    await isHarmless(['whoami'])
    await isHarmless(['events', 'follow'])
  })

  it('is no fault of wbs where it names what an issuer needs', async () => {
    const sign_in = [{ issuer: 'http://issuer.example', client_id: 'c', scope: 'openid', parameters: null }]
    answer = { status: 200, body: { resource: env['WBS_URL'], authorization_servers: [], sign_in } }
    const { code, stderr } = await terminal.run(['login'], { env })
    assert.equal(code, 1)
    assert.match(stderr, /^wbs does not sign you in at http:\/\/issuer\.example: .*\n$/)
  })
})
