import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import fc from 'fast-check'
import { bridgeFigures, bridgeSteps } from '../../../../src/valuations/engine/bridge/bridge.ts'
import { interestShare, interestStep } from '../../../../src/valuations/engine/bridge/interest.ts'
import { createCalculation } from '../../../../src/valuations/engine/calculation/calculation.ts'
import type { Indicates } from '../../../../src/valuations/engine/engine.ts'
import { bakery, resolvedWith } from '../documents.ts'

type Bridge = NonNullable<ValuationDocument['inputs']['bridge']>
type Kind = ValuationDocument['interest']['kind']

function bridged(kind: Kind, indicates: Indicates, value: string, bridge?: Bridge) {
  const document = bakery({
    interest: { percent: '100', kind },
    inputs: bridge ? { bridge } : {},
  })
  const context = { document, resolved: resolvedWith(), calc: createCalculation() }
  const node = context.calc.input({ id: 'value', label: 'Value', unit: 'USD' }, value)
  const outcome = { method: 'sde_multiple' as const, indicates }
  const { value: after, steps } = bridgeSteps(context, bridgeFigures(context), outcome, node)
  return { value: after.value, steps }
}

const full: Bridge = {
  cash: '40',
  interest_bearing_debt: '60',
  non_operating_assets: '12',
  working_capital: { actual: '50', normal: '45' },
}

test('equity is all capital and cash, less debt, with non-operating assets and working capital above the normal', () => {
  const { value, steps } = bridged('equity', 'invested_capital', '1000', full)
  assert.equal(value.toFixed(), '997')
  assert.deepEqual(
    steps.map(({ code, applied, amount }) => [code, applied, amount?.amount]),
    [
      ['cash', true, '40.00'],
      ['interest_bearing_debt', true, '-60.00'],
      ['non_operating_assets', true, '12.00'],
      ['working_capital', true, '5.00'],
    ],
  )
})

test('what a method indicates as it is valued stays as it is, and each figure says why it is not applied', () => {
  for (const [kind, indicates] of [
    ['equity', 'equity'],
    ['assets', 'invested_capital'],
    ['invested_capital', 'invested_capital'],
  ] as const) {
    const { value, steps } = bridged(kind, indicates, '1000', full)
    assert.equal(value.toFixed(), '1000')
    assert.equal(steps.length, 4)
    assert.ok(steps.every(({ applied, reason }) => !applied && reason.includes('as the interest is')))
  }
})

test('only figures that the document gives are applied', () => {
  assert.deepEqual(bridged('equity', 'invested_capital', '1000').steps, [])
  const { value, steps } = bridged('equity', 'invested_capital', '1000', { interest_bearing_debt: '200' })
  assert.equal(value.toFixed(), '800')
  assert.equal(steps.length, 1)
})

test('the bridge closes: from all capital to equity and back is the same value, to the last digit', () => {
  const cents = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }).map(amount => {
    const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
    return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
  })
  fc.assert(
    fc.property(
      cents,
      fc.record({
        cash: cents,
        interest_bearing_debt: cents,
        non_operating_assets: cents,
        working_capital: fc.record({ actual: cents, normal: cents }),
      }),
      (value, bridge) => {
        const equity = bridged('equity', 'invested_capital', value, bridge).value.toFixed()
        for (const kind of ['invested_capital', 'assets'] as const)
          assert.equal(bridged(kind, 'equity', equity, bridge).value.equals(value), true)
      },
    ),
  )
})

test('an interest has its share of the whole in proportion, and the whole needs no step', () => {
  const share = (percent: string) => {
    const document = bakery({ interest: { percent, kind: 'equity' } })
    const context = { document, resolved: resolvedWith(), calc: createCalculation() }
    const whole = context.calc.input({ id: 'whole', label: 'Whole', unit: 'USD' }, '1000')
    return interestStep(context, interestShare(context), { method: 'sde_multiple' }, whole)
  }
  const { value, steps } = share('12.5')
  assert.equal(value.value.toFixed(), '125')
  assert.deepEqual([steps[0]?.rate, steps[0]?.amount?.amount], ['0.125', '-875.00'])
  assert.equal(share('0').value.value.toFixed(), '0')
  assert.equal(share('100.00').value.value.toFixed(), '1000')
  assert.equal(share('100.00').steps[0]?.applied, false)
})
