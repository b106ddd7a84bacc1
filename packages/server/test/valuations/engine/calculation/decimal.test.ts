import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  amountText,
  decimal,
  exactText,
  moneyOf,
  power,
  ratioText,
} from '../../../../src/valuations/engine/decimal.ts'

describe('decimal arithmetic', () => {
  it('keeps 34 significant digits', () => {
    assert.equal(exactText(decimal('1').dividedBy(3)), `0.${'3'.repeat(34)}`)
    assert.equal(exactText(decimal('2').dividedBy(3)), `0.${'6'.repeat(33)}7`)
    assert.equal(exactText(decimal('999999999999999999.99').plus('0.01')), '1000000000000000000')
    assert.equal(exactText(decimal('0.1').plus('0.2')), '0.3')
  })

  it('rounds half to even', () => {
    assert.equal(amountText(decimal('0.125')), '0.12')
    assert.equal(amountText(decimal('0.135')), '0.14')
    assert.equal(amountText(decimal('-0.125')), '-0.12')
    assert.equal(ratioText(decimal('0.0000000000005')), '0')
    assert.equal(ratioText(decimal('0.0000000000015')), '0.000000000002')
  })

  it('gives powers with exponents such as 2.5 the digits that logarithms give', () => {
    const bases = fc.bigInt(1n, 10n ** 34n).map(digits => decimal(`${digits}e-33`))
    fc.assert(
      fc.property(bases, fc.integer({ min: -30, max: 60 }), (base, whole) => {
        const exponent = decimal(`${whole}`).plus('0.5')
        assert.equal(exactText(power(base, exponent)), exactText(base.pow(exponent)))
      }),
    )
    assert.equal(exactText(power(decimal('2'), decimal('0.3'))), exactText(decimal('2').pow('0.3')))
    assert.ok(!power(decimal('0'), decimal('-0.5')).isFinite())
    assert.ok(power(decimal('-2'), decimal('1.5')).isNaN())
  })

  it('writes exact figures without an exponent, zeros at the end, or a sign of zero', () => {
    assert.equal(exactText(decimal('1e-20')), '0.00000000000000000001')
    assert.equal(exactText(decimal('1e30')), `1${'0'.repeat(30)}`)
    assert.equal(exactText(decimal('2.500')), '2.5')
    assert.equal(exactText(decimal('-0')), '0')
  })

  it('writes amounts with exactly two places', () => {
    assert.equal(amountText(decimal('5')), '5.00')
    assert.equal(amountText(decimal('-0.001')), '0.00')
    assert.equal(amountText(decimal('123456789012345678.994')), '123456789012345678.99')
    assert.deepEqual(moneyOf(decimal('-3.1'), 'EUR'), { amount: '-3.10', currency: 'EUR' })
  })

  it('writes ratios with at most twelve places, and none that are zero', () => {
    assert.equal(ratioText(decimal('0.25')), '0.25')
    assert.equal(ratioText(decimal('1').dividedBy(3)), '0.333333333333')
    assert.equal(ratioText(decimal('-0.0000000000001')), '0')
  })
})
