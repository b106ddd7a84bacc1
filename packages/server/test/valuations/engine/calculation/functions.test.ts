import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { functions } from '../../../../src/valuations/engine/calculation/functions.ts'
import { Decimal, decimal } from '../../../../src/valuations/engine/decimal.ts'

const { exp, ln, normal_cdf, median, minimum, maximum } = functions
const near = (actual: Decimal, expected: string, tolerance: string) =>
  assert.ok(actual.minus(expected).abs().lessThan(tolerance), `${actual.toFixed()} is not near ${expected}`)

describe('the functions of a calculation', () => {
  it('N(x) has known values to 20 digits', () => {
    // Values of mpmath 1.3 (ncdf), which agree with Abramowitz, M., and Stegun, I., "Handbook of Mathematical Functions",
    // 1964, table 26.1, in its 15 digits.
    const known = [
      ['0', '0.5'],
      ['0.1', '0.5398278372770289814654046'],
      ['0.5', '0.6914624612740131036377046'],
      ['1', '0.8413447460685429485852325'],
      ['1.96', '0.9750021048517795658634157'],
      ['2.5758', '0.9949995762622213171985543'],
      ['3', '0.9986501019683699054733482'],
      ['6', '0.9999999990134123549623019'],
      ['8', '0.9999999999999993779039426'],
      ['-1', '0.1586552539314570514147675'],
      ['-1.96', '0.02499789514822043413658427'],
      ['-3', '0.001349898031630094526651815'],
      ['-6', '0.0000000009865876450376981407008641'],
    ] as const
    for (const [x, value] of known) near(normal_cdf([decimal(x)]), value, '1e-20')
  })

  it('N(x) and N(−x) add up to 1, and N grows with x', () => {
    const points = fc.integer({ min: -14000, max: 14000 }).map(x => decimal(String(x)).dividedBy(1000))
    fc.assert(
      fc.property(points, points, (x, y) => {
        near(normal_cdf([x]).plus(normal_cdf([x.negated()])), '1', '1e-32')
        if (x.greaterThan(y)) assert.ok(normal_cdf([x]).greaterThanOrEqualTo(normal_cdf([y]).minus('1e-32')))
      }),
      { numRuns: 50 },
    )
  })

  it('N(x) lies between 0 and 1 in the far tails', () => {
    for (const x of ['-1000000', '-14.01', '-14', '14', '14.01', '1000000']) {
      const value = normal_cdf([decimal(x)])
      assert.ok(
        value.greaterThanOrEqualTo('-1e-32') && value.lessThanOrEqualTo('1.00000000000000000000000000000001'),
        x,
      )
      near(value, x.startsWith('-') ? '0' : '1', '1e-32')
    }
  })

  it('exp and ln have known values to 33 digits, and undo each other', () => {
    near(exp([decimal('1')]), '2.718281828459045235360287471352662', '1e-32')
    near(exp([decimal('-0.5')]), '0.6065306597126334236037995349911805', '1e-33')
    near(ln([decimal('2')]), '0.6931471805599453094172321214581766', '1e-33')
    assert.equal(ln([decimal('1')]).toFixed(), '0')
    assert.equal(exp([decimal('0')]).toFixed(), '1')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), n => {
        const x = new Decimal(n).dividedBy(1000)
        assert.ok(
          exp([ln([x])])
            .dividedBy(x)
            .minus(1)
            .abs()
            .lessThan('1e-31'),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('the median is the middle value, or the mean of the two in the middle, in any order', () => {
    const of = (...values: string[]) => median(values.map(decimal)).toFixed()
    assert.equal(of('3'), '3')
    assert.equal(of('3', '1', '2'), '2')
    assert.equal(of('10', '9', '2', '1'), '5.5')
    assert.equal(of('-1', '10', '9'), '9')
    assert.throws(() => median([]), /without its argument/)
  })

  it('minimum and maximum are the outermost values', () => {
    const values = ['3', '-2', '10'].map(decimal)
    assert.equal(minimum(values).toFixed(), '-2')
    assert.equal(maximum(values).toFixed(), '10')
  })
})
