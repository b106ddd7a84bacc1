import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { guarded, unguarded } from '../../src/lists/formula-guard.ts'
import { readCell } from '../../src/lists/import-values/read-cell.ts'
import { plainDecimal, readDecimal } from '../../src/lists/plain-decimal.ts'

/** Texts of which many look like formulas. */
const texts = fc.string({
  unit: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' ', "'", '"', ',', '＝', '\u00a0'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  ),
  maxLength: 12,
})

describe('a guarded text', () => {
  it('is the text again when the guard is taken away', () => {
    fc.assert(
      fc.property(texts, text => unguarded(guarded(text)) === text),
      { numRuns: 20_000 },
    )
  })

  it('begins with no sign that starts a formula, also after white space', () => {
    fc.assert(
      fc.property(texts, text => !/^(?:[\t\r\n]|\s*[=+\-@])/.test(guarded(text))),
      { numRuns: 20_000 },
    )
  })

  it('is the same text where no spreadsheet takes it for a formula', () => {
    for (const text of ['', 'Acme', "'tis", "'hello'", 'a=b', '1-2', 'O’Neil', ' Acme'])
      assert.equal(guarded(text), text)
    for (const text of ['=1', '+1', '-1', '@a', '\ta', '\ra', '  =1', '\u00a0=1', "'=1"])
      assert.equal(guarded(text), `'${text}`)
  })
})

describe('a plain decimal', () => {
  it('has no exponent and means the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        const text = plainDecimal(value)
        assert.match(text, /^-?\d+(?:\.\d+)?$/)
        const read = readDecimal(text)
        assert.equal(read?.exact, true)
        assert.ok(read.value === value, text)
      }),
      { numRuns: 20_000 },
    )
    assert.deepEqual(
      [1e21, -1.5e-7, 5e-324, 12.5, 1.7976931348623157e308].map(value => plainDecimal(value).length),
      [22, 11, 326, 4, 309],
    )
  })

  it('is no other way to write a number', () => {
    for (const text of ['', '.', '1e3', '1,000', '0x10', '٣', '1 000', '--1', 'NaN', 'Infinity', '1.2.3'])
      assert.equal(readDecimal(text), null, text)
  })

  it('is not exact if digits would be lost', () => {
    for (const text of [
      '12345678901234567890',
      '0.12345678901234567890',
      '9'.repeat(400),
      '9007199254740993',
    ])
      assert.equal(readDecimal(text)?.exact, false, text)
    for (const text of ['0', '-0', '+1', '007', '1.', '.5', '1.10', '9007199254740992', '0.1'])
      assert.equal(readDecimal(text)?.exact, true, text)
  })
})

describe('a cell', () => {
  it('is read by the type of its column', () => {
    for (const [cell, type, value] of [
      ['  12.50 ', 'number', 12.5],
      ["'-5", 'number', -5],
      ['TRUE', 'boolean', true],
      ['yes', 'boolean', true],
      [' No', 'boolean', false],
      ['2024-02-29', 'date', '2024-02-29'],
      [' kept ', 'text', ' kept '],
      ["'=1+1", 'text', '=1+1'],
    ] as const)
      assert.deepEqual(readCell(cell, type), { value }, cell)
    for (const type of ['text', 'number', 'boolean', 'date'] as const)
      assert.equal(readCell('', type), 'empty')
    assert.equal(readCell('  ', 'number'), 'empty')
    assert.deepEqual(readCell('𝒳'.repeat(10_000), 'text'), { value: '𝒳'.repeat(10_000) })
  })

  it('is refused with a sentence that does not repeat it', () => {
    for (const [cell, type] of [
      ['1e3', 'number'],
      ['12345678901234567890', 'number'],
      ['1', 'boolean'],
      ['2023-02-29', 'date'],
      ['01/02/2024', 'date'],
      ['x'.repeat(10_001), 'text'],
    ] as const) {
      const read = readCell(cell, type)
      assert.ok(typeof read === 'object' && 'wrong' in read, cell)
      assert.ok(!read.wrong.includes(cell), read.wrong)
    }
  })
})
