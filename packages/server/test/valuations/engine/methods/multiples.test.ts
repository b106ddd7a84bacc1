import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exactText } from '../../../../src/valuations/engine/decimal.ts'
import type { MethodOutcome, Resolved } from '../../../../src/valuations/engine/engine.ts'
import { multipleMethod, type MultipleMethod } from '../../../../src/valuations/engine/methods/multiples.ts'
import { normalize } from '../../../../src/valuations/engine/normalization/normalize.ts'
import { bakery, contextOf, resolvedWith, yearOf } from '../bakery.ts'

const noRates = { cost_of_equity: null, cost_of_debt: null, wacc: null }

function valued(
  method: MultipleMethod,
  { income, resolved }: { income?: Parameters<typeof yearOf>[1]; resolved?: Resolved } = {},
): MethodOutcome {
  const periods = income && [yearOf('2025', income)]
  const context = contextOf(
    bakery({ methods: [method], ...(periods && { inputs: { periods, adjustments: [] } }) }),
    resolved,
  )
  return multipleMethod(context, { normalized: normalize(context), rates: noRates }, method, '/methods/0')
}
const worth = (...given: Parameters<typeof valued>) => {
  const { indicated } = valued(...given)
  return indicated && exactText(indicated.value)
}

test('Published examples come out: SDE-02, SDE-04, ROT-01 and ROT-03', () => {
  assert.equal(worth({ method: 'sde_multiple', multiple: '2.28' }), '456000')
  assert.equal(worth({ method: 'sde_multiple', multiple: '4.99' }), '998000')
  assert.equal(worth({ method: 'revenue_multiple', multiple: '0.3' }), '240000')
  assert.equal(
    worth({ method: 'revenue_multiple', multiple: '0.54' }, { income: { revenue: '10000000' } }),
    '5400000',
  )
})

test('A method says what it is the value of, at which level, and where its multiple comes from', () => {
  const outcome = valued({ method: 'sde_multiple', multiple: '2.5', source: 'Survey', as_of: '2025-12-31' })
  const { approach, basis_metric, period, base_level, indicates, is_check, sources } = outcome
  assert.deepEqual(
    { approach, basis_metric, period, base_level, indicates, is_check, sources },
    {
      approach: 'market',
      basis_metric: 'sde',
      period: '2025',
      base_level: 'control_nonmarketable',
      indicates: 'invested_capital',
      is_check: false,
      sources: [{ figure: 'SDE multiple', source: 'Survey', as_of: '2025-12-31' }],
    },
  )
  assert.equal(exactText(outcome.multiple!.spread!.high), '2.75')
  assert.equal(
    valued({ method: 'sde_multiple', multiple: '2', base_level: 'minority_marketable' }).base_level,
    'minority_marketable',
  )
})

test('A multiple of a loss is not used, and is not set to 0', () => {
  for (const net_income of ['-50000', '0']) {
    const outcome = valued({ method: 'ebitda_multiple', multiple: '3' }, { income: { net_income } })
    assert.equal(outcome.indicated, null)
    assert.equal(exactText(outcome.basis!.value), net_income)
    assert.match(outcome.reason_rejected ?? '', /is not above 0/)
  }
})

test('A multiple of what the statements do not give is not used', () => {
  const { indicated, reason_rejected } = valued(
    { method: 'sde_multiple', multiple: '3' },
    { income: { revenue: '100' } },
  )
  assert.equal(indicated, null)
  assert.match(reason_rejected ?? '', /do not give Seller's discretionary earnings/)
})

test('A multiple that is left out comes from the benchmark set, with its quartiles, source and date', () => {
  const resolved = resolvedWith({
    rows: [
      {
        naics: null,
        size_band: null,
        metric: 'sde',
        p25: '2',
        p50: '2.5',
        p75: '3.5',
        n: 12,
        source: 'Survey',
        as_of: '2025-12-31',
      },
    ],
  })
  const { multiple, indicated, sources, assumptions } = valued({ method: 'sde_multiple' }, { resolved })
  assert.match(assumptions.join(), /without cash and debt.*deals in all industries/)
  assert.equal(exactText(indicated!.value), '500000')
  assert.equal(multiple?.source, 'Survey')
  assert.deepEqual([exactText(multiple.spread!.low), exactText(multiple.spread!.high)], ['2', '3.5'])
  assert.deepEqual(sources, [{ figure: 'SDE multiple', source: 'Survey', as_of: '2025-12-31' }])
})

const cents = fc.integer({ min: 1, max: 1_000_000_000 })
const text = (amount: number) => (amount / 100).toFixed(2)

test('A larger multiple gives a larger value', () => {
  fc.assert(
    fc.property(cents, cents, cents, (revenue, one, more) => {
      const at = (multiple: number) =>
        valued(
          { method: 'revenue_multiple', multiple: text(multiple) },
          { income: { revenue: text(revenue) } },
        ).indicated!.value
      assert.ok(at(one + more).greaterThan(at(one)))
    }),
  )
})

test('Amounts that are all larger by the same factor give a value larger by it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 5, maxLength: 5 }),
      fc.integer({ min: 2, max: 1000 }),
      ([net = 1, interest = 1, taxes = 1, depreciation = 1, pay = 1], factor) => {
        const at = (scale: number) =>
          valued(
            { method: 'sde_multiple', multiple: '2.51' },
            {
              income: {
                net_income: String(net * scale),
                interest_expense: String(interest * scale),
                taxes: String(taxes * scale),
                depreciation: String(depreciation * scale),
                owner_compensation: String(pay * scale),
              },
            },
          ).indicated!.value
        assert.ok(at(factor).equals(at(1).times(factor)))
      },
    ),
  )
})
