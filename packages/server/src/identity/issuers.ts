import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import { issuerKeys, ownKeys, type IssuerKeys, type KeySet } from './issuer-keys.ts'
import type { IssuerSettings } from './issuer-settings.ts'
import { reasonOf, type IdentityLog } from './log.ts'
import { isAccessTokenType, isUserAccessToken } from './token-kind.ts'
import { readIdentity, type UserIdentity } from './user-identity.ts'
import { hash } from 'node:crypto'

export type { IssuerSettings } from './issuer-settings.ts'
export type { UserIdentity } from './user-identity.ts'

/** Why a token was refused. For the log and for tests: callers only learn that it was. */
export type RefusalReason =
  | 'malformed'
  | 'issuer'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'audience'
  | 'type'
  | 'claims'
  | 'lifetime'

/** `unavailable`: the issuer's keys cannot be fetched and none in the cache fits, so the token cannot be checked. */
export type TokenVerdict =
  | { ok: true; user: UserIdentity }
  | { ok: false; reason: RefusalReason }
  | { ok: 'unavailable' }

/** How tokens are verified. */
export interface TokenVerifierOptions {
  log: IdentityLog
  now?: () => Date
  fetch?: typeof fetch
  /** From `iat` to `exp`. Default: 25 hours. */
  maxLifetimeSeconds?: number
  /** How many tokens may wait for keys at once, divided among the issuers. Default: 256. */
  maxWaiting?: number
}

/** Verifies access tokens. Never throws. */
export interface TokenVerifier {
  verify(token: string): Promise<TokenVerdict>
}

/** Asymmetric algorithms only: with a symmetric one, an issuer's public key could serve as the shared secret. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const tolerance = 30
const longestToken = 16_384
const form = /^[\w-]+\.[\w-]+\.[\w-]*$/

type Trusted = Pick<SignedBy, 'issuer' | 'keys'>

interface UnverifiedToken {
  issuer: unknown
  alg: unknown
  kid: unknown
  typ: unknown
}

/**
 * Verifies OpenID Connect access tokens of the given issuers. Their keys are discovered when the first token of each
 * arrives, and cached.
 */
export function createTokenVerifier(
  settings: readonly IssuerSettings[],
  options: TokenVerifierOptions,
): TokenVerifier {
  const now = options.now ?? (() => new Date())
  const maxWaiting = Math.ceil((options.maxWaiting ?? 256) / Math.max(1, settings.length))
  const source = { now, fetch: options.fetch ?? globalThis.fetch, log: options.log, maxWaiting }
  const issuers = new Map<unknown, Trusted>(
    settings.map(issuer => {
      const keys = issuer.keys ? ownKeys(issuer.keys) : issuerKeys(issuer.issuer, source)
      return [issuer.issuer, { issuer, keys }]
    }),
  )
  const remembered = createTokenCache(5_000)
  const maxLifetime = options.maxLifetimeSeconds ?? 90_000

  async function verify(token: string): Promise<TokenVerdict> {
    const known = remembered.get(token)
    const signed = known?.signed ?? readSigned(token)
    if (typeof signed === 'string') return refused(signed)
    const keys = await signed.keys.find(signed.kid)
    if (keys === 'unavailable') return { ok: 'unavailable' }
    if (keys === 'unknown') return refused('signature')
    if (known?.version === keys.version) return judgeTime(token, known)
    return judge(token, signed, keys)
  }

  /** The issuer whose keys verify a token, or why there is none. */
  function readSigned(token: string): SignedBy | RefusalReason {
    const unverified = readUnverified(token)
    if (unverified === null) return 'malformed'
    const trusted = issuers.get(unverified.issuer)
    if (trusted === undefined) return 'issuer'
    const { alg, kid, typ } = unverified
    if (typeof alg !== 'string' || !algorithms.includes(alg)) return 'signature'
    if (typeof kid !== 'string') return 'signature'
    return isAccessTokenType(typ) ? { ...trusted, kid, typ } : 'type'
  }

  async function judge(token: string, signed: SignedBy, keys: KeySet): Promise<TokenVerdict> {
    const { issuer, typ } = signed
    const claims = await verifiedClaims(token, issuer, keys)
    if (typeof claims === 'string') return refused(claims)
    const { exp = 0, iat = 0, nbf = iat } = claims
    if (!isUserAccessToken(typ, claims)) return refused('type')
    if (!(exp - iat <= maxLifetime)) return refused('lifetime')
    const user = readIdentity(claims, issuer)
    if (user === null) return refused('claims')
    const known = { signed, user, expires: exp, not_before: Math.max(nbf, iat), version: keys.version }
    remembered.set(token, known)
    return judgeTime(token, known)
  }

  /** Besides the issuer's keys, the only check that is repeated for a cached token. */
  function judgeTime(token: string, known: CachedToken): TokenVerdict {
    const seconds = Math.floor(now().getTime() / 1000)
    if (known.not_before > seconds + tolerance) return refused('not_yet_valid')
    if (known.expires > seconds - tolerance) return { ok: true, user: known.user }
    remembered.delete(token)
    return refused('expired')
  }

  async function verifiedClaims(
    token: string,
    settings: IssuerSettings,
    keys: KeySet,
  ): Promise<JWTPayload | RefusalReason> {
    try {
      const { payload } = await jwtVerify(token, keys.select, {
        algorithms,
        issuer: settings.issuer,
        audience: settings.audience,
        requiredClaims: ['sub', 'exp', 'iat'],
        clockTolerance: tolerance,
        currentDate: now(),
      })
      return payload
    } catch (error) {
      return reasonFor(error)
    }
  }

  function reasonFor(error: unknown): RefusalReason {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error)
    if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid) return 'malformed'
    if (!(error instanceof errors.JOSEError)) {
      // The issuer published a key that cannot be used. The issuer has to fix it; the log tells the operator.
      options.log.warn(
        { reason: reasonOf(error) },
        'A token could not be verified with the key of its issuer.',
      )
    }
    return 'signature'
  }

  return { verify }
}

function claimReason(error: errors.JWTClaimValidationFailed): RefusalReason {
  if (error.claim === 'iss') return 'issuer'
  if (error.claim === 'aud') return 'audience'
  return error.claim === 'nbf' && error.reason === 'check_failed' ? 'not_yet_valid' : 'claims'
}

/** The unverified claims that select the keys. Null unless it is a signed JWT. */
function readUnverified(token: string): UnverifiedToken | null {
  if (token.length > longestToken || !form.test(token)) return null
  try {
    const { alg, kid, typ } = decodeProtectedHeader(token)
    return { issuer: decodeJwt(token).iss, alg, kid, typ }
  } catch {
    return null
  }
}

function refused(reason: RefusalReason): TokenVerdict {
  return { ok: false, reason }
}

/** How a token is to be verified: what it states before its signature is checked. */
export interface SignedBy {
  issuer: IssuerSettings
  keys: IssuerKeys
  kid: string
  typ: unknown
}

/** The result of verifying a token. */
export interface CachedToken {
  signed: SignedBy
  user: UserIdentity
  /** Epoch seconds, not rounded. */
  expires: number
  not_before: number
  /** The version of the key set that verified it. */
  version: number
}

/** A cache of verified tokens that drops the least recently used. The tokens themselves are not kept. */
export interface TokenCache {
  get(token: string): CachedToken | undefined
  set(token: string, known: CachedToken): void
  delete(token: string): void
}

/** Caches at most `limit` tokens, by their SHA-256. */
function createTokenCache(limit: number): TokenCache {
  // A Map iterates in the order of insertion. An entry that is used is inserted again, so the first is the least
  // recently used.
  const known = new Map<string, CachedToken>()

  function forget(token: string): void {
    known.delete(digestOf(token))
  }

  function get(token: string): CachedToken | undefined {
    const digest = digestOf(token)
    const found = known.get(digest)
    if (found !== undefined) {
      known.delete(digest)
      known.set(digest, found)
    }
    return found
  }

  function set(token: string, entry: CachedToken): void {
    known.set(digestOf(token), entry)
    const oldest = known.size > limit ? known.keys().next() : undefined
    if (oldest?.value !== undefined) known.delete(oldest.value)
  }

  return { get, set, delete: forget }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64')
}
