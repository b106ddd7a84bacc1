import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  createCalculation,
  storedCalculation,
  Uncomputable,
} from '../../../../src/valuations/engine/calculation/calculation.ts'
import { calculationTree } from '../../../../src/valuations/engine/calculation/tree.ts'
import { assertFollows } from './assert-follows.ts'

const ratio = (id: string) => ({ id, label: id, unit: 'ratio' })

/** (a + b) × a ÷ b ^ 0.5, less 30 percent, and the median of all that. */
function exampleOf(a: string, b: string) {
  const calc = createCalculation()
  const one = calc.input(ratio('a'), a)
  const other = calc.input({ ...ratio('b'), source: 'A survey', as_of: '2025-12-31' }, b)
  const sum = calc.add(ratio('sum'), one, other)
  const root = calc.power(ratio('root'), other, calc.input(ratio('half'), '0.5'))
  const quotient = calc.divide(ratio('quotient'), calc.multiply(ratio('product'), sum, one), root)
  const lower = calc.level(ratio('lower'), quotient, calc.input(ratio('discount'), '0.3'))
  const unused = calc.subtract(ratio('unused'), one, other)
  const median = calc.lookup(ratio('median'), 'median', sum, lower, one)
  return { calc, median, unused }
}

describe('a calculation', () => {
  it('gives each figure by its operation', () => {
    const { calc } = exampleOf('6', '4')
    const values = Object.fromEntries(calc.nodes.map(({ id, value }) => [id, value.toFixed()]))
    assert.deepEqual(values, {
      a: '6',
      b: '4',
      sum: '10',
      half: '0.5',
      root: '2',
      product: '60',
      quotient: '30',
      discount: '0.3',
      lower: '21',
      unused: '2',
      median: '10',
    })
  })

  it('says how each figure follows, in the names of its inputs', () => {
    const { calc } = exampleOf('6', '4')
    const formulas = Object.fromEntries(calc.nodes.map(({ id, formula }) => [id, formula]))
    assert.deepEqual(formulas, {
      a: 'given',
      b: 'given',
      sum: 'a + b',
      half: 'given',
      root: 'b ^ half',
      product: 'sum × a',
      quotient: 'product ÷ root',
      discount: 'given',
      lower: 'quotient × (1 − discount)',
      unused: 'a − b',
      median: 'median(sum, lower, a)',
    })
  })

  it('is stored without figures that the root does not need, in the order of computing, with the root last', () => {
    const { calc, median } = exampleOf('6', '4')
    const stored = storedCalculation(median, calc.nodes)
    assert.equal(stored.at(-1)?.id, 'median')
    assert.ok(!stored.some(({ id }) => id === 'unused'))
    for (const [at, { inputs }] of stored.entries()) assert.ok(inputs.every(input => input < at))
    assert.equal(stored[1]?.source, 'A survey')
  })

  it('follows from its inputs, as a tree shows them, whatever they are', () => {
    const amounts = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.nat(12)).map(([digits, places]) => {
      const text = digits.toString().padStart(places + 1, '0')
      return places ? `${text.slice(0, -places)}.${text.slice(-places)}` : text
    })
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const { calc, median } = exampleOf(a, b)
        assertFollows(calculationTree(storedCalculation(median, calc.nodes)))
      }),
    )
  })

  it('does not follow if a figure of its tree was changed', () => {
    const { calc, median } = exampleOf('6', '4')
    const tree = calculationTree(storedCalculation(median, calc.nodes))
    const lower = tree.inputs[1]
    assert.ok(lower)
    for (const wrong of [
      { ...tree, value: '10.0000000000000000000000000000000001' },
      { ...tree, inputs: [...tree.inputs.slice(0, 1), { ...lower, value: '22' }, ...tree.inputs.slice(2)] },
      { ...tree, formula: 'toString(a)' },
      { ...tree, op: 'input' as const },
      { ...tree, op: 'divide' as const },
    ])
      assert.throws(() => assertFollows(wrong), assert.AssertionError)
  })

  it('refuses a quotient of zero, and a second figure with the same id', () => {
    const calc = createCalculation()
    const zero = calc.input(ratio('zero'), '0')
    assert.throws(() => calc.divide(ratio('quotient'), zero, zero), Uncomputable)
    assert.throws(
      () => calc.power(ratio('power'), calc.input(ratio('minus'), '-1'), calc.input(ratio('half'), '0.5')),
      Uncomputable,
    )
    assert.throws(() => calc.input(ratio('zero'), '1'), /two nodes with the id zero/)
  })
})
