import { limitPolicies, policyOf, type LimitPolicy } from '@wbs/contract/limits'
import type { Limit } from './leased-tokens.ts'

/** The limit of a policy in this installation, with and without a credential. */
export type Quotas = (policy: LimitPolicy, isAnonymous: boolean) => Limit

/** The largest integer of a structured header field has fifteen digits. */
const largest = 999_999_999_999_999

/** Scales the quotas of all policies. Each allows at least one request. */
export function scaledQuotas(scale: number): Quotas {
  const scaled = (quota: number) => Math.min(largest, Math.max(1, Math.round(quota * scale)))
  const limits = new Map(
    (Object.keys(limitPolicies) as LimitPolicy[]).map(name => {
      const { quota, anonymous = quota, window } = policyOf(name)
      return [
        name,
        { known: { quota: scaled(quota), window }, anonymous: { quota: scaled(anonymous), window } },
      ]
    }),
  )
  return (policy, isAnonymous) => {
    const both = limits.get(policy)
    if (!both) throw new Error(`There is no rate limit called ${policy}.`)
    return isAnonymous ? both.anonymous : both.known
  }
}
