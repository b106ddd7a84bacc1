import { fetchJson } from './fetch-json.ts'
import { discoveryUrl, isLoopback, isSafeUrl } from './issuer-url.ts'
import { reasonOf, type IdentityLog } from './log.ts'
import type { SignInClient } from './sign-in-settings.ts'

const minute = 60_000

/** Metadata of this age is fetched again in the background. */
const refreshAfter = 10 * minute
/** How long an issuer may be unreachable before its metadata is no longer used. */
const staleAfter = 24 * 60 * minute
/** Between two requests to an issuer. */
const pause = 5_000
/** How long a page waits for an issuer that has not answered yet, in milliseconds. */
const patience = 2_500

/** A way to sign in, for a page. */
export interface SignInOption extends SignInClient {
  /** For people: the host of the issuer, with its path if another issuer has the same host. */
  name: string
  /** Null while the issuer cannot be reached, or if it does not offer the authorization code flow. */
  endpoints: SignInEndpoints | null
}

/** What an issuer's metadata says about signing in. */
export interface SignInEndpoints {
  authorization_endpoint: string
  token_endpoint: string
  /** Whether its answers carry `iss` (RFC 9207). */
  authorization_response_iss_parameter_supported: boolean
  prompt_values_supported: string[]
}

/** The ways to sign in. Waits a few seconds at most, and only for issuers that have not answered yet. */
export type SignInOptions = () => Promise<SignInOption[]>

/** Finds where people sign in, by the metadata of the issuers. */
export function signInOptions(
  clients: readonly SignInClient[],
  options: { now: () => Date; fetch?: typeof fetch; log: IdentityLog },
): SignInOptions {
  const issuers = clients.map(client => ({
    client: { ...client, name: nameOf(client.issuer, clients) },
    find: endpointsOf(client.issuer, { fetch, ...options }),
  }))
  return () => Promise.all(issuers.map(async ({ client, find }) => ({ ...client, endpoints: await find() })))
}

function nameOf(issuer: string, all: readonly SignInClient[]): string {
  const { host, pathname } = new URL(issuer)
  const isOnly = all.filter(option => new URL(option.issuer).host === host).length === 1
  return isOnly ? host : host + pathname
}

function endpointsOf(
  issuer: string,
  options: { now: () => Date; fetch: typeof fetch; log: IdentityLog },
): () => Promise<SignInEndpoints | null> {
  let held: { endpoints: SignInEndpoints; at: number } | null = null
  let asked = -Infinity
  let flight: Promise<void> | null = null
  const time = () => options.now().getTime()
  const age = () => (held === null ? Infinity : time() - held.at)

  function refresh(): void {
    const since = time() - asked
    // A clock that was set back must not stop refreshing until it has caught up.
    if (flight !== null || (since >= 0 && since < pause)) return
    asked = time()
    flight = load().finally(() => {
      flight = null
    })
  }

  async function load(): Promise<void> {
    try {
      const metadata = await fetchJson(discoveryUrl(issuer), { fetch: options.fetch })
      held = { endpoints: readEndpoints(issuer, metadata), at: time() }
    } catch (error) {
      options.log.warn(
        { issuer, reason: reasonOf(error) },
        'Where people sign in at an identity issuer could not be found out.',
      )
    }
  }

  return async () => {
    if (age() >= refreshAfter) refresh()
    if (age() >= staleAfter && flight !== null) await atMost(patience, flight)
    return held !== null && age() < staleAfter ? held.endpoints : null
  }
}

/** The prompts of OpenID Connect. Others would only make the page larger. */
const knownPrompts = ['none', 'login', 'consent', 'select_account', 'create']
const longestEndpoint = 2_000 // characters

/** Throws unless the metadata is the issuer's and has both endpoints. */
function readEndpoints(issuer: string, metadata: unknown): SignInEndpoints {
  const said = metadata !== null && typeof metadata === 'object' ? (metadata as Record<string, unknown>) : {}
  if (said['issuer'] !== issuer) throw new Error('its metadata names another issuer')
  const prompts = said['prompt_values_supported']
  return {
    authorization_endpoint: endpoint(issuer, 'authorization_endpoint', said),
    token_endpoint: endpoint(issuer, 'token_endpoint', said),
    authorization_response_iss_parameter_supported:
      said['authorization_response_iss_parameter_supported'] === true,
    prompt_values_supported: Array.isArray(prompts)
      ? knownPrompts.filter(prompt => prompts.includes(prompt))
      : [],
  }
}

/** A URL that a browser is sent to. A remote issuer may not direct people to a port of their own machine. */
function endpoint(issuer: string, name: string, said: Record<string, unknown>): string {
  const text = said[name]
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null || !isSafeUrl(url)) throw new Error(`its ${name} is not an https URL`)
  // The page's policy names it, in a header, where a * stands for any host.
  if (url.href.length > longestEndpoint || !/^[\w.:[\]-]+$/.test(url.host))
    throw new Error(`its ${name} is too long or has no plain host`)
  if (isLoopback(url) && !isLoopback(new URL(issuer))) throw new Error(`its ${name} points to this machine`)
  return url.href
}

/** Waits for a promise that does not fail, but not longer than some milliseconds. */
async function atMost(milliseconds: number, promise: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, milliseconds)
  await Promise.race([promise, over.promise]).finally(() => clearTimeout(timer))
}
