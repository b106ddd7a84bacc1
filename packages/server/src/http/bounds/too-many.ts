import { Problem, unavailable } from '../../call/problem.ts'

/** Limits of what may be open at once, beside the rate limits of the contract. */
type OpenPolicy = 'in_flight' | 'transfers' | 'turns' | 'unfinished' | 'waiting'

/** The caller is told to let something of its own end. It can retry as soon as that has happened. */
export const tooMany = (policy: OpenPolicy, detail: string): Problem<'rate_limited'> =>
  new Problem('rate_limited', detail, { 'violated-policies': [policy] }, { 'retry-after': '1' })

/** The node can take no more of anybody. */
export const nodeFull = (detail: string): Problem<'unavailable'> => unavailable(detail, 1, 'node')
