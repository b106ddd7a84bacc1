/** A token bucket: it holds `quota` requests, and refills evenly with as many in each `window` of seconds. */
interface Policy {
  quota: number
  window: number
  /** The quota of an address that sends no credential, if it differs. */
  anonymous?: number
  /** Requests are counted by address, even with a credential. */
  by_address?: true
  /**
   * Requests are counted for each resource that the path names, whether or not it exists: by credential, and by the address and
   * the Workspace.
   */
  by_resource?: true
}

const minute = 60
const hour = 3600

/**
 * The default quotas. Each applies to a credential and to a Workspace, or to an address where there is no credential, unless
 * the policy says otherwise.
 */
export const limitPolicies = {
  read: { quota: 6000, window: minute },
  write: { quota: 1200, window: minute },
  content: { quota: 1200, window: minute },
  search: { quota: 3000, window: minute, anonymous: 600 },
  run: { quota: 60, window: minute },
  invite: { quota: 100, window: hour },
  guest: { quota: 60, window: hour, by_address: true },
  // Secrets that are tried on one resource.
  claim: { quota: 10, window: hour, by_resource: true },
  // Invalid credentials, whichever operation they were sent to.
  authentication: { quota: 120, window: minute, by_address: true },
} as const satisfies Record<string, Policy>

export type LimitPolicy = keyof typeof limitPolicies
/** The policies that an operation may declare. */
export type OperationLimit = Exclude<LimitPolicy, 'authentication'>

/** The quota of a policy, typed with the optional members that only some policies have. */
export const policyOf = (name: LimitPolicy): Policy => limitPolicies[name]

/** What rate limits know of an operation. */
export interface Limited {
  kind: 'query' | 'mutation'
  tag: string
  limits?: readonly OperationLimit[]
  visitors?: true
}

/**
 * The policies that a request counts for; a change by a visitor, who has no account, has one of its own. Health checks are not
 * limited, so that monitoring always works.
 */
export function limitsOf(operation: Limited, isVisitor = false): readonly OperationLimit[] {
  if (operation.tag === 'System') return []
  if (isVisitor && operation.kind === 'mutation') return ['guest']
  return operation.limits ?? [operation.kind === 'query' ? 'read' : 'write']
}
