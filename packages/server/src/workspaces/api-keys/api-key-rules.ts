import type { InputError } from '@wbs/contract/problems'
import type { Scope } from '@wbs/contract/scopes'
import { isSubnetOf, parseNetwork } from '../../identity/networks.ts'

/** How many active keys a Workspace can have. */
export const mostApiKeys = 500

/** Settings of a key as the client sends them. */
export interface WantedSettings {
  expires_at?: string | null | undefined
  allowed_cidrs?: readonly string[] | null | undefined
}

/** What is wrong with the settings that the client sends. */
export function settingErrors({ expires_at, allowed_cidrs }: WantedSettings, now: Date): InputError[] {
  const errors: InputError[] = []
  if (expires_at && Date.parse(expires_at) <= now.getTime())
    errors.push({
      in: 'body',
      pointer: '/expires_at',
      code: 'out_of_range',
      detail: 'expires_at must be in the future. To end a key now, revoke it.',
    })
  for (const [i, text] of (allowed_cidrs ?? []).entries()) {
    const network = parseNetwork(text)
    if ('network' in network) continue
    errors.push({
      in: 'body',
      pointer: `/allowed_cidrs/${i}`,
      code: 'format',
      detail:
        'The value must be an IP address, or a network in CIDR notation with no bits set beyond its prefix.',
      ...network,
    })
  }
  return errors
}

/** Networks in the form in which they are stored. */
export const canonicalNetworks = (cidrs: readonly string[] | null): string[] | null =>
  cidrs && cidrs.map(text => (parseNetwork(text) as { network: string }).network)

/** The first scope that the caller lacks, and so cannot give to a key. */
export const firstMissingScope = (
  permissions: ReadonlySet<Scope>,
  wanted: readonly Scope[],
): Scope | undefined => wanted.find(scope => !permissions.has(scope))

/** What a key may do, until when, and from where. */
export interface KeyLimits {
  scopes: readonly Scope[]
  expires_at: string | null
  allowed_cidrs: readonly string[] | null
}

/** Whether a change only takes something away from a key. Others than its owner may make such a change. */
export const narrows = (before: KeyLimits, after: KeyLimits): boolean =>
  after.scopes.every(scope => before.scopes.includes(scope)) &&
  endsNoLater(before.expires_at, after.expires_at) &&
  allowsNoMoreNetworks(before.allowed_cidrs, after.allowed_cidrs)

const endsNoLater = (before: string | null, after: string | null): boolean =>
  before === null || (after !== null && Date.parse(after) <= Date.parse(before))

const allowsNoMoreNetworks = (before: readonly string[] | null, after: readonly string[] | null): boolean =>
  before === null ||
  (after !== null && after.every(network => before.some(other => isSubnetOf(network, other))))
