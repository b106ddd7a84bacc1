import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { choose } from './choose.ts'
import type { ServiceMetadata, SignIn } from './service-metadata.ts'

/** The issuer at which somebody signs in: the one that is named, the only one, or one that they choose. Throws CommandError. */
export async function chooseIssuer(
  url: string,
  { issuers, sign_in }: ServiceMetadata,
  named: string | undefined,
): Promise<SignIn> {
  if (sign_in.length === 0) throw noClient(url, issuers)
  const offered = sign_in.map(({ issuer }) => oneLine(issuer))
  if (named !== undefined) {
    const found = sign_in.find(({ issuer }) => withoutSlash(issuer) === withoutSlash(named))
    if (found) return found
    throw new CommandError(
      `${url} does not sign people in at ${named}. --issuer takes: ${offered.join(', ')}.`,
    )
  }
  const [first, ...others] = sign_in
  if (first && others.length === 0) return first
  const at = await choose('Where do you sign in?', offered)
  const chosen = at === null ? undefined : sign_in[at]
  if (chosen) return chosen
  throw new CommandError(
    `${url} signs people in at several issuers. Name one by --issuer: ${offered.join(', ')}.`,
  )
}

const withoutSlash = (text: string) => text.replace(/\/$/, '')

function noClient(url: string, issuers: readonly string[]): CommandError {
  const where =
    issuers.length > 0 ? `a public client at ${issuers.join(' or ')}` : 'a public client at the issuer'
  return new CommandError(
    `wbs cannot sign you in at ${url}: use WBS_TOKEN or an API key (wbs login --with-api-key), or ask whoever runs the service to set OIDC_CLIENT_IDS to ${where} that may redirect to http://127.0.0.1/callback on any port.`,
  )
}
