import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, mock } from 'node:test'

import { decodeJwt } from 'jose'
import * as client from 'openid-client'

import {
  createDevelopmentProvider,
  type DevelopmentProvider,
} from '../../src/identity/development/provider.ts'
import {
  developmentNamespace,
  sampleUsers,
  type SampleUser,
} from '../../src/identity/development/sample-users.ts'
import { createTokenVerifier, type TokenVerifier } from '../../src/identity/issuers.ts'
import { browser, type Page } from './browser.ts'
import { recordingLog } from './clock-and-log.ts'

export const audience = 'https://api.test'
const redirectUri = 'http://127.0.0.1:53111/callback'
/** The origin of a web app that may call the service. */
export const app = 'https://app.example.com'
export const everything = 'openid profile email offline_access'
export const insecure = { execute: [client.allowInsecureRequests] }
/** What was printed to the console, by each of its functions. */
export let printed: ReturnType<typeof watchConsole> = []

const watchConsole = () =>
  (['log', 'info', 'warn', 'error', 'debug'] as const).map(name => mock.method(console, name))

export let folder: string
let server: Server
export let origin: string
export let issuer: string
export let provider: DevelopmentProvider
export let verifier: TokenVerifier
export let config: client.Configuration

/** Starts the development identity before the tests of a file, and stops it after them. */
export function useDevelopmentIdentity(): void {
  before(async () => {
    printed = watchConsole()
    folder = await mkdtemp(join(tmpdir(), 'wbs-identity-test-'))
    server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    origin = `http://127.0.0.1:${address.port}`
    issuer = `${origin}/identity`
    const log = recordingLog()
    provider = await createDevelopmentProvider({
      issuer,
      audience,
      allowedOrigins: [app, 'https://localhost:5173'],
      keyFile: join(folder, 'keys.json'),
      log,
    })
    server.on('request', (request, response) => provider.handle(request, response))
    verifier = createTokenVerifier([{ issuer, audience, namespace: developmentNamespace }], { log })
    config = await client.discovery(new URL(issuer), 'wbs-development', undefined, client.None(), insecure)
  })
  after(async () => {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true })
    for (const { mock: watched } of printed) watched.restore()
  })
}

/** A sign-in that a client begins: the URL for the browser, and what the client checks the answer by. */
export async function beginSignIn(parameters: Record<string, string> = {}, as = config) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(as, {
    redirect_uri: redirectUri,
    scope: everything,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...parameters,
  })
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } }
}

/** A whole sign-in, from the client's first step to its tokens. */
export async function signIn(key: SampleUser['key'], parameters: Record<string, string> = {}, as = config) {
  const { url, checks } = await beginSignIn(parameters, as)
  const visitor = browser(origin)
  const arrived = await visitor.submit(await visitor.go(url), { user: key })
  return { visitor, tokens: await client.authorizationCodeGrant(as, arrived.url, checks) }
}

/** Requests with a given Host header, which fetch does not allow. */
export async function askAs(host: string, path: string): Promise<number> {
  const request = httpRequest(origin + path, { headers: { host } }).end()
  const [response] = await once(request, 'response')
  response.resume()
  return response.statusCode
}

export function sampleUser(key: SampleUser['key']): SampleUser {
  const user = sampleUsers.find(one => one.key === key)
  assert.ok(user)
  return user
}

export async function openSignIn(visitor = browser(origin)): Promise<Page> {
  return visitor.go((await beginSignIn()).url)
}

/** The constant parts of a user's tokens: the claims in order, and the lifetime. */
export function shapeOf(token: string): unknown[] {
  const { jti, iat = 0, exp = 0, ...rest } = decodeJwt(token)
  return [Object.keys(decodeJwt(token)), rest, exp - iat, typeof jti]
}

export function exchangeFrom(origin: string): Promise<Response> {
  return fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'wbs-development', code: 'x' }),
  })
}
