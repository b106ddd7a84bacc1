import { createHash } from 'node:crypto'
import type { Meter } from '@opentelemetry/api'
import { limitsOf, policyOf, type Limited, type LimitPolicy } from '@wbs/contract/limits'
import { chargedWorkspace, type KnownMembers } from '../call/authority/known-members.ts'
import { principalOf, type Caller } from '../call/authority/caller.ts'
import { Problem } from '../call/problem.ts'
import { noMeter } from '../telemetry/meter.ts'
import { addressKey } from './address.ts'
import type { BucketStore } from './bucket-store.ts'
import { createBuckets } from './buckets.ts'
import { limitHeaders, scarcest, seconds, type RateLimitCharge, type ChargeResult } from './headers.ts'
import { scaledQuotas } from './quotas.ts'

/** The source of a request. */
export interface RequestSource {
  caller: Caller | null
  address: string
  /** The Workspace that the request names; it need not exist. */
  workspace_id: string | undefined
  /** Whether it is a visitor's, who has no account. Default: no. */
  isVisitor?: boolean
  /** The ids in its path; they need not exist. */
  resource?: string
}

/** The headers that report the state of a request's limits. */
type LimitHeaders = Record<string, string>

/** Rate limits by credential, Workspace and address, so that none can take the service away from the others. */
export interface Limiter {
  /** Counts a request. Throws rate_limited. */
  count(operation: Limited, sender: RequestSource): Promise<LimitHeaders>
  /** Throws rate_limited if too many credentials from this address were invalid, before another is checked. */
  admitCredential(address: string): void
  /** Counts an invalid credential. */
  countBadCredential(address: string): Promise<LimitHeaders>
}

interface LimiterSettings {
  store: BucketStore
  /** Tells which callers are charged to the Workspace that they name. */
  knownMembers: Pick<KnownMembers, 'standingOf'>
  /** Multiplies every quota; greater than 0. */
  scale: number
  log: { warn(details: object, message: string): void }
  /** Default: nothing is measured. */
  meter?: Meter
}

export function createLimiter({
  store,
  knownMembers,
  scale,
  log,
  meter = noMeter,
}: LimiterSettings): Limiter {
  const failures = meter.createCounter('svc.rate_limits.failures', {
    description: 'Questions about rate limits that the database did not answer; the requests were admitted.',
  })
  failures.add(0)
  const buckets = createBuckets({ store, log, noteFailure: () => failures.add(1) })
  const quotas = scaledQuotas(scale)

  const charge = (policy: LimitPolicy, isAnonymous: boolean, whose: string): RateLimitCharge => ({
    policy,
    limit: quotas(policy, isAnonymous),
    bucket: `${policy} ${whose}`,
  })
  const ofAddress = (policy: LimitPolicy, address: string): RateLimitCharge =>
    charge(policy, true, `address:${addressKey(address)}`)

  function chargesOf(
    policy: LimitPolicy,
    { caller, address, workspace_id, resource = '' }: RequestSource,
  ): RateLimitCharge[] {
    const { by_address, by_resource } = policyOf(policy)
    if (caller === null || by_address) return [ofAddress(policy, address)]
    // Each caller has a bucket of their own, or strangers could keep the one who has the secret from using it.
    if (by_resource) return [charge(policy, false, `${principalOf(caller)} ${digest(resource)}`)]
    const own = charge(policy, false, principalOf(caller))
    const workspace = chargedWorkspace(knownMembers, caller, workspace_id)
    return workspace === null ? [own] : [own, charge(policy, false, `workspace:${workspace}`)]
  }

  async function take(charges: readonly RateLimitCharge[]): Promise<ChargeResult[]> {
    const counted = await Promise.all(
      charges.map(async one => ({ ...one, ...(await buckets.take(one.bucket, one.limit)) })),
    )
    return counted.every(one => one.allowed) ? counted : counted.map(putBack)
  }

  /** A request refused by one limit is not charged to the others. */
  function putBack(one: ChargeResult): ChargeResult {
    if (!one.allowed || one.remaining === null) return one
    buckets.giveBack(one.bucket)
    return { ...one, remaining: one.remaining + 1 }
  }

  return {
    async count(operation, sender) {
      const policies = limitsOf(operation, sender.isVisitor)
      if (policies.length === 0) return {}
      const counted = scarcest(await take(policies.flatMap(policy => chargesOf(policy, sender))))
      if (counted.some(one => !one.allowed)) throw rateLimited(counted, 'Too many requests')
      return limitHeaders(counted)
    },
    admitCredential(address) {
      const one = ofAddress('authentication', address)
      const wait = buckets.emptyFor(one.bucket)
      if (wait > 0)
        throw rateLimited(
          [{ ...one, allowed: false, remaining: 0, wait }],
          'Too many requests from your address had an invalid credential',
        )
    },
    countBadCredential: async address => limitHeaders(await take([ofAddress('authentication', address)])),
  }
}

/** What a path names, in a name of limited length. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

function rateLimited(counted: readonly ChargeResult[], what: string): Problem<'rate_limited'> {
  const violated = counted.filter(one => !one.allowed)
  const retryAfter = Math.max(...violated.map(seconds))
  return new Problem(
    'rate_limited',
    `${what}. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
    { 'violated-policies': violated.map(one => one.policy) },
    { ...limitHeaders(counted), 'retry-after': String(retryAfter) },
  )
}
