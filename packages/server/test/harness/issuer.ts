import { constants, createHmac, generateKeyPairSync, sign as signBytes, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** How a test token is signed. */
export type TestAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA'

/** A key of the issuer, or a forged one. */
export interface TestKey {
  kid: string
  alg: TestAlgorithm
  privateKey: KeyObject
  publicKey: KeyObject
}

/** How a token differs from a valid one of the issuer. */
export interface SignOptions {
  /** The signing key. Default: the issuer's newest. */
  key?: TestKey
  /** The `alg` header. `none` leaves the signature empty; `HS256` signs with `secret`. */
  alg?: string
  secret?: string | Buffer
  /** Null omits the header. */
  kid?: unknown
  /** Null omits the header. */
  typ?: unknown
  /** Additional headers. */
  header?: Record<string, unknown>
}

/** A small OpenID issuer on this machine that can misbehave on request. */
export interface TestIssuer {
  issuer: string
  audience: string
  /** Requests received since the start, or since the test reset it. */
  fetches: number
  /** The newest key. */
  readonly key: TestKey
  /** The claims of a valid token, which expires an hour after `at`. */
  claims(at?: Date): Record<string, unknown>
  /** Signs claims, or any other text. */
  sign(claims?: Record<string, unknown> | string, options?: SignOptions): string
  /** Fails requests: closes the connection, answers 500, or never answers. */
  down(how?: 'close' | 'error' | 'hang'): void
  up(): void
  /** Signs with a new key from now on; the old ones are no longer published unless `keepOld`. */
  rotate(options?: { keepOld?: boolean }): TestKey
  /** Replaces the answer of a path, until called without a handler. */
  answer(
    what: 'discovery' | 'jwks',
    handler?: (request: IncomingMessage, response: ServerResponse) => void,
  ): void
  /** The issuer's own metadata. */
  metadata(): Record<string, unknown>
  keySet(): { keys: Record<string, unknown>[] }
  close(): Promise<void>
}

/** Generates a key that no issuer publishes. */
export function makeTestKey(alg: TestAlgorithm = 'ES256', kid = crypto.randomUUID()): TestKey {
  return { kid, alg, ...keyPair(alg) }
}

/** Starts an issuer on a free port. `path` follows the port in its URL, as in `/tenant/`, or is empty. */
export async function startTestIssuer(
  options: { path?: string; audience?: string; alg?: TestAlgorithm } = {},
): Promise<TestIssuer> {
  const { path = '', audience = 'https://api.test', alg = 'ES256' } = options
  let newest = makeTestKey(alg)
  let older: TestKey[] = []
  let outage: 'close' | 'error' | 'hang' | null = null
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const server = createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${portOf(server)}`
  const base = path.replace(/\/$/, '')
  const paths = new Map([
    [`${base}/.well-known/openid-configuration`, 'discovery'],
    [`${base}/jwks`, 'jwks'],
  ])

  function serve(request: IncomingMessage, response: ServerResponse): void {
    self.fetches += 1
    if (outage === 'hang') return
    if (outage === 'close') return void request.socket.destroy()
    const what = outage === null ? paths.get(request.url ?? '') : undefined
    const answer = answers.get(what ?? '')
    if (answer !== undefined) return answer(request, response)
    const status = outage === 'error' ? 500 : what === undefined ? 404 : 200
    const body = what === 'discovery' ? self.metadata() : what === 'jwks' ? self.keySet() : {}
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const self: TestIssuer = {
    issuer: root + path,
    audience,
    fetches: 0,
    get key() {
      return newest
    },
    claims(at = new Date()) {
      const iat = Math.floor(at.getTime() / 1000)
      return { iss: self.issuer, aud: audience, sub: 'user-1', iat, exp: iat + 3600 }
    },
    sign(claims = self.claims(), how = {}) {
      return signToken(claims, { key: newest, ...how })
    },
    down(how = 'close') {
      outage = how
      if (how === 'close') server.closeAllConnections()
    },
    up() {
      outage = null
    },
    rotate({ keepOld = false } = {}) {
      older = keepOld ? [newest, ...older] : []
      newest = makeTestKey(alg)
      return newest
    },
    answer(what, handler) {
      if (handler === undefined) answers.delete(what)
      else answers.set(what, handler)
    },
    metadata: () => ({ issuer: self.issuer, jwks_uri: `${root}${base}/jwks` }),
    keySet: () => ({ keys: [newest, ...older].map(publicJwk) }),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return self
}

function signToken(claims: Record<string, unknown> | string, how: SignOptions & { key: TestKey }): string {
  const { key, alg = key.alg, kid = key.kid, typ = 'at+jwt' } = how
  const header = { alg, ...(kid === null ? {} : { kid }), ...(typ === null ? {} : { typ }), ...how.header }
  const payload = typeof claims === 'string' ? claims : JSON.stringify(claims)
  const input = `${encode(JSON.stringify(header))}.${encode(payload)}`
  return `${input}.${signature(input, alg, how)}`
}

function signature(input: string, alg: string, { key, secret = '' }: SignOptions & { key: TestKey }): string {
  if (alg === 'none') return ''
  if (alg.startsWith('HS')) return createHmac('sha256', secret).update(input).digest('base64url')
  return signBytes(key.alg === 'EdDSA' ? null : 'sha256', Buffer.from(input), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
    ...(key.alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}),
  }).toString('base64url')
}

function keyPair(alg: TestAlgorithm) {
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (alg === 'EdDSA') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function publicJwk({ kid, alg, publicKey }: TestKey): Record<string, unknown> {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The test issuer does not listen.')
  return address.port
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}
