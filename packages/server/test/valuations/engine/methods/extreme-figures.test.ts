import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ValuationMethod } from '@wbs/contract/valuations/methods'
import fc from 'fast-check'
import { InvalidDocument, Unvaluable } from '../../../../src/valuations/engine/engine.ts'
import { concludeDocument } from '../../../../src/valuations/engine/value-document.ts'
import { contextOf, documentWith } from '../engine-context.ts'

/** Decimal strings with as many digits as a request can have. */
const decimals = (before: string[], places: number) =>
  fc
    .tuple(fc.constantFrom(...before), fc.stringMatching(new RegExp(`^[0-9]{0,${places}}$`)))
    .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : whole))
const amount = decimals(['0', '1', '67000', '999999999999999999'], 12)
const money = fc.oneof(
  amount,
  amount.map(text => `-${text}`),
)
const share = decimals(['0', '0', '0', '1', '999999'], 18)
const ratio = fc.oneof(
  share,
  share.map(text => `-${text}`),
)

const items = fc.array(fc.record({ name: fc.constant('Item'), amount }), { minLength: 1, maxLength: 4 })
const sold = fc.array(fc.record({ name: fc.constant('Item'), amount, recovery: share }), {
  minLength: 1,
  maxLength: 4,
})
const terminal = fc.oneof(
  fc.record({ kind: fc.constant('gordon' as const), growth: ratio }),
  fc.record({ kind: fc.constant('exit_multiple' as const), metric_amount: money, multiple: share }),
)
const methods: fc.Arbitrary<ValuationMethod> = fc.oneof(
  fc.record({
    method: fc.constant('capitalized_cash_flow' as const),
    cash_flow: money,
    cash_flow_is: fc.constantFrom('next_year' as const, 'base_year' as const),
    discount_rate: ratio,
    growth: ratio,
  }),
  fc.record({
    method: fc.constant('discounted_cash_flow' as const),
    cash_flows: fc.array(money, { minLength: 1, maxLength: 30 }),
    discount_rate: ratio,
    mid_year: fc.boolean(),
    terminal,
  }),
  fc.record({
    method: fc.constant('adjusted_net_assets' as const),
    assets: items,
    liabilities: items,
  }),
  fc.record(
    {
      method: fc.constant('liquidation' as const),
      kind: fc.constant('orderly' as const),
      assets: sold,
      liabilities: items,
      costs: amount,
      months: amount,
      discount_rate: share,
    },
    { requiredKeys: ['method', 'kind', 'assets'] },
  ),
  fc.record({
    method: fc.constant('excess_earnings' as const),
    earnings: money,
    net_tangible_assets: amount,
    tangible_return: share,
    intangible_rate: share,
  }),
)

describe('a method with extreme figures', () => {
  it('has a value, or is refused with a reason: nothing else', () => {
    const seen = { valued: 0, invalid: 0, unvaluable: 0 }
    fc.assert(
      fc.property(methods, method => {
        const document = documentWith({
          level_of_value: 'control_nonmarketable',
          premise_of_value: method.method === 'liquidation' ? 'orderly_liquidation' : 'going_concern',
          methods: [{ ...method, base_level: 'control_nonmarketable' }],
        })
        try {
          const { calculation, reconciled } = concludeDocument(document, contextOf(document).resolved)
          assert.ok(reconciled.point.value.greaterThan(0))
          for (const { id, value } of calculation)
            assert.ok(value.length < 400, `${id} has ${value.length} digits.`)
          seen.valued += 1
        } catch (error) {
          if (error instanceof InvalidDocument) seen.invalid += 1
          else if (error instanceof Unvaluable) seen.unvaluable += 1
          else throw error
        }
      }),
      { numRuns: 500 },
    )
    assert.ok(Math.min(...Object.values(seen)) > 20, JSON.stringify(seen))
  })
})
