import { CommandError } from '../command-error.ts'
import type { Profile, Session } from '../profiles/profile.ts'
import type { ProfileStore } from '../profiles/profile-store.ts'
import { askIssuer, connectIssuer, IssuerError } from './issuer.ts'
import { tokensOf } from './tokens.ts'
import { isSameOrigin } from './trusted-url.ts'

/** A session, and the service that it is for. */
interface Start {
  url: string
  session: Session
}

const margin = 60_000 // milliseconds before the end at which a token is renewed

/**
 * Gives the access token of a profile, renewed when it is about to expire, also in the middle of a long run. Each throws
 * CommandError if the session has ended.
 */
export function sessionToken(store: ProfileStore, name: string, start: Start): () => Promise<string> {
  let { session } = start
  let renewal: Promise<Session> | null = null
  return async () => {
    if (endsWithin(session, margin)) {
      renewal ??= renew(store, name, { ...start, session }).finally(() => (renewal = null))
      session = await renewal
    }
    return session.access_token
  }
}

/** A profile that is for another service by now has a token that the service of this run may not see. */
const isSame = (url: string, { issuer }: Session, known: Start) =>
  isSameOrigin(url, known.url) && issuer === known.session.issuer

const endsWithin = ({ expires_at }: Session, milliseconds: number): boolean =>
  expires_at !== null && Date.parse(expires_at) < Date.now() + milliseconds

/** A refresh token can be used only once, so one process renews the session and the others read what it saved. */
function renew(store: ProfileStore, name: string, known: Start): Promise<Session> {
  return store.change(async (profiles, save) => {
    const profile = profiles.byName.get(name)
    if (profile?.credential.kind !== 'session' || !isSame(profile.url, profile.credential, known))
      throw new CommandError(
        `The profile ${name} has been changed or removed meanwhile. Run the command again.`,
      )
    const { credential } = profile
    if (!endsWithin(credential, margin)) return credential
    try {
      profile.credential = await refreshed(profile, credential)
    } catch (error) {
      if (error instanceof IssuerError && error.code === null && !endsWithin(credential, 0)) return credential
      throw error instanceof IssuerError ? inWords(error, name) : error
    }
    await save()
    return profile.credential
  })
}

/** Throws IssuerError. */
async function refreshed({ url }: Profile, session: Session): Promise<Session> {
  const { issuer, parameters, refresh_token } = session
  if (refresh_token === null) throw new IssuerError('', 'invalid_grant')
  const { oidc, config } = await connectIssuer(session, url)
  const tokens = await askIssuer(issuer, () =>
    oidc.refreshTokenGrant(config, refresh_token, { ...parameters }),
  )
  return { ...session, ...tokensOf(tokens, refresh_token) }
}

const inWords = ({ code, message }: IssuerError, name: string) =>
  new CommandError(
    code === 'invalid_grant'
      ? `The session of the profile ${name} has ended. Sign in again: wbs login --profile ${name}`
      : `The session of the profile ${name} cannot be renewed: ${message}`,
  )
