/** How often something may be done: `quota` at once, and as many again spread evenly over each `window`, in seconds. */
interface Policy {
  quota: number
  window: number
  /** The quota of each address that brings no credential, where it is another one. */
  anonymous?: number
  /** Counted by address, whoever sends it. */
  by_address?: true
}

const minute = 60
const hour = 3600

/** The quotas that an installation has unless it scales them: for each credential and each Workspace, or each address. */
export const limitPolicies = {
  read: { quota: 6000, window: minute },
  write: { quota: 1200, window: minute },
  content: { quota: 1200, window: minute },
  search: { quota: 3000, window: minute, anonymous: 600 },
  run: { quota: 60, window: minute },
  invite: { quota: 100, window: hour },
  guest: { quota: 60, window: hour, by_address: true },
  // Credentials that do not hold, whichever operation they came with.
  authentication: { quota: 120, window: minute, by_address: true },
} as const satisfies Record<string, Policy>

export type LimitPolicy = keyof typeof limitPolicies
/** What an operation may fall under. */
export type OperationLimit = Exclude<LimitPolicy, 'authentication'>

/** What a policy says, whichever it is. */
export const policyOf = (name: LimitPolicy): Policy => limitPolicies[name]

/** The policies that an operation falls under. Those that tell how the service fares are never limited. */
export function limitsOf(operation: {
  kind: 'query' | 'mutation'
  tag: string
  limits?: readonly OperationLimit[]
}): readonly OperationLimit[] {
  if (operation.tag === 'System') return []
  return operation.limits ?? [operation.kind === 'query' ? 'read' : 'write']
}
