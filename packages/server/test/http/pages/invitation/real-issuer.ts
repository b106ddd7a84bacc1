import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { interactionPolicy, Provider } from 'oidc-provider'
import { userOf } from '../../../../src/identity/development/sample-users.ts'
import { handleSignIn } from '../../../../src/identity/development/sign-in.ts'

/** An OpenID Provider on two origins of its own: one for people, and one for its token endpoint. */
export interface RealIssuer {
  issuer: string
  audience: string
  token_endpoint: string
  /** The requests that it got, with their Referer. */
  asked: { url: string; referer: string | undefined }[]
  /** The parameters of the last authorization request. */
  lastAuthorization(): Record<string, string>
  /** Redirects with an answer of its own, instead of asking people to sign in. */
  answerWith(answer: ((asked: URLSearchParams) => Record<string, string>) | null): void
  /** How it answers at its token endpoint from now on. */
  tokens(how: 'answered' | 'refused' | 'cut'): void
  /** Whether it answers at all. */
  isUp: boolean
  close(): Promise<void>
}

const scope = 'openid profile email'
const discovery = '/.well-known/openid-configuration'

/** Addresses that begin with `unconfirmed` are not verified. Its client is `the-page`. */
export async function startRealIssuer(metadata: Record<string, unknown> = {}): Promise<RealIssuer> {
  const audience = 'https://api.example'
  const [people, tokens] = [await listen(), await listen()]
  const provider = new Provider(people.origin, {
    clients: [
      {
        client_id: 'the-page',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/invitations', 'http://127.0.0.1/base/invitations'],
      },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async () => ({
          audience,
          scope,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    findAccount: (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    extraTokenClaims(_, token) {
      const { name, email } = userOf('accountId' in token ? token.accountId : '') ?? { email: '' }
      return { name, email, email_verified: !email.startsWith('unconfirmed') }
    },
    interactions: { policy: withoutConsent(), url: (_, { uid }) => `/sign-in/${uid}` },
    async loadExistingGrant(ctx) {
      const { accountId = '' } = ctx.oidc.session ?? {}
      const grant = new ctx.oidc.provider.Grant({ clientId: 'the-page', accountId })
      grant.addOIDCScope(scope)
      grant.addResourceScope(audience, scope)
      await grant.save()
      return grant
    },
    clientBasedCORS: () => true,
  })
  provider.proxy = true
  const answer = provider.callback()
  let own: ((asked: URLSearchParams) => Record<string, string>) | null = null
  let how: 'answered' | 'refused' | 'cut' = 'answered'

  people.server.on('request', (request, response) => void serve(request, response))
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    self.asked.push({ url: request.url ?? '', referer: request.headers.referer })
    const url = new URL(request.url ?? '/', people.origin)
    if (!self.isUp) return request.socket.destroy()
    if (own !== null && url.pathname === '/auth') {
      const to = new URL(url.searchParams.get('redirect_uri') ?? '')
      to.search = new URLSearchParams(own(url.searchParams)).toString()
      return response.writeHead(303, { location: to.href }).end()
    }
    const uid = /^\/sign-in\/([\w-]+)$/.exec(url.pathname)?.[1]
    if (uid) return handleSignIn(provider, request, response, { uid, action: url.pathname })
    if (url.pathname === discovery) return describe(response)
    return answer(request, response)
  }
  tokens.server.on('request', (request, response) => {
    self.asked.push({ url: request.url ?? '', referer: request.headers.referer })
    if (how === 'cut') return void request.socket.destroy()
    if (how === 'refused' && request.method === 'POST') return refuse(response)
    request.headers['x-forwarded-host'] = new URL(people.origin).host
    void answer(request, response)
  })

  /** The provider's own metadata, but for the token endpoint, which it would put on the same origin. */
  async function describe(response: ServerResponse): Promise<void> {
    const own = (await (await fetch(tokens.origin + discovery)).json()) as object
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...own, ...metadata, token_endpoint: self.token_endpoint }))
  }

  const self: RealIssuer = {
    issuer: people.origin,
    audience,
    token_endpoint: `${tokens.origin}/token`,
    asked: [],
    lastAuthorization() {
      const last = self.asked.findLast(({ url }) => url.startsWith('/auth?'))
      return Object.fromEntries(new URL(last?.url ?? '/', people.origin).searchParams)
    },
    answerWith: next => void (own = next),
    tokens: next => void (how = next),
    isUp: true,
    async close() {
      await Promise.all([people.close(), tokens.close()])
    },
  }
  return self
}

function withoutConsent(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.clear()
  for (const name of ['create', 'select_account'])
    policy.add(new interactionPolicy.Prompt({ name, requestable: true }), 0)
  return policy
}

function refuse(response: ServerResponse): void {
  response
    .writeHead(400, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    .end('{"error":"invalid_grant"}')
}

async function listen(): Promise<{ server: Server; origin: string; close(): Promise<void> }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The issuer does not listen.')
  return {
    server,
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
