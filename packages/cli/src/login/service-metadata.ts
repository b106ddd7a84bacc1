import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { isSameOrigin, isTrustedUrl } from '../sessions/trusted-url.ts'
import { reasonOf } from '../reason-of.ts'

/** How a service says that wbs can sign people in at an issuer. */
export interface SignIn {
  issuer: string
  client_id: string
  scope: string
  /** For the requests to the issuer, so that the access token is for the service. */
  parameters: Record<string, string>
}

/** The parts of the protected resource metadata (RFC 9728) of a service that a sign-in needs. */
export interface ServiceMetadata {
  issuers: string[]
  sign_in: SignIn[]
}

const path = '/.well-known/oauth-protected-resource'
const longest = 65_536 // characters

/** Reads at which issuers people sign in for the service at `url`. Throws CommandError. */
export async function readServiceMetadata(url: string): Promise<ServiceMetadata> {
  if (!isTrustedUrl(url, url))
    throw new CommandError(
      `wbs does not sign you in at ${url}: the address must begin with https, except for this machine.`,
    )
  const answer = await ask(`${url.replace(/\/$/, '')}${path}`)
  const { resource, authorization_servers, sign_in } = answer
  if (typeof resource !== 'string' || !URL.canParse(resource) || !Array.isArray(authorization_servers))
    throw notTheService(url, 'it has no protected resource metadata')
  if (!isSameOrigin(resource, url))
    throw new CommandError(
      `${url} says that its address is ${oneLine(resource)}. Sign in there: wbs login --url ${oneLine(resource)}`,
    )
  return {
    issuers: authorization_servers.filter(server => typeof server === 'string').map(oneLine),
    sign_in: Array.isArray(sign_in) ? sign_in.map(readSignIn).filter(client => client !== null) : [],
  }
}

async function ask(url: string): Promise<Record<string, unknown>> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(15_000) })
    text = await response.text()
  } catch (error) {
    throw new CommandError(`${url} cannot be reached: ${reasonOf(error)}.`)
  }
  if (response.status !== 200) throw notTheService(url, `it answers with the status ${response.status}`)
  try {
    const answer: unknown = text.length > longest ? null : JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>
  } catch {} // reported below
  throw notTheService(url, 'its answer is not JSON of the service')
}

const notTheService = (url: string, why: string) =>
  new CommandError(
    `${url} does not say how to sign in: ${why}. Check the address, or ask whoever runs the service to update it.`,
  )

/** Only the two parameters that name a service: another one could change the sign-in itself. */
const ofService = ['resource', 'audience']

function readSignIn(value: unknown): SignIn | null {
  const { issuer, client_id, scope, parameters = {} } = (value ?? {}) as Partial<Record<string, unknown>>
  if (![issuer, client_id, scope].every(value => typeof value === 'string' && value !== '')) return null
  const named = Object.entries(parameters ?? {}).filter(
    (entry): entry is [string, string] => ofService.includes(entry[0]) && typeof entry[1] === 'string',
  )
  return {
    issuer: issuer as string,
    client_id: client_id as string,
    scope: scope as string,
    parameters: Object.fromEntries(named),
  }
}
