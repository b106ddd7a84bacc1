import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalculation } from '../../../../src/valuations/engine/calculation/calculation.ts'
import { InvalidDocument, type Level } from '../../../../src/valuations/engine/engine.ts'
import { discountsOf, levelSteps } from '../../../../src/valuations/engine/levels/level-steps.ts'
import { bakery, resolvedWith } from '../documents.ts'

const both = {
  dloc: { control_premium: '0.25', source: 'Premium study', as_of: '2025-12-31' },
  dlom: { model: 'cited_study' as const, rate: '0.3', source: 'Restricted stock study', as_of: '2024-12-31' },
}

function stepped(from: Level, to: Level, value = '1000', discounts: Partial<typeof both> = both) {
  const document = bakery({ level_of_value: to, inputs: { discounts } })
  const context = { document, resolved: resolvedWith(), calc: createCalculation() }
  const node = context.calc.input({ id: 'value', label: 'Value', unit: 'USD' }, value)
  const outcome = { method: 'sde_multiple' as const, base_level: from }
  const { value: after, steps } = levelSteps(context, discountsOf(context), outcome, node, '/methods/0')
  return { value: after.value.toFixed(), steps }
}
const refused = (run: () => unknown, pointer: string, code: string) =>
  assert.throws(
    run,
    (error: unknown) =>
      error instanceof InvalidDocument &&
      error.faults[0]?.pointer === pointer &&
      error.faults[0].code === code,
  )

test('where the levels are the same nothing is deducted, and no discount is needed', () => {
  const { value, steps } = stepped('minority_marketable', 'minority_marketable', '1000', {})
  assert.equal(value, '1000')
  assert.deepEqual(
    steps.map(({ code, applied, rate }) => [code, applied, rate]),
    [
      ['dloc', false, null],
      ['dlom', false, null],
    ],
  )
})

test('the discount for lack of control is 1 − 1 ÷ (1 + premium)', () => {
  const { value, steps } = stepped('control_marketable', 'minority_marketable')
  assert.equal(value, '800')
  assert.deepEqual(steps[0], {
    code: 'dloc',
    method: 'sde_multiple',
    applied: true,
    rate: '0.2',
    amount: { amount: '-200.00', currency: 'USD' },
    reason: 'The method indicates a value with control, and the conclusion has none.',
    source: 'Premium study',
    as_of: '2025-12-31',
  })
})

test('20 percent for control and then 30 percent for marketability are 44 percent together', () => {
  const { value, steps } = stepped('control_marketable', 'minority_nonmarketable')
  assert.equal(value, '560')
  assert.deepEqual(
    steps.map(({ code, amount }) => [code, amount?.amount]),
    [
      ['dloc', '-200.00'],
      ['dlom', '-240.00'],
    ],
  )
})

test('from minority to control the premium is added', () => {
  const { value, steps } = stepped('minority_marketable', 'control_nonmarketable')
  assert.equal(value, '875')
  assert.deepEqual(
    steps.map(({ code, rate }) => [code, rate]),
    [
      ['control_premium', '0.25'],
      ['dlom', '0.3'],
    ],
  )
})

test('a value that is not above 0 gets no discount, which would raise it', () => {
  const { value, steps } = stepped('control_marketable', 'minority_nonmarketable', '-1000')
  assert.equal(value, '-1000')
  assert.deepEqual(
    steps.map(({ applied }) => applied),
    [false, false],
  )
})

test('a discount that is needed and missing is refused', () => {
  const { dloc, dlom } = both
  refused(
    () => stepped('control_marketable', 'minority_marketable', '1', { dlom }),
    '/inputs/discounts/dloc',
    'requires',
  )
  refused(
    () => stepped('minority_marketable', 'control_marketable', '1', { dlom }),
    '/inputs/discounts/dloc',
    'requires',
  )
  refused(
    () => stepped('control_marketable', 'minority_nonmarketable', '1', { dloc }),
    '/inputs/discounts/dlom',
    'requires',
  )
})

test('a controlling interest for which no discount for marketability is given has none, and says so', () => {
  const { value, steps } = stepped('control_marketable', 'control_nonmarketable', '1000', {})
  assert.equal(value, '1000')
  assert.equal(steps[1]?.applied, false)
  assert.match(steps[1]?.reason ?? '', /gives no discount for lack of marketability/)
})

test('no premium leads from a nonmarketable to a marketable value', () => {
  refused(() => stepped('control_nonmarketable', 'control_marketable'), '/methods/0/base_level', 'conflict')
})
