import type { NewValuation } from '../valuation-document.ts'

/** A document of a portfolio. */
export const ofPortfolio = (id: string, about: Partial<NewValuation> = {}): NewValuation => ({
  subject: { type: 'portfolio', id },
  engagement_type: 'indicative',
  purpose: 'planning',
  standard_of_value: 'fair_market_value',
  premise_of_value: 'going_concern',
  level_of_value: 'control_nonmarketable',
  interest: { percent: '100', kind: 'equity' },
  valuation_date: '2026-06-30',
  currency: 'USD',
  inputs: {},
  run: true,
  ...about,
})
