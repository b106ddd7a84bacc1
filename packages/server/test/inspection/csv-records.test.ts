import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvRecords, mostFields } from '../../src/inspection/csv-records.ts'

const cases: [what: string, text: string, records: string[][] | undefined][] = [
  [
    'plain fields',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['each kind of line end', 'a\r\nb\nc\rd\r\n', [['a'], ['b'], ['c'], ['d']]],
  [
    'empty fields, also at the ends',
    ',a,\n,',
    [
      ['', 'a', ''],
      ['', ''],
    ],
  ],
  ['empty lines as records', 'a\n\n\r\nb', [['a'], [''], [''], ['b']]],
  ['quotes, commas and line breaks within quotes', '"a ""b"", c\r\nd",e', [['a "b", c\r\nd', 'e']]],
  ['quotes within a field without quotes', '6" pipe,a"', [['6" pipe', 'a"']]],
  ['an empty text', '', []],
  ['a quote that is not closed', 'a,"b\nc', undefined],
  ['text behind a closing quote', '"a"b,c', undefined],
  ['white space behind a closing quote', '"a" ,c', undefined],
]

describe('the records of CSV text', () => {
  for (const [what, text, records] of cases)
    it(`${records ? 'are read from' : 'are not read from'} ${what}`, () => {
      assert.deepEqual(csvRecords(text, 100), records)
    })

  it('are as many as are wanted, and have as many fields together as they may', () => {
    assert.deepEqual(csvRecords('a\nb\nc', 2), [['a'], ['b']])
    assert.equal(csvRecords(','.repeat(mostFields - 1), 1)?.[0]?.length, mostFields)
    assert.equal(csvRecords(','.repeat(mostFields), 1), undefined)
    const halves = ','.repeat(mostFields / 2 - 1)
    assert.equal(csvRecords(`${halves}\n${halves}`, 2)?.length, 2)
    assert.equal(csvRecords(`${halves}\n${halves},`, 2), undefined)
  })

  it('are read in time that grows with the text, also of hostile text', () => {
    const size = 1024 * 1024
    for (const part of [',', '\n', '"', '""', 'a', '"a', '"\n', '\r', 'a,"b"\n'])
      for (const before of ['', '"', 'a,'])
        assert.ok(msOf(before + part.repeat(size / part.length)) < 1000, JSON.stringify(before + part))
  })
})

/** On a processor, because others may use it meanwhile. */
function msOf(text: string): number {
  const start = process.cpuUsage()
  csvRecords(text, 5000)
  return process.cpuUsage(start).user / 1000
}
