import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mostRows, tableOfCsv, tableOfSheet } from '../../../src/valuations/statements/statement-content.ts'
import { xlsxOf, xlsxType } from '../../inspection/documents.ts'
import { inspect } from '../../inspection/inspecting.ts'

const csv = (text: string | Uint8Array) => tableOfCsv(Buffer.from(text as string))
const fault = (read: { table: unknown } | { fault: string }) => ('fault' in read ? read.fault : assert.fail())

describe('the cells of a File', () => {
  it('are those of the records of CSV', () => {
    assert.deepEqual(csv('\ufeff,2025\r\n"Sales, net","1,000"\n\nTax,1'), {
      table: [['', '2025'], ['Sales, net', '1,000'], [''], ['Tax', '1']],
    })
  })

  it('are those of a sheet, where they stand in it', async () => {
    const sheet = [
      [],
      ['Title'],
      ['', '', 2025, 2024],
      ['Sales', '', 1234.56, 0.1],
      [],
      ['', 'Net\tincome', -5],
    ]
    const { text } = await inspect(xlsxType, xlsxOf({ First: [['x']], Second: sheet }))
    const read = tableOfSheet(text.pages[1] ?? assert.fail())
    const table = 'table' in read ? read.table : assert.fail()
    assert.deepEqual(table[2]?.slice(0, 4), ['', '', '2025', '2024'])
    assert.deepEqual(table[3]?.slice(0, 4), ['Sales', '', '1234.56', '0.1'])
    assert.deepEqual(table[5]?.slice(0, 3), ['', 'Net income', '-5'])
  })

  it('are at most those of a thousand rows', () => {
    assert.equal('table' in csv('a\n'.repeat(mostRows)), true)
    assert.match(fault(csv('a\n'.repeat(mostRows + 1))), /more than 1000 rows/)
    assert.match(fault(tableOfSheet('a\n'.repeat(mostRows))), /more than 1000 rows/)
    assert.match(fault(tableOfSheet('\t'.repeat(200_000))), /cells/)
  })

  it('are none of what is no CSV in UTF-8', () => {
    assert.match(fault(csv('"Sales')), /not CSV/)
    assert.match(fault(csv(Buffer.from([0xff, 0xfe]))), /not CSV/)
  })
})
