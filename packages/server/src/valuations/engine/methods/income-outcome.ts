import type { MethodOutcome } from '../engine.ts'
import type { DiscountRate } from './discount-rate.ts'

/** What the methods of the income approach have in common that discount a net cash flow. */
export const incomeOutcome = (
  method: { method: MethodOutcome['method']; base_level?: MethodOutcome['base_level'] },
  { rate, indicates, sources, assumptions }: DiscountRate,
): MethodOutcome => ({
  method: method.method,
  approach: 'income',
  basis_metric: 'net_cash_flow',
  basis: null,
  period: null,
  multiple: null,
  rate,
  base_level: method.base_level ?? 'control_marketable',
  indicates,
  indicated: null,
  reason_rejected: null,
  is_check: false,
  checks: [],
  sources,
  assumptions,
})
