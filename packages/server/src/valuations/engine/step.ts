import type { ValuationResult } from '@wbs/contract/valuations/result'

/** A step from the value of a method to that of the interest: what the result tells about it. */
export type Step = ValuationResult['adjustments'][number]

type Told = Pick<Step, 'code' | 'method' | 'reason'>

/** A step that does not apply. */
export const skippedStep = ({ code, method, reason }: Told): Step => ({
  code,
  method,
  applied: false,
  rate: null,
  amount: null,
  reason,
  source: null,
  as_of: null,
})

/** A step that applies. `rate` is null if the step is no ratio. */
export const appliedStep = ({
  code,
  method,
  reason,
  amount,
  rate = null,
  source = null,
  as_of = null,
}: Told & { amount: NonNullable<Step['amount']> } & Partial<
    Pick<Step, 'rate' | 'source' | 'as_of'>
  >): Step => ({
  code,
  method,
  applied: true,
  rate,
  amount,
  reason,
  source,
  as_of,
})
