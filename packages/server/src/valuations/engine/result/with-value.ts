import type { Concluded } from '../conclude.ts'
import type { MethodOutcome } from '../engine.ts'

/** The methods that have a value, also those that only check others: what the rejected ones assume does not matter. */
export const withValue = ({ outcomes }: Concluded): MethodOutcome[] =>
  outcomes.filter(({ indicated }) => indicated !== null)
