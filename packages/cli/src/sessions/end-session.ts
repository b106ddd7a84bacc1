import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import type { Profile } from '../profiles/profile.ts'
import { askIssuer, connectIssuer } from './issuer.ts'

/** Revokes the refresh token of a profile at its issuer (RFC 7009). Gives why that failed; null if nothing is left to revoke. */
export async function endSession({ url, credential }: Profile): Promise<string | null> {
  if (credential.kind !== 'session' || credential.refresh_token === null) return null
  const { issuer, refresh_token } = credential
  try {
    const { oidc, config } = await connectIssuer(credential, url)
    if (config.serverMetadata().revocation_endpoint === undefined)
      return `${oneLine(issuer)} cannot end sessions.`
    await askIssuer(issuer, () =>
      oidc.tokenRevocation(config, refresh_token, { token_type_hint: 'refresh_token' }),
    )
    return null
  } catch (error) {
    if (error instanceof CommandError) return error.message
    throw error
  }
}
