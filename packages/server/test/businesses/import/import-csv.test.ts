import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { CsvReader, longestRecord } from '../../../src/businesses/import/rows/csv.ts'
import type { CsvRecord } from '../../../src/businesses/import/rows/csv.ts'

function readAll(text: string, pieceSize = text.length): CsvRecord[] {
  const reader = new CsvReader()
  const records: CsvRecord[] = []
  for (let at = 0; at < text.length; at += pieceSize)
    records.push(...reader.read(text.slice(at, at + pieceSize)))
  return [...records, ...reader.end()]
}

const fieldsOf = (text: string) => readAll(text).map(record => record.damage ?? record.fields)

const quote = (field: string) => `"${field.replaceAll('"', '""')}"`

test('records come back as they were written, with their lines', () => {
  assert.deepEqual(readAll('a,b\r\n"x\r\ny","say ""hi"""\r\n\r\n,last'), [
    { line: 1, raw: 'a,b', fields: ['a', 'b'] },
    { line: 2, raw: '"x\r\ny","say ""hi"""', fields: ['x\r\ny', 'say "hi"'] },
    { line: 5, raw: ',last', fields: ['', 'last'] },
  ])
})

test('quoted fields are read as they were written', () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é') })
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      records => {
        const text = records.map(fields => fields.map(quote).join(',')).join('\n')
        assert.deepEqual(fieldsOf(text), records)
      },
    ),
    { numRuns: 1000 },
  )
})

test('the result does not depend on the chunks, also for a damaged file', () => {
  const damaged = fc.string({
    unit: fc.constantFrom('a', 'b', ',', '"', '""', '\n', '\r\n', '\r'),
    maxLength: 60,
  })
  fc.assert(
    fc.property(damaged, fc.integer({ min: 1, max: 9 }), (text, size) => {
      assert.deepEqual(readAll(text, size), readAll(text))
    }),
    { numRuns: 3000 },
  )
})

test('every line of a damaged file is returned', () => {
  const damaged = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n'), maxLength: 60 })
  fc.assert(
    fc.property(damaged, text => {
      const lines = text.split('\n').filter(line => line !== '')
      assert.deepEqual(
        readAll(text)
          .flatMap(record => record.raw.split('\n'))
          .filter(line => line !== ''),
        lines,
      )
    }),
    { numRuns: 3000 },
  )
})

test('an invalid quote damages only its own line', () => {
  assert.deepEqual(fieldsOf('1,2\n"3"x,4\n5,6\n7" pipe,8\n"9,10\n11,"12, 13"\n14,"15'), [
    ['1', '2'],
    'broken_quotes',
    ['5', '6'],
    'broken_quotes',
    'broken_quotes',
    ['11', '12, 13'],
    'broken_quotes',
  ])
})

test('a record that is too large damages only itself, quoted or not', () => {
  const large = 'x'.repeat(longestRecord * 3)
  for (const size of [1000, longestRecord, 1_000_000]) {
    const records = readAll(`1,2\n${large},3\n4,5\n"${large}",6\n7,8`, size)
    assert.deepEqual(
      records.map(record => record.damage ?? record.fields),
      [['1', '2'], 'record_too_large', ['4', '5'], 'record_too_large', ['7', '8']],
    )
    assert.deepEqual(
      records.map(record => record.line),
      [1, 2, 3, 4, 5],
    )
    assert.ok(records.every(record => record.raw.length <= longestRecord))
  }
})

test('a quote that is never closed does not swallow the rest of the file', () => {
  const records = readAll(`1,2\n"open,3\n${'4,5\n'.repeat(50_000)}`, 10_000)
  assert.equal(records.length, 50_002)
  assert.equal(records.filter(record => record.damage).length, 1)
})
