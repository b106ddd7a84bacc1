import { Problem } from '../../call/problem.ts'

/** Limits of what may be open at once, beside the rate limits of the contract. */
type OpenPolicy = 'in_flight' | 'transfers' | 'turns' | 'unfinished' | 'waiting'

/** The caller is told to let something of its own end. It can retry as soon as that has happened. */
export const tooMany = (policy: OpenPolicy, detail: string): Problem<'rate_limited'> =>
  new Problem('rate_limited', detail, { 'violated-policies': [policy] }, { 'retry-after': '1' })
