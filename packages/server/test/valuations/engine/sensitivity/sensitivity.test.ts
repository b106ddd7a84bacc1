import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Calculation,
  createCalculation,
  storedCalculation,
} from '../../../../src/valuations/engine/calculation/calculation.ts'
import type { CalculationNode } from '../../../../src/valuations/engine/calculation/node.ts'
import { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { compiled } from '../../../../src/valuations/engine/sensitivity/compiled.ts'
import { quantile } from '../../../../src/valuations/engine/sensitivity/monte-carlo.ts'
import { sensitivityOf } from '../../../../src/valuations/engine/sensitivity/sensitivity.ts'
import { valueDocument } from '../../../../src/valuations/engine/value-document.ts'
import { manyMethods, resolvedWith } from '../documents.ts'

function given(calc: Calculation, id: string, value: string, low?: string, high?: string): CalculationNode {
  const spread = low !== undefined &&
    high !== undefined && { spread: { low: new Decimal(low), high: new Decimal(high) } }
  return calc.input({ id, label: id, unit: 'ratio', ...spread }, value)
}

function sensitivity(build: (calc: Calculation) => CalculationNode, seed = 1) {
  const calc = createCalculation()
  const root = build(calc)
  const stored = storedCalculation(root, calc.nodes)
  return sensitivityOf(stored, root.value, { seed, currency: 'USD' })
}
const as = (id: string) => ({ id, label: id, unit: 'USD' })

/** A perpetuity whose growth reaches the rate at the high end of its spread. */
const perpetuity = (calc: Calculation) => {
  const rate = given(calc, 'rate', '0.10', '0.08', '0.12')
  const growth = given(calc, 'growth', '0.05', '0.02', '0.10')
  return calc.divide(
    as('value'),
    given(calc, 'flow', '100', '90', '110'),
    calc.subtract(as('net'), rate, growth),
  )
}

test('the tornado names the driver that moves the conclusion most first, with the values at both ends', () => {
  const { sensitivity: found } = sensitivity(calc =>
    calc.multiply(
      as('value'),
      given(calc, 'basis', '100', '99', '101'),
      given(calc, 'multiple', '3', '2', '5'),
    ),
  )
  assert.deepEqual(
    found.tornado.map(({ driver, low_input, high_input, low, high, swing }) => [
      driver,
      low_input,
      high_input,
      low.amount,
      high.amount,
      swing.amount,
    ]),
    [
      ['multiple', '2', '5', '200.00', '500.00', '300.00'],
      ['basis', '99', '101', '297.00', '303.00', '6.00'],
    ],
  )
  assert.equal(found.moves_most, 'multiple')
})

test('the grid has five values of each of the two drivers that move most, with the point in its middle', () => {
  const { sensitivity: found } = sensitivity(calc =>
    calc.multiply(
      as('value'),
      given(calc, 'basis', '100', '90', '110'),
      given(calc, 'multiple', '3', '2', '5'),
    ),
  )
  assert.deepEqual(found.grid?.x.values, ['2', '2.5', '3', '4', '5'])
  assert.deepEqual(found.grid?.y.values, ['90', '95', '100', '105', '110'])
  assert.equal(found.grid?.points[2]?.[2], '300.00')
  assert.equal(found.grid?.points[0]?.[4], '450.00')
})

test('values that the calculation cannot compute with are moved towards the base, or left out of the grid', () => {
  const { sensitivity: found } = sensitivity(perpetuity)
  const growth = found.tornado.find(({ driver }) => driver === 'growth')
  assert.equal(growth?.high_input, '0.075')
  assert.ok(found.grid?.points.flat().every(point => point === null || Number(point) > 0))
})

test('draws in which growth reaches the rate are drawn again', () => {
  const { sensitivity: found, draws } = sensitivity(perpetuity)
  assert.equal(found.monte_carlo?.draws, 1000)
  assert.ok(draws && Number(found.monte_carlo?.p5.amount) > 0)
})

test('the draws lie around the point, in order', () => {
  const { sensitivity: found, draws } = sensitivity(calc =>
    calc.add(as('value'), given(calc, 'a', '100', '80', '120'), given(calc, 'b', '50', '40', '60')),
  )
  const { p5, p25, p50, p75, p95, mean, standard_deviation } = found.monte_carlo ?? assert.fail()
  const numbers = [p5, draws?.p10, p25, p50, p75, draws?.p90, p95].map(one =>
    Number(one instanceof Decimal ? one : one?.amount),
  )
  assert.deepEqual(
    numbers,
    [...numbers].sort((one, other) => one - other),
  )
  assert.ok(Math.abs(Number(mean.amount) - 150) < 1, mean.amount)
  // The variance of a triangle from −w to w is w² ÷ 6.
  const expected = Math.sqrt((20 ** 2 + 10 ** 2) / 6)
  assert.ok(Math.abs(Number(standard_deviation.amount) - expected) < 0.5, standard_deviation.amount)
})

test('without drivers there is nothing to tell', () => {
  const found = sensitivity(calc =>
    calc.add(as('value'), given(calc, 'a', '1'), given(calc, 'b', '2', '2', '2')),
  )
  assert.deepEqual(found, {
    sensitivity: { tornado: [], grid: null, monte_carlo: null, moves_most: null },
    draws: null,
  })
})

test('one driver gives no grid', () => {
  const { sensitivity: found } = sensitivity(calc => calc.add(as('value'), given(calc, 'a', '1', '0', '3')))
  assert.equal(found.grid, null)
  assert.equal(found.moves_most, 'a')
})

test('a computed driver follows the drivers that lead to it, and moves by itself', () => {
  const { sensitivity: found } = sensitivity(calc => {
    const sum = calc.add(as('sum'), given(calc, 'a', '10', '5', '15'), given(calc, 'b', '20'))
    sum.spread = { low: new Decimal(29), high: new Decimal(31) }
    return calc.multiply(as('value'), sum, given(calc, 'two', '2'))
  })
  assert.deepEqual(
    found.tornado.map(({ driver, low, high }) => [driver, low.amount, high.amount]),
    [
      ['a', '50.00', '70.00'],
      ['sum', '58.00', '62.00'],
    ],
  )
})

test('a spread of a loss names its ends in either order', () => {
  const { sensitivity: found } = sensitivity(calc =>
    calc.add(as('value'), given(calc, 'a', '-100', '-90', '-110')),
  )
  assert.deepEqual([found.tornado[0]?.low_input, found.tornado[0]?.high_input], ['-110', '-90'])
})

test('every operation and function gives in numbers what it gives exactly', () => {
  const calc = createCalculation()
  const x = given(calc, 'x', '1.7', '1', '2')
  const y = given(calc, 'y', '0.4', '0.1', '0.9')
  const parts = [
    calc.subtract(as('subtract'), x, y, y),
    calc.divide(as('divide'), x, given(calc, 'negative', '-3', '-4', '-2')),
    calc.power(as('power'), x, y),
    calc.level(as('level'), x, y),
    ...(['exp', 'ln', 'normal_cdf', 'median', 'minimum', 'maximum'] as const).map(name =>
      calc.lookup(as(name), name, ...(['exp', 'ln', 'normal_cdf'].includes(name) ? [x] : [x, y, x])),
    ),
  ]
  for (const part of parts) {
    const root = calc.multiply(as(`${part.id}.root`), part, x)
    const { drivers, computing } = compiled(storedCalculation(root, calc.nodes))
    const [found = NaN] = computing(drivers, 1)(drivers.map(() => new Float64Array(1)))
    assert.ok(root.value.minus(found).abs().lessThan('1e-13'), part.id)
  }
})

test('quantiles are interpolated between neighbours', () => {
  assert.deepEqual(
    [0, 25, 50, 90, 100].map(percent => quantile([1, 2, 3, 4], percent)),
    [1, 1.75, 2.5, 3.7, 4],
  )
})

test('the conclusion of a whole document lies in its range, and its middle in the grid', () => {
  const { conclusion, sensitivity: found } = valueDocument(manyMethods(), resolvedWith()).result
  const [low, point, high] = [conclusion.low, conclusion.point, conclusion.high].map(({ amount }) =>
    Number(amount),
  )
  assert.ok(low !== undefined && point !== undefined && high !== undefined && low < point && point < high)
  assert.equal(found.grid?.points[2]?.[2], conclusion.point.amount)
})
