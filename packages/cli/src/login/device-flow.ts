import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { askIssuer, type Issuer } from '../sessions/issuer.ts'
import type { Tokens } from '../sessions/tokens.ts'
import { isTrustedUrl } from '../sessions/trusted-url.ts'
import { patience } from './browser-flow.ts'
import type { SignIn } from './service-metadata.ts'

/** What somebody does on another device. */
export interface DeviceCode {
  verification_uri: string
  user_code: string
}

/**
 * Signs somebody in on another device (RFC 8628). `show` gets what they have to do there. Throws CommandError if they do
 * not do it in time, or refuse.
 */
export async function signInByDevice(
  { oidc, config }: Issuer,
  { issuer, scope, parameters }: SignIn,
  show: (code: DeviceCode) => void,
  waitFor: number = patience,
): Promise<Tokens> {
  if (config.serverMetadata().device_authorization_endpoint === undefined)
    throw new CommandError(`${oneLine(issuer)} has no sign-in by code. Leave out --device.`)
  const device = await askIssuer(issuer, () =>
    oidc.initiateDeviceAuthorization(config, { ...parameters, scope }),
  )
  if (!isTrustedUrl(device.verification_uri, issuer))
    throw new CommandError(
      `${oneLine(issuer)} names a page that wbs does not send you to: ${oneLine(device.verification_uri)}.`,
    )
  show({ verification_uri: oneLine(device.verification_uri), user_code: oneLine(device.user_code) })
  const limit = AbortSignal.timeout(Math.min(waitFor, device.expires_in * 1000))
  try {
    return await askIssuer(issuer, () =>
      oidc.pollDeviceAuthorizationGrant(config, device, { ...parameters }, { signal: limit }),
    )
  } catch (error) {
    if (limit.aborted)
      throw new CommandError('Nobody entered the code in time. Run wbs login --device again.')
    throw error
  }
}
