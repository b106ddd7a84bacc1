import { Problem } from '../../call/problem.ts'

/** What a caller, an address or a Workspace may have open at once, beside the quotas of the contract. */
type OpenPolicy = 'in_flight' | 'turns' | 'unfinished' | 'waiting'

/** Whoever is told this has too much open themselves; it passes as soon as something of it ends. */
export const tooMany = (policy: OpenPolicy, detail: string): Problem<'rate_limited'> =>
  new Problem('rate_limited', detail, { 'violated-policies': [policy] }, { 'retry-after': '1' })
