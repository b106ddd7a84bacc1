import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalize } from '../../../../src/valuations/engine/normalization/normalize.ts'
import { bakery, contextOf, type Period, year2025, yearOf } from '../bakery.ts'

const normalized = (
  period: Period,
  engagement_type: 'indicative' | 'calculation' | 'analyst' = 'indicative',
) => normalize(contextOf(bakery({ engagement_type, inputs: { periods: [period], adjustments: [] } })))

test('An indicative valuation uses stated figures that the statements do not give', () => {
  const { earnings, periods, checks } = normalized({
    ...yearOf('2025', { revenue: '500000' }),
    stated: { sde: '120000', net_cash_flow: '70000' },
  })
  assert.equal(earnings[0]?.is_stated, true)
  assert.deepEqual(
    [earnings[0]?.sde?.amount, earnings[0]?.ebitda, earnings[0]?.net_cash_flow?.amount],
    ['120000.00', null, '70000.00'],
  )
  assert.match(periods[0]?.assumptions.sde?.join() ?? '', /is the stated 120000/)
  assert.deepEqual(checks, [])
})

test('Other valuations do not use stated figures', () => {
  const { earnings } = normalized({ ...yearOf('2025', {}), stated: { sde: '120000' } }, 'calculation')
  assert.deepEqual([earnings[0]?.sde, earnings[0]?.is_stated], [null, false])
})

test('A stated figure that differs from the computed one is reported and not used', () => {
  const { earnings, checks } = normalized({ ...year2025, stated: { sde: '210000', ebitda: '120000' } })
  assert.equal(earnings[0]?.sde?.amount, '200000.00')
  assert.equal(earnings[0]?.is_stated, false)
  assert.deepEqual(checks, [
    {
      code: 'stated_sde_differs',
      period: '2025',
      reported: '210000.00',
      computed: '200000.00',
      difference: '10000.00',
    },
  ])
})
