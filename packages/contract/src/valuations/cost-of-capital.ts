import { T } from '../json/type.ts'
import { closed, component, oneOf, taggedUnion } from '../schema.ts'
import { rate, ratio, share } from './decimals.ts'
import { Source } from './source.ts'

const optional = T.Optional

const Beta = closed({
  levered: optional(ratio('The levered beta, used as it is; of a peer, before it is unlevered.', '0.81')),
  unlevered: optional(ratio('The unlevered beta, which is relevered with debt_equity and tax_rate.', '0.75')),
  debt_equity: optional(share('Debt divided by equity, of the subject.', '0.7')),
  tax_rate: optional(share('The rate of income tax of the subject.', '0.3')),
  peers: optional(
    T.Array(
      closed({
        levered: ratio('The levered beta of the peer.', '1.1'),
        debt_equity: share('Its debt divided by its equity.', '0.5'),
        tax_rate: share('Its rate of income tax.', '0.25'),
      }),
      { minItems: 1, maxItems: 20, description: 'Peers whose betas are unlevered and averaged.' },
    ),
  ),
})

const marketRates = {
  risk_free: rate('The risk-free rate.', '0.035'),
  equity_risk_premium: rate('The equity risk premium.', '0.055'),
  size_premium: optional(rate('The premium for size.', '0.0522')),
  company_specific: optional(rate('The premium for risks of this company.', '0.02')),
}

const BuildUp = component(
  'BuildUpCostOfEquity',
  closed({
    model: oneOf(['build_up'], 'The sum of the premiums.'),
    ...marketRates,
    industry_premium: optional(rate('The premium for the industry.', '0')),
  }),
)
const Capm = component(
  'CapmCostOfEquity',
  closed({
    model: oneOf(
      ['capm', 'total_beta'],
      'capm: with the beta. total_beta: with the beta divided by the correlation.',
    ),
    ...marketRates,
    correlation: optional(share('The correlation with the market. Required for total_beta.', '0.5')),
    beta: Beta,
  }),
)
const StatedEquity = component(
  'StatedCostOfEquity',
  closed({
    model: oneOf(['stated'], 'A rate from elsewhere.'),
    rate: rate('The cost of equity.', '0.2'),
    source: optional(Source),
  }),
)

export const CostOfCapital = component(
  'CostOfCapital',
  closed({
    equity: optional(taggedUnion('model', [BuildUp, Capm, StatedEquity], 'The cost of equity.')),
    debt: optional(
      T.Unsafe<{ pre_tax?: string; tax_rate?: string; after_tax?: string }>({
        ...closed({
          pre_tax: optional(rate('The cost of debt before taxes. Needs tax_rate.', '0.09')),
          tax_rate: optional(share('The rate of income tax.', '0.4')),
          after_tax: optional(rate('The cost of debt after taxes.', '0.038')),
        }),
        description: 'The cost of debt: pre_tax with tax_rate, or after_tax.',
      }),
    ),
    weights: optional(
      closed({
        equity: share('The share of equity in the capital.', '0.6'),
        debt: share('The share of debt in the capital. Both add up to 1.', '0.4'),
      }),
    ),
  }),
)
