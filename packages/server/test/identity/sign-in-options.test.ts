import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signInOptions } from '../../src/identity/sign-in-options.ts'
import { signInClients } from '../../src/identity/sign-in-settings.ts'
import { recordingLog } from './clock-and-log.ts'

const issuer = 'https://login.example/tenant'
const metadata = {
  issuer,
  authorization_endpoint: 'https://login.example/tenant/authorize',
  token_endpoint: 'https://tokens.example/token',
  prompt_values_supported: ['login', 7, 'create', 'x'.repeat(5_000)],
}

/** The ways to sign in at issuers whose metadata is what `answer` returns. */
function waysAt(issuers: string[], answer: () => Response | Promise<Response>) {
  const state = { now: new Date('2026-05-01T12:00:00Z'), fetched: [] as string[] }
  const clients = signInClients(
    issuers.map(one => ({ issuer: one, audience: 'x' })),
    issuers.map(() => 'app'),
    'openid',
  )
  const find = signInOptions(clients, {
    now: () => state.now,
    log: recordingLog(),
    async fetch(url) {
      state.fetched.push(url instanceof Request ? url.url : url.toString())
      return answer()
    },
  })
  const later = (seconds: number) => (state.now = new Date(state.now.getTime() + seconds * 1000))
  return { find, later, state }
}

const endpointsFrom = async (said: unknown, at = issuer) =>
  (await waysAt([at], () => Response.json(said)).find())[0]?.endpoints

describe('the ways to sign in', () => {
  it('are what the metadata of the issuers says', async () => {
    assert.deepEqual(await endpointsFrom(metadata), {
      authorization_endpoint: metadata.authorization_endpoint,
      token_endpoint: metadata.token_endpoint,
      authorization_response_iss_parameter_supported: false,
      prompt_values_supported: ['login', 'create'],
    })
  })

  it('have no endpoints where the metadata leads people to somewhere unsafe', async () => {
    for (const wrong of [
      null,
      [],
      { ...metadata, issuer: `${issuer}/` },
      { ...metadata, token_endpoint: undefined },
      { ...metadata, token_endpoint: 'http://login.example/token' },
      { ...metadata, token_endpoint: 'https://user:word@login.example/token' },
      { ...metadata, token_endpoint: 'https://localhost/token' },
      { ...metadata, token_endpoint: 'https://*/token' },
      { ...metadata, token_endpoint: 'https://login.example;sandbox/token' },
      { ...metadata, token_endpoint: `https://login.example/${'x'.repeat(2_000)}` },
      { ...metadata, authorization_endpoint: 'javascript:alert(1)' },
      { ...metadata, authorization_endpoint: 'http://127.0.0.1:8000/authorize' },
    ])
      assert.equal(await endpointsFrom(wrong), null, JSON.stringify(wrong))
    const here = 'http://127.0.0.1:8000'
    const own = {
      issuer: here,
      authorization_endpoint: `${here}/authorize`,
      token_endpoint: 'http://localhost:9/token',
    }
    assert.equal((await endpointsFrom(own, here))?.token_endpoint, 'http://localhost:9/token')
  })

  it('are named by the host of the issuer, and by its path where two have the same host', async () => {
    const { find } = waysAt(
      ['https://a.example/one', 'https://a.example/two', 'https://b.example/three'],
      () => Response.json({}),
    )
    assert.deepEqual(
      (await find()).map(({ name }) => name),
      ['a.example/one', 'a.example/two', 'b.example'],
    )
  })

  it('are kept while the issuer cannot be reached, for a day, and asked for again soon', async () => {
    let up = true
    const { find, later, state } = waysAt([issuer], () => (up ? Response.json(metadata) : Response.error()))
    const isThere = async () => (await find())[0]?.endpoints !== null
    assert.equal(await isThere(), true)
    assert.equal(await isThere(), true)
    assert.deepEqual(state.fetched, [`${issuer}/.well-known/openid-configuration`])
    up = false
    later(23 * 3600)
    assert.equal(await isThere(), true)
    later(3600)
    assert.equal(await isThere(), false)
    const before = state.fetched.length
    assert.equal(await isThere(), false)
    assert.equal(state.fetched.length, before)
    up = true
    later(6)
    assert.equal(await isThere(), true)
  })

  it('make nobody wait for an issuer that does not answer', { timeout: 5_000 }, async () => {
    const { find } = waysAt([issuer], () => new Promise(() => undefined))
    assert.equal((await find())[0]?.endpoints, null)
  })
})
