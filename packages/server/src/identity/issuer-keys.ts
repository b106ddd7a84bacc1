import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose'

import { fetchJson } from './fetch-json.ts'
import { discoveryUrl, keySetUrl } from './issuer-url.ts'
import { reasonOf, type IdentityLog } from './log.ts'

const minute = 60_000

/** Keys of this age are fetched again in the background. */
const refreshAfter = 10 * minute
/** Keys of this age are fetched before they are used, so that a key which was withdrawn meanwhile is not accepted once more. */
const waitAfter = 20 * minute
/** How long an issuer may be unreachable before its keys are no longer used. */
const staleAfter = 24 * 60 * minute
/** Between two refreshes of two requests each, so that a flood of invented key ids does not burden the issuer. */
const pause = 30_000

/** The keys of one answer of an issuer. */
export interface KeySet {
  kids: ReadonlySet<string>
  select: JWTVerifyGetKey
  /** Changes with the issuer's keys, so that tokens verified with the old ones can be recognized. */
  version: number
}

/** The keys of an issuer, as far as they are available. */
export interface IssuerKeys {
  /**
   * The set that has `kid`; `unknown` if the issuer does not have it; `unavailable` if the issuer cannot be reached, or
   * too many already wait for its answer.
   */
  find(kid: string): Promise<KeySet | 'unknown' | 'unavailable'>
}

/** Caches the keys of one issuer. Nothing is fetched before the first `find`. */
export function issuerKeys(
  issuer: string,
  options: { now: () => Date; fetch: typeof fetch; log: IdentityLog; maxWaiting: number },
): IssuerKeys {
  let held: (KeySet & { text: string; at: number }) | null = null
  let last: { ended: number; failed: boolean } | null = null
  let flight: Promise<void> | null = null
  let waiting = 0

  async function find(kid: string): Promise<KeySet | 'unknown' | 'unavailable'> {
    if (!(await freshen())) return 'unavailable'
    const known = setWith(kid)
    if (known !== null) return known
    if (!(await ended(refresh()))) return 'unavailable'
    return setWith(kid) ?? (last?.failed === false ? 'unknown' : 'unavailable')
  }

  /** Waits for a refresh. False if too many already wait: anybody can invent key ids, and an issuer may be slow. */
  async function ended(refreshing: Promise<void> | null): Promise<boolean> {
    if (refreshing === null) return true
    if (waiting >= options.maxWaiting) return false
    waiting++
    await refreshing.finally(() => waiting--)
    return true
  }

  function setWith(kid: string): KeySet | null {
    return held !== null && age() < staleAfter && held.kids.has(kid) ? held : null
  }

  function age(): number {
    return held === null ? Infinity : options.now().getTime() - held.at
  }

  /** False if newer keys were needed and could not be fetched. */
  async function freshen(): Promise<boolean> {
    if (age() < refreshAfter) return true
    const refreshing = refresh()
    // While the issuer is down nobody waits for it, or its outage would become ours.
    const mustWait = age() >= staleAfter || (age() >= waitAfter && last?.failed === false)
    return mustWait ? ended(refreshing) : true
  }

  /** Null if the last refresh was too short a time ago for another one. */
  function refresh(): Promise<void> | null {
    if (flight !== null) return flight
    if (last !== null) {
      const since = options.now().getTime() - last.ended
      // A clock that was set back must not stop refreshing until it has caught up.
      if (since >= 0 && since < pause) return null
    }
    flight = load().finally(() => {
      flight = null
    })
    return flight
  }

  async function load(): Promise<void> {
    let failed = false
    try {
      store(await fetchKeySet(issuer, options.fetch))
    } catch (error) {
      failed = true
      options.log.warn(
        { issuer, reason: reasonOf(error) },
        'The keys of an identity issuer could not be fetched.',
      )
    }
    last = { ended: options.now().getTime(), failed }
  }

  function store(keys: JWK[]): void {
    const text = JSON.stringify(keys)
    const at = options.now().getTime()
    // An unchanged set keeps its imported keys, so that cached tokens stay verified.
    if (held?.text === text) held.at = at
    else held = { ...keySet(keys), version: (held?.version ?? 0) + 1, text, at }
  }

  return { find }
}

/** The keys of an issuer in this process. */
export function ownKeys(keys: readonly JWK[]): IssuerKeys {
  const held = { ...keySet([...keys]), version: 1 }
  return { find: async kid => (held.kids.has(kid) ? held : 'unknown') }
}

async function fetchKeySet(issuer: string, fetch: typeof globalThis.fetch): Promise<JWK[]> {
  const metadata = await fetchJson(discoveryUrl(issuer), { fetch })
  if (!isRecord(metadata) || metadata['issuer'] !== issuer) {
    throw new Error('its metadata names another issuer')
  }
  const document = await fetchJson(keySetUrl(issuer, metadata['jwks_uri']), { fetch })
  if (!isRecord(document) || !Array.isArray(document['keys'])) throw new Error('its key set is invalid')
  return document['keys'].filter(isVerificationKey)
}

/** A key that cannot verify is ignored rather than refused, so that it does not invalidate the others. */
function isVerificationKey(key: unknown): key is JWK {
  return isRecord(key) && typeof key['kid'] === 'string' && key['kty'] !== 'oct' && key['use'] !== 'enc'
}

function keySet(keys: JWK[]): Omit<KeySet, 'version'> {
  return { kids: new Set(keys.map(key => key.kid ?? '')), select: createLocalJWKSet({ keys }) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
