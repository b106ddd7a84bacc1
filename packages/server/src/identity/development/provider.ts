import type { JWK } from 'jose'
import { reasonOf } from '../log.ts'
import { defaultSignInScope, signInClients, type SignInClient } from '../sign-in-settings.ts'
import { developmentClientId, mintAccessToken } from './access-token.ts'
import type { DevelopmentProviderOptions, RequestHandler } from './openid-provider.ts'
import type { SampleUser } from './sample-users.ts'
import { loadSigningKey, publicKey } from './signing-keys.ts'

/** A running development identity. */
export interface DevelopmentProvider {
  issuer: string
  /** What its tokens are verified with. */
  keys: readonly JWK[]
  /** The client that needs no registration. */
  signIn: SignInClient
  handle: RequestHandler
  /** Issues an access token without a sign-in, valid for a day unless given. */
  mintAccessToken(user: SampleUser, options?: { lifetimeSeconds?: number }): Promise<string>
}

/**
 * An OpenID Provider for development. Its protocols are real, but anybody can sign in as any sample user. Load this
 * module only if no issuer is configured. The library of the provider is loaded when somebody signs in.
 */
export async function createDevelopmentProvider(
  options: DevelopmentProviderOptions,
): Promise<DevelopmentProvider> {
  const { issuer, audience, log } = options
  const signingKey = await loadSigningKey(options.keyFile)
  let loaded: Promise<RequestHandler> | undefined
  const load = async () => (await import('./openid-provider.ts')).openIdProvider(options, signingKey)

  const [signIn] = signInClients([options], [developmentClientId], defaultSignInScope)
  if (signIn === undefined) throw new Error('The development client is missing.')
  return {
    issuer,
    keys: [publicKey(signingKey)],
    signIn,
    handle(request, response) {
      loaded ??= load()
      loaded.then(
        handle => handle(request, response),
        (error: unknown) => {
          log.error({ reason: reasonOf(error) }, 'The development identity could not be loaded.')
          response.writeHead(500).end()
        },
      )
    },
    mintAccessToken: (user, { lifetimeSeconds } = {}) =>
      mintAccessToken(user, { issuer, audience, signingKey, lifetimeSeconds }),
  }
}
