import { CommandError } from '../command-error.ts'
import { askIssuer, type Issuer } from '../sessions/issuer.ts'
import type { Tokens } from '../sessions/tokens.ts'
import { startCallback, type Callback } from './callback-server.ts'
import type { SignIn } from './service-metadata.ts'

/** How long somebody has to sign in, in milliseconds. */
export const patience = 300_000

/**
 * Signs somebody in with a browser: the authorization code flow with PKCE. `show` gets the address of the page. Throws
 * CommandError if they do not come back in time, or come back with an error.
 */
export async function signInByBrowser(
  { oidc, config }: Issuer,
  { issuer, scope, parameters }: SignIn,
  show: (url: string) => void,
  waitFor: number = patience,
): Promise<Tokens> {
  const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()]
  const isOpenId = scope.split(' ').includes('openid')
  const callback = await startCallback(state)
  try {
    const url = oidc.buildAuthorizationUrl(config, {
      ...parameters,
      redirect_uri: callback.redirect_uri,
      scope,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...(isOpenId && { nonce }),
    })
    show(url.href)
    const arrived = await arrivalWithin(callback, waitFor)
    const tokens = await askIssuer(issuer, () =>
      oidc.authorizationCodeGrant(
        config,
        arrived,
        { pkceCodeVerifier: verifier, expectedState: state, ...(isOpenId && { expectedNonce: nonce }) },
        parameters,
      ),
    )
    callback.answer('You are signed in. You can close this page.')
    return tokens
  } catch (error) {
    callback.answer('That did not work; your terminal says why. You can close this page.')
    throw error
  } finally {
    await callback.close()
  }
}

async function arrivalWithin({ arrived }: Callback, milliseconds: number): Promise<URL> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const minutes = Math.round(milliseconds / 60_000)
    timer = setTimeout(
      () => reject(new CommandError(`Nobody signed in within ${minutes} minutes. Run wbs login again.`)),
      milliseconds,
    )
  })
  try {
    return await Promise.race([arrived, late])
  } finally {
    clearTimeout(timer)
  }
}
