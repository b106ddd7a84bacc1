import { randomBytes } from 'node:crypto'

import type {
  AccessToken,
  ClientCredentials,
  ClientMetadata,
  Configuration,
  ErrorOut,
  KoaContextWithOIDC,
} from 'oidc-provider'
import { errors, interactionPolicy } from 'oidc-provider'

import { isLoopback } from '../issuer-url.ts'
import { developmentClientId, developmentClientName, tokenLifetime, tokenScope } from './access-token.ts'
import { escapeHtml, messagePage, page, pageHeaders } from './pages.ts'
import { claimsOf, userOf } from './sample-users.ts'
import type { SigningKey } from './signing-keys.ts'
import { inMemoryState } from './state.ts'

const day = 86_400
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const redirectPaths = [
  '/',
  '/callback',
  '/invitations',
  '/oauth2-redirect.html',
  '/docs/oauth2-redirect.html',
  '/console/',
  '/console/callback',
]

/** The inputs of the configuration. */
export interface ProviderFacts {
  issuer: URL
  audience: string
  /** The origins of web apps that may call the service. */
  allowedOrigins: readonly string[]
  /** The issuer's path without a trailing slash. */
  mountPath: string
  signingKey: SigningKey
}

/** The provider's configuration. Defaults of the library that print a notice are set explicitly. */
export function providerConfiguration(facts: ProviderFacts): Configuration {
  return {
    adapter: inMemoryState(),
    // Sessions are lost at a restart, so the key of their cookies need not survive it either.
    cookies: cookies(facts.mountPath),
    jwks: { keys: [facts.signingKey] },
    clients: [developmentClient(facts.allowedOrigins)],
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...tokenScope.split(' '), 'offline_access'],
    claims: { openid: ['sub', 'is_anonymous'], email: ['email', 'email_verified'], profile: ['name'] },
    features: features(facts),
    ttl: lifetimes,
    findAccount: (_, subject) => accountOf(subject),
    extraTokenClaims: (_, token) => tokenClaims(token),
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    interactions: {
      policy: signInOnly(),
      url: (_, interaction) => `${facts.mountPath}/sign-in/${interaction.uid}`,
    },
    loadExistingGrant: grantEverything,
    clientBasedCORS: (_, origin, client) => isWelcome(origin, facts, client.redirectUris ?? []),
    renderError: (ctx, out) =>
      show(ctx, messagePage('That did not work', out.error_description ?? out.error)),
    // The service must not send requests to an address that a client registered.
    fetch: () => Promise.reject(new Error('The development identity fetches nothing.')),
  }
}

const lifetimes: NonNullable<Configuration['ttl']> = {
  AccessToken: tokenLifetime,
  AuthorizationCode: 60,
  DeviceCode: 600,
  Grant: 14 * day,
  IdToken: 3600,
  Interaction: 3600,
  RefreshToken: 14 * day,
  Session: 14 * day,
}

/**
 * RFC 8252: a native app listens on any free port of the loopback interface, so the port of a redirect URI does not
 * matter. For the same reason the provider takes no other redirect to this machine, such as one to https://localhost.
 */
function developmentClient(allowedOrigins: readonly string[]): ClientMetadata {
  const onThisMachine = ['http://127.0.0.1', 'http://[::1]', 'http://localhost']
  const elsewhere = allowedOrigins.filter(origin => !isLoopback(new URL(origin)))
  const redirects = [...onThisMachine, ...elsewhere].flatMap(origin =>
    redirectPaths.map(path => origin + path),
  )
  return {
    client_id: developmentClientId,
    client_name: developmentClientName,
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    response_types: ['code'],
    redirect_uris: redirects,
    post_logout_redirect_uris: redirects,
  }
}

function cookies(mountPath: string): NonNullable<Configuration['cookies']> {
  const options = { httpOnly: true, sameSite: 'lax', signed: true } as const
  return {
    keys: [randomBytes(32).toString('base64url')],
    names: { session: 'wbs_identity', interaction: 'wbs_identity_sign_in', resume: 'wbs_identity_resume' },
    long: { ...options, path: mountPath || '/' },
    // The provider gives each sign-in its own path, so that two tabs do not interfere.
    short: options,
  }
}

function features({ audience, issuer }: ProviderFacts): NonNullable<Configuration['features']> {
  // A resource indicator must be a URI, which the audience need not be.
  const resource = URL.canParse(audience) ? audience : issuer.origin
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      async getResourceServerInfo(_, asked) {
        if (asked !== resource && URL.parse(asked)?.origin !== issuer.origin) throw new errors.InvalidTarget()
        return {
          audience,
          scope: tokenScope,
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenLifetime,
          jwt: { sign: { alg: 'RS256' } },
        }
      },
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: async (ctx, form) => show(ctx, signOutPage(form)),
      postLogoutSuccessSource: async ctx => show(ctx, messagePage('Signed out', 'You can close this page.')),
    },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: async (ctx, form, out, error) =>
        out === undefined ? show(ctx, codePage(form, codeWanted)) : refuseCode(ctx, form, out, error),
      userCodeConfirmSource: async (ctx, form, client, _, code) =>
        show(ctx, confirmPage(form, client.clientName ?? client.clientId, code)),
      successSource: async ctx => show(ctx, messagePage('Signed in', 'You can go back to your device.')),
    },
  }
}

/** Asks only who signs in, and not for consent, since the provider guards nothing but sample data. */
function signInOnly(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.clear()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 1)
  return policy
}

const grantEverything: NonNullable<Configuration['loadExistingGrant']> = async ctx => {
  const { client, session, provider, resourceServers } = ctx.oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const id = session.grantIdFor(client.clientId)
  const grant =
    (id === undefined ? undefined : await provider.Grant.find(id)) ??
    new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(`${tokenScope} offline_access`)
  for (const resource of Object.keys(resourceServers ?? {})) grant.addResourceScope(resource, tokenScope)
  await grant.save()
  return grant
}

function accountOf(subject: string) {
  const user = userOf(subject)
  return user && { accountId: user.subject, claims: async () => ({ sub: user.subject, ...claimsOf(user) }) }
}

function tokenClaims(token: AccessToken | ClientCredentials) {
  const user = userOf('accountId' in token ? token.accountId : '')
  const clientName = token.client?.clientName
  return user && { ...claimsOf(user), ...(clientName === undefined ? {} : { client_name: clientName }) }
}

/** Whether a page may call the provider: one of this machine, of the service, of an allowed origin or of the client itself. */
function isWelcome(
  origin: string,
  { issuer, allowedOrigins }: ProviderFacts,
  redirects: readonly string[],
): boolean {
  const url = URL.parse(origin)
  if (url === null) return false
  return (
    isLoopback(url) ||
    [issuer.origin, ...allowedOrigins].includes(origin) ||
    redirects.some(uri => URL.parse(uri)?.origin === origin)
  )
}

function show(ctx: KoaContextWithOIDC, html: string): void {
  ctx.set(pageHeaders)
  ctx.body = html
}

/** Answers a code or a request that was refused: with the form again, or in JSON to a client that asks for it. */
function refuseCode(ctx: KoaContextWithOIDC, form: string, out: ErrorOut, error: unknown): void {
  const session: { exp?: number; touched?: boolean } | undefined = ctx.oidc.session
  const isNew = session !== undefined && session.exp === undefined
  // The library has put the secret of the form into the session. It fails to save a session that had not begun, and its
  // cookie is not sent.
  if (isNew) session.touched = false
  if (ctx.accepts('json', 'html') === 'json') ctx.body = out
  else if (isNew)
    show(ctx, messagePage('That did not work', `${out.error_description ?? out.error}. ${again}`))
  else show(ctx, codePage(form, isWrongCode(error) ? 'That code is wrong or has expired.' : codeWanted))
}

const codeWanted = 'Your device shows a code.'
const again = 'Open the page again and enter the code that your device shows.'

/** The library answers a code that it refuses with 200. */
const isWrongCode = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 200

function signOutPage(form: string): string {
  return page(
    'Sign out?',
    `${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button form="op.logoutForm">Stay signed in</button>`,
  )
}

function codePage(form: string, lead: string): string {
  return page(
    'Enter the code',
    `<p>${lead}</p>\n${form}\n<p><button form="op.deviceInputForm">Continue</button></p>`,
  )
}

function confirmPage(form: string, clientName: string, code: string): string {
  return page(
    'Is this the code?',
    `<p><strong>${escapeHtml(clientName)}</strong> should show</p>
<p><code>${escapeHtml(code)}</code></p>
${form}
<button form="op.deviceConfirmForm">It does: continue</button>
<button form="op.deviceConfirmForm" name="abort" value="yes">It does not</button>`,
  )
}
