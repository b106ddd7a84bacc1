import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  dayText,
  figureText,
  fixed,
  moneyText,
  multipleText,
  percentText,
  short,
} from '../../../src/valuations/report/words/figures.ts'
import { compact, scaleOf } from '../../../src/valuations/report/charts/scale.ts'

describe('figures for people', () => {
  it('have thousands separators, a minus sign and their unit', () => {
    assert.equal(moneyText({ amount: '1234567.8', currency: 'USD' }), 'USD 1,234,567.80')
    assert.equal(moneyText({ amount: '-1234.5', currency: 'EUR' }), 'EUR −1,234.50')
    assert.equal(fixed('-0.001', 2), '0.00')
    assert.equal(fixed('999', 2), '999.00')
    assert.equal(percentText('0.2'), '20.00%')
    assert.equal(percentText(null), '–')
    assert.equal(multipleText('2.510'), '2.51×')
    assert.equal(figureText('0.123456789', 'ratio'), '0.123457')
    assert.equal(figureText('2', 'years'), '2 years')
    assert.equal(short('1234.50', 4), '1,234.5')
    assert.equal(dayText('2026-06-30'), '30 June 2026')
    assert.equal(dayText('Q4 2024'), 'Q4 2024')
  })

  it('are the same amount as before, to a cent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), cents => {
        const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
        const amount = `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
        const shown = fixed(amount, 2)
        assert.equal(shown.replaceAll(',', '').replace('−', '-'), amount)
        assert.match(shown, /^−?\d{1,3}(?:,\d{3})*\.\d{2}$/)
      }),
    )
  })

  it('are short along an axis', () => {
    const shown = [0, 950, 1000, 1250, 12_500, 999_499, 999_600, 1_250_000, 3e9, 4.2e12, 1e16, -50_000]
    assert.deepEqual(shown.map(compact), [
      '0',
      '950',
      '1k',
      '1.25k',
      '12.5k',
      '999k',
      '1m',
      '1.25m',
      '3bn',
      '4.2tn',
      '1.0e16',
      '−50k',
    ])
  })
})

describe('an axis', () => {
  it('contains every figure, and has a few round ones', () => {
    const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(String)
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 10 }), fc.boolean(), (amounts, zero) => {
        const { at, ticks } = scaleOf(amounts, 10, 470, { zero })
        for (const one of [...amounts, ...(zero ? ['0'] : [])]) {
          assert.ok(at(one) >= 10 - 1e-6 && at(one) <= 470 + 1e-6)
        }
        assert.ok(ticks.length >= 2 && ticks.length <= 8)
      }),
    )
  })
})
