import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { Provider } from 'oidc-provider'

import { isLoopback } from '../issuer-url.ts'
import { reasonOf, type IdentityLog } from '../log.ts'
import { developmentClientId, providerConfiguration, tokenScope } from './configuration.ts'
import type { SampleUser } from './sample-users.ts'
import { handleSignIn } from './sign-in.ts'
import { loadSigningKey } from './signing-keys.ts'
import { userinfoEndpoint } from './userinfo.ts'

/** How the development identity is set up. */
export interface DevelopmentProviderOptions {
  /** Its URL, as clients reach it, for example `http://127.0.0.1:8080/identity`. */
  issuer: string
  /** What its access tokens are for. */
  audience: string
  /** Where its private key is kept: made on first use, readable by the owner alone. */
  keyFile: string
  log: IdentityLog
}

/** A running development identity. */
export interface DevelopmentProvider {
  issuer: string
  /**
   * Answers a request below the issuer's path, whether or not the URL still starts with that path, and one for RFC 8414's
   * place for its metadata (`/.well-known/oauth-authorization-server` and then the issuer's path). The body must not have
   * been read, and the Host header must be the caller's. The path must not be one of the provider's own, like `/auth`.
   */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** An access token like those the provider issues, without a sign-in; good for a day unless told otherwise. */
  mintAccessToken(user: SampleUser, options?: { lifetimeSeconds?: number }): Promise<string>
}

const metadataPath = '/.well-known/oauth-authorization-server'

/**
 * An OpenID Provider for development: real in its protocols, but it lets anybody be any of the sample users. Load this
 * module only where no issuer is configured.
 */
export async function createDevelopmentProvider(
  options: DevelopmentProviderOptions,
): Promise<DevelopmentProvider> {
  const issuer = new URL(options.issuer)
  const mountPath = issuer.pathname.replace(/\/$/, '')
  const signingKey = await loadSigningKey(options.keyFile)
  const { audience, log } = options
  const provider = new Provider(
    options.issuer,
    providerConfiguration({ issuer, audience, mountPath, signingKey }),
  )
  report(provider, log)
  // URLs are made from the address below, not from what a request says of itself.
  provider.proxy = true
  const answer = provider.callback()
  const userinfo = userinfoEndpoint(options.issuer, signingKey)

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOurHost(request.headers.host, issuer)) {
      response.writeHead(421, { 'content-type': 'text/plain' }).end('This host is not the issuer’s.\n')
      return
    }
    const target = below(mountPath, request.url ?? '/')
    const path = target.split('?', 1)[0] ?? '/'
    const uid = /^\/sign-in\/([\w-]{1,64})$/.exec(path)?.[1]
    const isOurs = request.method === 'GET' || request.method === 'POST'
    address(request, issuer, target, mountPath)
    if (isOurs && uid !== undefined) {
      return handleSignIn(provider, request, response, { uid, action: `${mountPath}/sign-in/${uid}` })
    }
    if (isOurs && path === '/me') return userinfo(request, response)
    await answer(request, response)
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    route(request, response).catch((error: unknown) => {
      log.error({ reason: reasonOf(error) }, 'The development identity failed to answer.')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }

  async function mintAccessToken(user: SampleUser, { lifetimeSeconds }: { lifetimeSeconds?: number } = {}) {
    const client = await provider.Client.find(developmentClientId)
    if (client === undefined) throw new Error('The development client is missing.')
    const token = new provider.AccessToken({
      accountId: user.subject,
      client,
      // Nothing was granted; a JWT doesn't carry it.
      grantId: 'minted',
      gty: 'authorization_code',
      resourceServer: new provider.ResourceServer(audience, {
        audience,
        scope: tokenScope,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
      scope: tokenScope,
      expiresIn: lifetimeSeconds ?? 86_400,
    })
    return token.save()
  }

  return { issuer: options.issuer, handle, mintAccessToken }
}

/** What the provider would print, or say to nobody. Refusals are the client's to see; they are logged by name alone. */
function report(provider: Provider, log: IdentityLog): void {
  const failed = (_: unknown, error: Error) =>
    log.error({ reason: reasonOf(error) }, 'The development identity failed.')
  const refused = (_: unknown, error: Error) =>
    log.info({ reason: reasonOf(error) }, 'The development identity refused a request.')
  provider.on('server_error', failed)
  // What never reached the provider's own code, such as a broken connection: Koa would print it.
  const koa: EventEmitter = provider
  koa.on('error', (error: Error) => failed(null, error))
  provider.on('authorization.error', refused)
  provider.on('grant.error', refused)
  provider.on('registration_create.error', refused)
}

/**
 * With no password to stop it, a page whose own host name is made to lead here could sign in as anybody and read the
 * token. Such a request carries that page's host name.
 */
function isOurHost(host: string | undefined, issuer: URL): boolean {
  const url = URL.parse(`${issuer.protocol}//${host ?? ''}`)
  if (url === null) return false
  return url.host === issuer.host || (isLoopback(issuer) && isLoopback(url) && url.port === issuer.port)
}

/** The request's target below the issuer's path. A sign-in that asks for no scope gets the least (RFC 6749, 3.3). */
function below(mountPath: string, target: string): string {
  if (target === `${metadataPath}${mountPath}`) return metadataPath
  const rest = mountPath !== '' && isUnder(mountPath, target) ? target.slice(mountPath.length) : target
  const signIn = /^\/auth(?:\?(.*))?$/s.exec(rest)
  if (signIn !== null && !new URLSearchParams(signIn[1]).has('scope')) {
    return `/auth?${signIn[1] ?? ''}&scope=openid`
  }
  return rest.startsWith('/') ? rest : `/${rest}`
}

function isUnder(mountPath: string, target: string): boolean {
  return target.startsWith(mountPath) && /^(?:$|[/?])/.test(target.slice(mountPath.length))
}

/** Tells the provider where it is: it puts its URLs together from these. */
function address(
  request: IncomingMessage & { baseUrl?: string },
  issuer: URL,
  target: string,
  mountPath: string,
): void {
  request.url = target
  request.baseUrl = mountPath
  request.headers['x-forwarded-host'] = issuer.host
  request.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1)
}
