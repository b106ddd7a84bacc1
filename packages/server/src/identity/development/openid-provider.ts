import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { Provider } from 'oidc-provider'

import { isLoopback } from '../issuer-url.ts'
import { reasonOf, type IdentityLog } from '../log.ts'
import { providerConfiguration } from './configuration.ts'
import { handleSignIn } from './sign-in.ts'
import type { SigningKey } from './signing-keys.ts'
import { userinfoEndpoint } from './userinfo.ts'

/** The settings of the development identity. */
export interface DevelopmentProviderOptions {
  /** The issuer's URL as clients reach it, for example `http://127.0.0.1:8080/identity`. */
  issuer: string
  /** The audience of its access tokens. */
  audience: string
  /** The origins of pages on other machines that may sign in as the development client. */
  allowedOrigins?: readonly string[]
  /** The file of its private key: created on first use, readable by its owner alone. */
  keyFile: string
  log: IdentityLog
}

/**
 * Answers a request below the issuer's path, whether or not the URL still begins with that path, and one for the
 * metadata URL of RFC 8414 (`/.well-known/oauth-authorization-server` and then the issuer's path). The body must be
 * unread, and the Host header must be the caller's. The path must not be one of the provider's own, like `/auth`.
 */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

const metadataPath = '/.well-known/oauth-authorization-server'

/** Answers the requests below the path of the issuer. provider.ts loads this module when the first one arrives. */
export function openIdProvider(options: DevelopmentProviderOptions, signingKey: SigningKey): RequestHandler {
  const issuer = new URL(options.issuer)
  const mountPath = issuer.pathname.replace(/\/$/, '')
  const { audience, allowedOrigins = [], log } = options
  const provider = new Provider(
    options.issuer,
    providerConfiguration({ issuer, audience, allowedOrigins, mountPath, signingKey }),
  )
  report(provider, log)
  // URLs are built from the address set below, and not from headers of the request.
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

  return function handle(request, response) {
    route(request, response).catch((error: unknown) => {
      log.error({ reason: reasonOf(error) }, 'The development identity failed to answer.')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }
}

/** Logs what the provider would print or drop. Refusals are shown to the client; the log has only their names. */
function report(provider: Provider, log: IdentityLog): void {
  const failed = (_: unknown, error: Error) =>
    log.error({ reason: reasonOf(error) }, 'The development identity failed.')
  const refused = (_: unknown, error: Error) =>
    log.info({ reason: reasonOf(error) }, 'The development identity refused a request.')
  provider.on('server_error', failed)
  // Errors outside the provider's own code, such as a broken connection, which Koa would print.
  const koa: EventEmitter = provider
  koa.on('error', (error: Error) => failed(null, error))
  provider.on('authorization.error', refused)
  provider.on('grant.error', refused)
  provider.on('registration_create.error', refused)
}

/**
 * Refuses other Host headers (DNS rebinding): there is no password, so a page whose host name resolves to this machine
 * could sign in as anybody and read the token.
 */
function isOurHost(host: string | undefined, issuer: URL): boolean {
  const url = URL.parse(`${issuer.protocol}//${host ?? ''}`)
  if (url === null) return false
  return url.host === issuer.host || (isLoopback(issuer) && isLoopback(url) && url.port === issuer.port)
}

/** The request target below the issuer's path. An authorization request without a scope gets the minimum (RFC 6749, 3.3). */
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

/** Sets the address from which the provider builds its URLs. */
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
