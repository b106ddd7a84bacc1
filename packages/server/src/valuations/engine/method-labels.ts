import type { MethodOutcome } from './engine.ts'

/** The names of methods for people. */
export const methodLabels: Record<MethodOutcome['method'], string> = {
  sde_multiple: 'SDE multiple',
  ebitda_multiple: 'EBITDA multiple',
  revenue_multiple: 'Revenue multiple',
  guideline_transactions: 'Guideline transactions',
  capitalized_cash_flow: 'Capitalized cash flow',
  discounted_cash_flow: 'Discounted cash flow',
  adjusted_net_assets: 'Adjusted net assets',
  liquidation: 'Liquidation',
  excess_earnings: 'Excess earnings',
  look_through: 'Look-through',
}
