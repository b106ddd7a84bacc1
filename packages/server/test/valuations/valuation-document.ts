import type { Client } from '@wbs/sdk'
import { payOfAnn, year2025 } from './engine/bakery.ts'

export type NewValuation = Parameters<Client['createValuation']>[0]

/** A document of a bakery with the methods of the guide, with other fields if given. */
export const bakery = (about: Partial<NewValuation> = {}): NewValuation => ({
  subject: { type: 'business', name: 'Corner Bakery' },
  engagement_type: 'indicative',
  purpose: 'sale',
  standard_of_value: 'fair_market_value',
  premise_of_value: 'going_concern',
  level_of_value: 'control_nonmarketable',
  interest: { percent: '100', kind: 'equity' },
  valuation_date: '2026-06-30',
  currency: 'USD',
  inputs: {
    periods: [year2025],
    adjustments: [{ ...payOfAnn, replacement_cost: '60000' }],
  },
  methods: [
    { method: 'sde_multiple', multiple: '2.51', source: 'Broker survey', as_of: '2025-12-31' },
    { method: 'revenue_multiple', multiple: '0.6', source: 'Broker survey', as_of: '2025-12-31' },
  ],
  weights: { sde_multiple: '0.7', revenue_multiple: '0.3' },
  ...about,
})

/** The same without methods, which is sound but cannot run. */
export const unfinished = (about: Partial<NewValuation> = {}): NewValuation => {
  const { methods: _methods, weights: _weights, ...document } = bakery(about)
  return document
}

/** The same with a loss, to which no multiple applies. */
export const withLoss = (about: Partial<NewValuation> = {}): NewValuation => {
  const document = bakery(about)
  const loss = {
    revenue: '800000',
    cost_of_sales: '320000',
    operating_expenses: '680000',
    net_income: '-200000',
  }
  const periods = (document.inputs.periods ?? []).map(period => ({ ...period, income: loss }))
  const { weights: _weights, ...others } = document
  return { ...others, inputs: { periods }, methods: document.methods?.slice(0, 1) }
}
