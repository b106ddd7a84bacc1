import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MethodOf } from '@wbs/contract/valuations/methods'
import { amountText } from '../../../../src/valuations/engine/decimal.ts'
import { adjustedNetAssets } from '../../../../src/valuations/engine/methods/adjusted-net-assets.ts'
import { excessEarnings } from '../../../../src/valuations/engine/methods/excess-earnings.ts'
import { liquidation } from '../../../../src/valuations/engine/methods/liquidation.ts'
import { premiseFaults } from '../../../../src/valuations/engine/methods/premise.ts'
import { documentWith } from '../engine-context.ts'
import { fault } from '../fault.ts'
import { computedBy } from './computed-by.ts'

const ovens = { name: 'Ovens', amount: '120000' }
const van = { name: 'Van', amount: '0.1' }
const itemsLikeVan = (length: number) => Array.from({ length }, () => ({ ...van }))
const loan = { name: 'Loan', amount: '70000.2' }

describe('adjusted net assets', () => {
  const of = (change: Partial<MethodOf<'adjusted_net_assets'>> = {}) =>
    computedBy(adjustedNetAssets, {
      method: 'adjusted_net_assets',
      assets: [ovens, van],
      liabilities: [loan],
      ...change,
    })

  it('are the assets less the liabilities, as a value of equity', () => {
    const { outcome, value, figure } = of()
    assert.equal(value().toFixed(), '49999.9')
    assert.equal(figure('adjusted_net_assets.asset.2').toFixed(), '0.1')
    assert.equal(figure('adjusted_net_assets.liability.1').toFixed(), '70000.2')
    assert.equal(outcome.basis_metric, 'net_assets')
    assert.equal(outcome.indicates, 'equity')
    assert.equal(outcome.base_level, 'control_marketable')
    assert.equal(of({ base_level: 'control_nonmarketable' }).outcome.base_level, 'control_nonmarketable')
  })

  it('need no liabilities', () => {
    const { method, assets } = { method: 'adjusted_net_assets', assets: [van] } as const
    assert.equal(
      computedBy(adjustedNetAssets, { method, assets: [...assets] })
        .value()
        .toFixed(),
      '0.1',
    )
  })

  it('are rejected if the liabilities are not below the assets', () => {
    for (const amount of ['120000.1', '500000'])
      assert.match(
        String(of({ liabilities: [{ name: 'Loan', amount }] }).outcome.reason_rejected),
        /do not exceed/,
      )
  })

  it('take as many items as a document can have, with the same name too', () => {
    const { value } = of({ assets: itemsLikeVan(500), liabilities: itemsLikeVan(400) })
    assert.equal(value().toFixed(), '10')
  })
})

describe('liquidation', () => {
  const of = (change: Partial<MethodOf<'liquidation'>> = {}) =>
    computedBy(liquidation, {
      method: 'liquidation',
      kind: 'orderly',
      assets: [
        { ...ovens, recovery: '0.6' },
        { name: 'Stock', amount: '1000', recovery: '1' },
      ],
      liabilities: [{ name: 'Loan', amount: '10000' }],
      costs: '3000',
      ...change,
    })

  it('is what the assets bring, less costs and liabilities', () => {
    const { outcome, value, figure } = of()
    assert.equal(figure('liquidation.asset.1.proceeds').toFixed(), '72000')
    assert.equal(figure('liquidation.proceeds').toFixed(), '73000')
    assert.equal(value().toFixed(), '60000')
    assert.equal(outcome.indicates, 'equity')
    assert.equal(outcome.base_level, 'control_nonmarketable')
  })

  it('discounts the proceeds after costs, not the liabilities', () => {
    const year = of({ months: '12', discount_rate: '0.4' })
    assert.equal(year.value().toFixed(), '40000')
    const half = of({ months: '6', discount_rate: '0.44' })
    assert.equal(amountText(half.value()), '48333.33')
    assert.equal(half.outcome.rate?.value.toFixed(), '0.44')
    assert.equal(of({ months: '0', discount_rate: '0.44' }).value().toFixed(), '60000')
    assert.equal(of({ months: '120', discount_rate: '0' }).value().toFixed(), '60000')
  })

  it('needs months and a rate together, and ends within ten years', () => {
    assert.throws(() => of({ months: '6' }), fault('/methods/0/discount_rate', 'requires'))
    assert.throws(() => of({ discount_rate: '0.1' }), fault('/methods/0/months', 'requires'))
    for (const months of ['120.1', '999999999999999999'])
      assert.throws(() => of({ months, discount_rate: '0.1' }), fault('/methods/0/months', 'out_of_range'))
  })

  it('is rejected if nothing is left for the owners', () => {
    const { outcome } = of({ liabilities: [{ name: 'Loan', amount: '70000' }] })
    assert.equal(outcome.indicated, null)
    assert.match(String(outcome.reason_rejected), /do not exceed/)
  })
})

describe('excess earnings', () => {
  const of = (change: Partial<MethodOf<'excess_earnings'>> = {}) =>
    computedBy(excessEarnings, {
      method: 'excess_earnings',
      earnings: '100000',
      net_tangible_assets: '400000',
      tangible_return: '0.1',
      intangible_rate: '0.2',
      ...change,
    })

  it('are a check: net tangible assets, and the earnings above a return on them', () => {
    const { outcome, value, figure } = of()
    assert.equal(figure('excess_earnings.excess').toFixed(), '60000')
    assert.equal(value().toFixed(), '700000')
    assert.equal(outcome.is_check, true)
  })

  it('give less than net tangible assets if these do not earn their return, and say so', () => {
    const { outcome, value } = of({ earnings: '30000' })
    assert.equal(value().toFixed(), '350000')
    assert.match(outcome.assumptions.join(), /below the return/)
    assert.doesNotMatch(of({ earnings: '40000' }).outcome.assumptions.join(), /below the return/)
  })

  it('are rejected without earnings, and if nothing is left', () => {
    assert.match(String(of({ earnings: '0' }).outcome.reason_rejected), /not above 0/)
    const { outcome } = of({ earnings: '1', intangible_rate: '0.05' })
    assert.match(String(outcome.reason_rejected), /not above 0/)
  })

  it('refuse a rate of 0 for what is intangible', () => {
    assert.throws(() => of({ intangible_rate: '0.0' }), fault('/methods/0/intangible_rate', 'out_of_range'))
  })
})

describe('the premise of value', () => {
  const assets = [{ ...van, recovery: '1' }]
  const liquidated = (kind: 'orderly' | 'forced') => ({ method: 'liquidation', kind, assets }) as const
  const revenue = { method: 'revenue_multiple', multiple: '1' } as const
  const faultsOf = (part: Parameters<typeof documentWith>[0]) =>
    premiseFaults(documentWith(part)).map(({ pointer, code }) => `${pointer} ${code}`)

  it('allows a liquidation of a business that goes on, and of one that ends in the same manner', () => {
    assert.deepEqual(faultsOf({ methods: [revenue, liquidated('orderly')] }), [])
    assert.deepEqual(faultsOf({ premise_of_value: 'assemblage', methods: [liquidated('orderly')] }), [])
    const forced = { premise_of_value: 'forced_liquidation' } as const
    assert.deepEqual(faultsOf({ ...forced, methods: [liquidated('forced')] }), [])
    assert.deepEqual(faultsOf({ ...forced, methods: [liquidated('orderly')] }), ['/methods/0/kind conflict'])
  })

  it('allows values of earnings only for a business that goes on', () => {
    const methods = [liquidated('orderly'), revenue]
    assert.deepEqual(faultsOf({ premise_of_value: 'orderly_liquidation', methods }), [
      '/methods/1/method conflict',
    ])
    assert.deepEqual(faultsOf({ methods: [revenue] }), [])
  })

  it('allows no past earnings of assets that do not operate, but cash flows to come', () => {
    const planned = {
      method: 'discounted_cash_flow' as const,
      cash_flows: ['100'],
      discount_rate: '0.2',
      terminal: { kind: 'gordon' as const, growth: '0' },
    }
    assert.deepEqual(faultsOf({ premise_of_value: 'assemblage', methods: [revenue, planned] }), [
      '/methods/0/method conflict',
    ])
  })

  it('is a liquidation for the liquidation value', () => {
    assert.deepEqual(faultsOf({ standard_of_value: 'liquidation_value' }), ['/premise_of_value conflict'])
    const premise_of_value = 'orderly_liquidation'
    assert.deepEqual(faultsOf({ standard_of_value: 'liquidation_value', premise_of_value }), [])
  })

  it('fits adjusted net assets, whatever it is', () => {
    const methods = [{ method: 'adjusted_net_assets' as const, assets: [van] }]
    for (const premise_of_value of ['going_concern', 'assemblage', 'forced_liquidation'] as const)
      assert.deepEqual(faultsOf({ premise_of_value, methods }), [])
  })
})
