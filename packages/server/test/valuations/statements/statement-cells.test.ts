import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { namesScale, readAmount, readRate } from '../../../src/valuations/statements/statement-cells.ts'

const valueOf = (cell: string) => {
  const read = readAmount(cell, 'units')
  return 'value' in read ? read.value : read.fault.code
}

describe('an amount in a cell', () => {
  const amounts: [cell: string, value: string | null][] = [
    ['', null],
    [' \u00a0', null],
    ['1234', '1234'],
    ['1,234.50', '1234.5'],
    ['12,345,678', '12345678'],
    ['$1,234', '1234'],
    ['$ 1,234.00', '1234'],
    ['1,234 €', '1234'],
    ['-$1,234', '-1234'],
    ['$-1,234', '-1234'],
    ['($1,234)', '-1234'],
    ['$(1,234.5)', '-1234.5'],
    ['( 1,234 )', '-1234'],
    ['1,234-', '-1234'],
    ['\u22121234', '-1234'],
    ['-', '0'],
    ['\u2014', '0'],
    ['-0', '0'],
    ['0012', '12'],
    ['.5', '0.5'],
    ['1234.5600000000001', '1234.56'],
    ['0.30000000000000004', '0.3'],
    ['0.7999999999999999', '0.8'],
    ['10000000000000.01', '10000000000000.01'],
    ['5.820766091346741e-11', '0.000000000058'],
    ['1e-20', '0'],
    ['123456789012345678', '123456789012345678'],
  ]
  for (const [cell, value] of amounts)
    it(`is ${value} where it is ${JSON.stringify(cell)}`, () => assert.equal(valueOf(cell), value))

  const wrong = [
    '1,5',
    '1.234,50',
    '12,34',
    '1 234',
    '(1',
    '1)',
    '-(1)',
    '-1-',
    '$1$',
    '1%',
    '1k',
    'n/a',
    '#REF!',
    '=1',
    '1.',
    '0x1f',
    'Infinity',
    '١٢',
    '1'.repeat(61),
  ]
  for (const cell of wrong)
    it(`is not read from ${JSON.stringify(cell)}`, () => assert.equal(valueOf(cell), 'format'))

  it('has at most 18 digits before the point, also in millions', () => {
    assert.equal(valueOf('1234567890123456789'), 'out_of_range')
    assert.ok('fault' in readAmount('1234567890123', 'millions'))
    assert.deepEqual(readAmount('1.5', 'millions'), { value: '1500000' })
  })

  it('comes back as it was, whatever way it was written', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
        fc.integer({ min: 0, max: 99 }),
        (whole, cents) => {
          const sign = whole < 0n ? '-' : ''
          const digits = String(whole < 0n ? -whole : whole)
          const fraction = String(cents).padStart(2, '0')
          const grouped = digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')
          const expected = valueOf(`${sign}${digits}.${fraction}`)
          for (const text of [
            `${sign}${grouped}.${fraction}`,
            sign ? `(${grouped}.${fraction})` : `$${grouped}.${fraction}`,
          ])
            assert.equal(valueOf(text), expected)
          assert.equal(Number(expected), Number(`${sign}${digits}.${fraction}`))
        },
      ),
    )
  })
})

it('a rate is a fraction or a percentage from 0 to 1', () => {
  assert.deepEqual(readRate('21%'), { value: '0.21' })
  assert.deepEqual(readRate(' 21.5 % '), { value: '0.215' })
  assert.deepEqual(readRate('0.215'), { value: '0.215' })
  assert.deepEqual(readRate(''), { value: null })
  for (const cell of ['21', '-1%', '101%', 'x']) assert.ok('fault' in readRate(cell), cell)
})

it('a text speaks of thousands or millions, or of a number', () => {
  for (const text of ['Revenue (in thousands)', 'IN MILLIONS', "$ '000", '(000s)', '($000)', '(USD m)'])
    assert.ok(namesScale(text), text)
  for (const text of [
    'In US$ thousands',
    'Millions of dollars',
    '(in $000)',
    'in USD k',
    'in US$ m',
    'in €m',
  ])
    assert.ok(namesScale(text), text)
  for (const text of [
    '2,000',
    '5000',
    'FY2000',
    'Sales',
    'Main Street 000',
    'Items (12)',
    'Class M',
    'Sales in the park',
  ])
    assert.ok(!namesScale(text), text)
})
