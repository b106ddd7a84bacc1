import { createHash } from 'node:crypto'
import type { Meter } from '@opentelemetry/api'
import { limitsOf, policyOf, type Limited, type LimitPolicy, limitPolicies } from '@wbs/contract/limits'
import { chargedWorkspace, type KnownMembers } from '../call/authority/known-members.ts'
import { principalOf, type Caller } from '../call/authority/caller.ts'
import { isInvalidCredential, Problem } from '../call/problem.ts'
import { noMeter } from '../telemetry/meter.ts'
import { addressKey } from './address.ts'
import { type BucketStore, type Limit, createBuckets, millisecondsUntil, type Verdict } from './buckets.ts'
import { createKnownCredentials } from './known-credentials.ts'
import { createQueues } from './queues.ts'

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
  /**
   * Has a credential judged. After too many invalid ones from its address, one that is not known to be valid waits for its turn
   * with the others from there. Throws what `judge` throws, or rate_limited instead of unauthenticated then, and if too many
   * wait.
   */
  judgeCredential(
    credential: string,
    address: string,
    judge: () => Promise<Caller | null>,
  ): Promise<Caller | null>
  /** Counts an invalid credential. */
  countBadCredential(address: string): Promise<LimitHeaders>
}

/** How many credentials of one address are judged or wait for it, once too many were invalid. */
const mostInQueue = 32

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
  const known = createKnownCredentials()
  const queues = createQueues(mostInQueue)

  /** The policies of operations, except of changes by visitors. */
  const policiesOf = new Map<Limited, readonly LimitPolicy[]>()

  function policiesFor(operation: Limited, isVisitor: boolean | undefined): readonly LimitPolicy[] {
    if (isVisitor) return limitsOf(operation, true)
    const known = policiesOf.get(operation) ?? limitsOf(operation)
    policiesOf.set(operation, known)
    return known
  }

  const ofAddress = (policy: LimitPolicy, address: string): RateLimitCharge => ({
    policy,
    limit: quotas[policy].anonymous,
    bucket: `${policy} address:${addressKey(address)}`,
  })

  function chargesOf(
    policy: LimitPolicy,
    { caller, address, workspace_id, resource = '' }: RequestSource,
  ): RateLimitCharge[] {
    const { limit, by_address, by_resource } = quotas[policy]
    if (caller === null || by_address) return [ofAddress(policy, address)]
    // Strangers cannot use up what the one who has the secret has left, because they have other buckets.
    const named = by_resource ? ` ${digest(resource)}` : ''
    const own = { policy, limit, bucket: `${policy} ${principalOf(caller)}${named}` }
    const workspace = chargedWorkspace(knownMembers, caller, workspace_id)
    if (workspace === null) return [own]
    const from = by_resource ? `address:${addressKey(address)} ` : ''
    return [own, { policy, limit, bucket: `${policy} ${from}workspace:${workspace}${named}` }]
  }

  async function take(charges: readonly RateLimitCharge[]): Promise<ChargeResult[]> {
    const verdicts = await Promise.all(charges.map(async ({ bucket, limit }) => buckets.take(bucket, limit)))
    const counted: ChargeResult[] = []
    let isAllowed = true
    for (const [i, verdict] of verdicts.entries()) {
      counted.push({ ...(charges[i] as RateLimitCharge), ...verdict })
      isAllowed &&= verdict.allowed
    }
    return isAllowed ? counted : counted.map(putBack)
  }

  /** A request refused by one limit is not charged to the others. */
  function putBack(chargeResult: ChargeResult): ChargeResult {
    if (!chargeResult.allowed || chargeResult.remaining === null) return chargeResult
    buckets.giveBack(chargeResult.bucket)
    return { ...chargeResult, remaining: chargeResult.remaining + 1 }
  }

  /** The refusal of credentials from an address that sent too many invalid ones; null if it did not. */
  function refusalOf(address: string): Problem<'rate_limited'> | null {
    const charge = ofAddress('authentication', address)
    const wait = buckets.emptyFor(charge.bucket)
    const charged = { ...charge, allowed: false, remaining: 0, wait }
    return wait > 0
      ? rateLimited([charged], 'Too many requests from your address had an invalid credential')
      : null
  }

  return {
    async count(operation, sender) {
      const charges: RateLimitCharge[] = []
      for (const policy of policiesFor(operation, sender.isVisitor))
        charges.push(...chargesOf(policy, sender))
      if (charges.length === 0) return {}
      const counted = scarcest(await take(charges))
      for (const { allowed } of counted) if (!allowed) throw rateLimited(counted, 'Too many requests')
      return limitHeaders(counted)
    },
    async judgeCredential(credential, address, judge) {
      const isKnown = known.has(credential)
      const refusal = isKnown ? null : refusalOf(address)
      try {
        const judged = await (refusal
          ? (queues.run(addressKey(address), judge) ?? refused(refusal))
          : judge())
        if (!isKnown && judged) known.add(credential, principalOf(judged))
        return judged
      } catch (error) {
        if (!isInvalidCredential(error)) throw error
        known.delete(credential)
        throw refusal ?? error
      }
    },
    countBadCredential: async address => limitHeaders(await take([ofAddress('authentication', address)])),
  }
}

const refused = (problem: Problem) => Promise.reject(problem)

/** What a path names, in a name of limited length. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

function rateLimited(counted: readonly ChargeResult[], what: string): Problem<'rate_limited'> {
  const violated = counted.filter(limit => !limit.allowed)
  const retryAfter = Math.max(...violated.map(seconds))
  return new Problem(
    'rate_limited',
    `${what}. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
    { 'violated-policies': violated.map(limit => limit.policy) },
    { ...limitHeaders(counted), 'retry-after': String(retryAfter) },
  )
}

/** A token that a request is charged, by a policy. */
interface RateLimitCharge {
  policy: LimitPolicy
  limit: Limit
  bucket: string
}

/** The charge with its result. */
type ChargeResult = RateLimitCharge & Verdict

/** The headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): lists of items with parameters. */
function limitHeaders(counted: readonly ChargeResult[]): Record<string, string> {
  const policies: string[] = []
  const left: string[] = []
  for (const charged of counted) {
    const { policy, limit, remaining } = charged
    policies.push(`"${policy}";q=${limit.quota};w=${limit.window}`)
    if (remaining !== null) left.push(`"${policy}";r=${Math.floor(remaining)};t=${seconds(charged)}`)
  }
  return {
    'ratelimit-policy': policies.join(', '),
    ...(left.length > 0 && { ratelimit: left.join(', ') }),
  }
}

/** Seconds until the quota is whole again or, if it is used up, until a token is available. */
function seconds({ limit, remaining, wait }: ChargeResult): number {
  const has = remaining ?? 0
  return Math.ceil((has < 1 ? Math.max(1, wait) : millisecondsUntil(limit, has, limit.quota)) / 1000)
}

/** For each policy, the bucket with the fewest tokens left, which is the one that counts. */
function scarcest(counted: readonly ChargeResult[]): ChargeResult[] {
  const byPolicy = new Map<LimitPolicy, ChargeResult>()
  for (const charge of counted) {
    const other = byPolicy.get(charge.policy)
    if (!other || hasLess(charge, other)) byPolicy.set(charge.policy, charge)
  }
  return [...byPolicy.values()]
}

function hasLess(chargeResult: ChargeResult, other: ChargeResult): boolean {
  if (chargeResult.allowed !== other.allowed) return other.allowed
  if (!chargeResult.allowed) return chargeResult.wait > other.wait
  return (chargeResult.remaining ?? Infinity) < (other.remaining ?? Infinity)
}

/** The limit of a policy in this installation, with a credential and without one, and whether it counts by address or by resource. */
interface Quota extends Pick<ReturnType<typeof policyOf>, 'by_address' | 'by_resource'> {
  limit: Limit
  anonymous: Limit
}

/** The largest integer of a structured header field has fifteen digits. */
const largest = 999_999_999_999_999

/** Scales the quotas of all policies. Each allows at least one request. */
function scaledQuotas(scale: number): Readonly<Record<LimitPolicy, Quota>> {
  const scaled = (quota: number) => Math.min(largest, Math.max(1, Math.round(quota * scale)))
  const quotas = (Object.keys(limitPolicies) as LimitPolicy[]).map(name => {
    const { quota, anonymous = quota, window, ...counted } = policyOf(name)
    return [
      name,
      {
        ...counted,
        limit: { quota: scaled(quota), window },
        anonymous: { quota: scaled(anonymous), window },
      },
    ]
  })
  return Object.fromEntries(quotas) as Record<LimitPolicy, Quota>
}
