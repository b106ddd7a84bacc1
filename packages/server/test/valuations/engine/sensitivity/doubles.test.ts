import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { functions } from '../../../../src/valuations/engine/calculation/functions.ts'
import { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { exp, ln, median, normalCdf, power } from '../../../../src/valuations/engine/sensitivity/doubles.ts'

/** A number of 16 digits is itself only so near to the double that it stands for, which counts for large exponents. */
const close = (found: number, exact: Decimal) => {
  const difference = exact.minus(found).abs()
  const allowed = Decimal.max(exact.abs().times('1e-13'), '1e-300')
  assert.ok(difference.lessThanOrEqualTo(allowed), `${found} instead of ${exact.toFixed()}`)
}
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })

test('exp and ln are as in exact arithmetic', () => {
  fc.assert(fc.property(between(-200, 200), x => close(exp(x), functions.exp([new Decimal(x)]))))
  fc.assert(
    fc.property(
      between(1e-30, 1e30),
      x => ln(x) === 0 || close(ln(x) + 100, functions.ln([new Decimal(x)]).plus(100)),
    ),
  )
})

test('the normal distribution is as in exact arithmetic', () => {
  fc.assert(
    fc.property(between(-7, 7), x => {
      const exact = functions.normal_cdf([new Decimal(x)])
      assert.ok(exact.minus(normalCdf(x)).abs().lessThan('1e-15'), String(x))
    }),
  )
  assert.deepEqual([normalCdf(-40), normalCdf(0), normalCdf(40)], [0, 0.5, 1])
})

test('powers are as in exact arithmetic, with whole, half and other exponents', () => {
  const exponents = fc.oneof(
    fc.integer({ min: -30, max: 60 }),
    between(-8, 8),
    fc.constantFrom(0.5, 2.5, -0.5),
  )
  fc.assert(fc.property(between(0.01, 5), exponents, (x, y) => close(power(x, y), new Decimal(x).pow(y))))
  assert.equal(power(-2, 3), -8)
  assert.ok(Number.isNaN(power(-2, 0.3)))
  assert.ok(Number.isNaN(power(-2, 0.5)))
})

test('what has no value is NaN, and what is too large is no number', () => {
  assert.ok([ln(0), ln(-1), ln(NaN), exp(NaN)].every(Number.isNaN))
  assert.deepEqual([exp(-800), exp(800)], [0, Infinity])
})

test('the median is the middle value or the mean of the two middle values', () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 2, 3]), median([5])], [2, 2.5, 5])
})
