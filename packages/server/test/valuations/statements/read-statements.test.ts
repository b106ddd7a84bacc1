import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { InputError } from '@wbs/contract/problems'
import { statementRows } from '@wbs/contract/valuations/statements'
import fc from 'fast-check'
import { readStatements, type StatementSettings } from '../../../src/valuations/statements/read-statements.ts'
import { folded, namesOfLine } from '../../../src/valuations/statements/statement-lines.ts'
import { columnName } from '../../../src/valuations/statements/statement-table.ts'
import { hostileTexts } from '../../hostile/hostile-text.ts'

const year = (column: string) => ({
  column,
  key: column.replace(/\D/g, ''),
  start: `${column.replace(/\D/g, '')}-01-01`,
  end: `${column.replace(/\D/g, '')}-12-31`,
})

const settings = (more: Partial<StatementSettings> = {}): StatementSettings => ({
  basis: 'internal',
  periods: [year('FY2025')],
  ...more,
})

function readOf(table: string[][], more?: Partial<StatementSettings>) {
  const read = readStatements(table, settings(more))
  return 'periods' in read ? read : assert.fail(JSON.stringify(read))
}

function errorsOf(table: string[][], more?: Partial<StatementSettings>): InputError[] {
  const read = readStatements(table, settings(more))
  return 'errors' in read ? read.errors : assert.fail(JSON.stringify(read))
}

const pointers = (errors: InputError[]) => errors.map(({ pointer, code }) => [pointer, code])

/** A table with one period. */
const tableOf = (...rows: [label: string, cell: string][]) => [['', 'FY2025'], ...rows]

describe('financial statements of a table', () => {
  it('have the lines that are named as usual, by period, and no line that is empty', () => {
    const { periods, unmapped } = readOf(
      [
        ['Corner Bakery'],
        ['Income statement', 'FY 2024', 'fy-2025'],
        ['Sales', '$790,000.50', '800000'],
        ['COST OF GOODS SOLD', '310,000', '320000'],
        ['Expenses', '', ''],
        ["Officers' compensation", '80000', ''],
        ['Rent', '60000', '61000'],
        ['Net income (loss)', '(1,500)', '90000'],
        ['Effective tax rate', '21%', '0.215'],
        [],
        ['Cash & cash equivalents', '–', '40000'],
        ['Total assets', '200000', '220000'],
      ],
      { basis: 'tax_return', periods: [year('FY 2024'), { ...year('FY 2025'), known_or_knowable: true }] },
    )
    assert.deepEqual(periods, [
      {
        key: '2024',
        start: '2024-01-01',
        end: '2024-12-31',
        basis: 'tax_return',
        income: {
          revenue: '790000.5',
          cost_of_sales: '310000',
          owner_compensation: '80000',
          net_income: '-1500',
          tax_rate: '0.21',
        },
        balance: { cash: '0', total_assets: '200000' },
      },
      {
        key: '2025',
        start: '2025-01-01',
        end: '2025-12-31',
        basis: 'tax_return',
        known_or_knowable: true,
        income: { revenue: '800000', cost_of_sales: '320000', net_income: '90000', tax_rate: '0.215' },
        balance: { cash: '40000', total_assets: '220000' },
      },
    ])
    assert.deepEqual(unmapped, ['Rent'])
  })

  it('are found by each usual name, whatever its case and punctuation', () => {
    const names = statementRows.flatMap(line => namesOfLine(line).map(name => [line, name] as const))
    assert.equal(new Set(names.map(([, name]) => name)).size, names.length, 'no name is of two lines')
    for (const [line, name] of names) {
      assert.equal(folded(name), name)
      const label = ` ${name.toUpperCase().replaceAll(' ', '_')}: `
      const { periods } = readOf(tableOf([label, '0.5']))
      assert.equal({ ...periods[0]?.income, ...periods[0]?.balance }[line], '0.5', name)
    }
  })

  it('are found by the names that the guide lists', async () => {
    const guide = await readFile(new URL('../../../../../docs/guides/valuations.md', import.meta.url), 'utf8')
    for (const line of statementRows) {
      const [, ...others] = namesOfLine(line)
      assert.ok(guide.includes(`| \`${line}\` | ${others.join(', ') || '–'} |`), line)
    }
  })

  it('are found by the mapping and by the numbers of rows, which come before the usual names', () => {
    const table = tableOf(['Sales', '1'], ['Total income', '2'], ['Net income', '3'], ['Net income', '4'])
    assert.deepEqual(pointers(errorsOf(table)), [
      ['/mapping/revenue', 'conflict'],
      ['/mapping/net_income', 'conflict'],
    ])
    assert.match(errorsOf(table)[0]?.detail ?? '', /rows 2 and 3/)
    const { periods, unmapped } = readOf(table, {
      mapping: { revenue: 'TOTAL INCOME' },
      rows: { net_income: 5 },
    })
    assert.deepEqual(periods[0]?.income, { revenue: '2', net_income: '4' })
    assert.deepEqual(unmapped, ['Sales', 'Net income'])
    const other = readOf(tableOf(['Sales', '1'], ['Fees', '2']), { mapping: { other_income: 'Sales' } })
    assert.deepEqual(other.periods[0]?.income, { other_income: '1' })
  })

  it('are refused where the mapping or a row names nothing, or one row for two lines', () => {
    const table = tableOf(['Sales', '1'], ['Fees', '2'], ['Fees', '3'], ['Heading', ''])
    const cases: [Partial<StatementSettings>, [string, string][]][] = [
      [{ mapping: { revenue: 'Rent' } }, [['/mapping/revenue', 'unknown']]],
      [{ mapping: { revenue: 'Heading' } }, [['/mapping/revenue', 'unknown']]],
      [{ mapping: { revenue: 'Fees' } }, [['/mapping/revenue', 'conflict']]],
      [{ mapping: { revenue: 'Sales', taxes: 'sales' } }, [['/mapping/taxes', 'conflict']]],
      [{ rows: { taxes: 5 } }, [['/rows/taxes', 'unknown']]],
      [{ rows: { taxes: 900 } }, [['/rows/taxes', 'unknown']]],
      [{ rows: { taxes: 3 }, mapping: { taxes: 'Sales' } }, [['/rows/taxes', 'conflict']]],
    ]
    for (const [more, expected] of cases) assert.deepEqual(pointers(errorsOf(table, more)), expected)
  })

  it('are refused where a column is missing, is there twice, or is named twice', () => {
    const rows = [['Sales', '1', '2']]
    assert.deepEqual(pointers(errorsOf([['', '2024', '2025'], ...rows])), [['/periods/0/column', 'unknown']])
    assert.deepEqual(pointers(errorsOf([])), [['/periods/0/column', 'unknown']])
    const [twice] = errorsOf([['', 'FY2025', 'FY2025'], ...rows])
    assert.deepEqual([twice?.code, /B1 and C1/.test(twice?.detail ?? '')], ['conflict', true])
    const periods = [year('FY2025'), { ...year('FY2025'), key: 'again' }]
    assert.deepEqual(pointers(errorsOf([['', 'FY2025'], ...rows], { periods })), [
      ['/periods/1/column', 'conflict'],
    ])
  })

  it('are refused where two periods have one key, or one ends before it starts', () => {
    const periods = [
      year('FY2025'),
      { column: 'FY2024', key: '2025', start: '2024-12-31', end: '2024-01-01' },
    ]
    assert.deepEqual(pointers(errorsOf([], { periods })), [
      ['/periods/1/key', 'conflict'],
      ['/periods/1/end', 'out_of_range'],
    ])
  })

  it('are refused for each cell that is no amount, and say which by its name in a spreadsheet', () => {
    const table = [
      ['', 'x', 'FY2024', 'FY2025'],
      ['Sales', '', '#REF!', '1'],
      ['Rent', '', 'n/a', 'n/a'],
      ['Taxes', '', '1', '12%'],
    ]
    const errors = errorsOf(table, { periods: [year('FY2025'), year('FY2024')] })
    assert.deepEqual(pointers(errors), [
      ['/file/rows/4/D', 'format'],
      ['/file/rows/2/C', 'format'],
    ])
    assert.match(errors[0]?.detail ?? '', /^Cell D4 \(taxes\) must be an amount/)
    assert.doesNotMatch(JSON.stringify(errors), /REF/)
  })

  it('are in thousands or millions only if the caller says so', () => {
    for (const title of [
      'Amounts in thousands',
      "(in $000's)",
      'USD, in Millions',
      '(000s)',
      '($000)',
      '($M)',
    ])
      assert.deepEqual(
        pointers(errorsOf([[title], ...tableOf(['Sales', '1'])])),
        [['/amounts_in', 'required']],
        title,
      )
    assert.deepEqual(pointers(errorsOf(tableOf(['Sales', '1']).with(0, ['in thousands', 'FY2025']))), [
      ['/amounts_in', 'required'],
    ])
    const table = [['In thousands'], ...tableOf(['Sales', '1.5'], ['Tax rate', '0.21'])]
    assert.deepEqual(readOf(table, { amounts_in: 'thousands' }).periods[0]?.income, {
      revenue: '1500',
      tax_rate: '0.21',
    })
    assert.equal(readOf(table, { amounts_in: 'units' }).periods[0]?.income?.revenue, '1.5')
  })

  it('have positive costs where the File has negative ones, if the caller says so', () => {
    const table = tableOf(
      ['Sales', '9'],
      ['COGS', '(4)'],
      ['Net income', '-5'],
      ['Capex', '-3'],
      ['Taxes', '0'],
    )
    assert.deepEqual(readOf(table, { costs_are_negative: true }).periods[0]?.income, {
      revenue: '9',
      cost_of_sales: '4',
      taxes: '0',
      net_income: '-5',
      capital_expenditure: '3',
    })
    assert.equal(readOf(table).periods[0]?.income?.cost_of_sales, '-4')
  })

  it('have labels in any column before those of the periods', () => {
    const table = [
      ['', '', '', 'FY2025'],
      ['Income', '', '', ''],
      ['', 'Sales', '', '10'],
      ['', '', 'Net income', '3'],
    ]
    assert.deepEqual(readOf(table).periods[0]?.income, { revenue: '10', net_income: '3' })
  })

  it('are none where no row is a line', () => {
    const read = readStatements(tableOf(['Rent', '1']), settings())
    assert.match('fault' in read ? read.fault : '', /No row/)
  })

  it('are read from hostile cells without a throw, and only as decimal numbers', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...hostileTexts, '=1+1', '1e400', '-', '()', '__proto__', 'FY2025', 'Sales', '12'),
    )
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 }), rows => {
        const read = readStatements([['', 'FY2025'], ...rows], settings())
        if (!('periods' in read)) return
        for (const { income, balance } of read.periods)
          for (const value of Object.values({ ...income, ...balance }))
            assert.match(value, /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,12})?$/)
      }),
    )
  })

  it('are read in time that grows with the table', () => {
    for (const cell of ['a'.repeat(500), '1,'.repeat(250), '('.repeat(500), 'ﷺ'.repeat(300)]) {
      const table = [['', 'FY2025'], ...Array.from({ length: 999 }, () => [cell, cell])]
      const start = process.cpuUsage()
      readStatements(table, settings({ mapping: { revenue: cell.slice(0, 200) } }))
      assert.ok(process.cpuUsage(start).user < 1_000_000, JSON.stringify(cell.slice(0, 2)))
    }
  })
})

it('columns are named as spreadsheets name them', () => {
  assert.deepEqual([0, 25, 26, 51, 52, 701, 702].map(columnName), ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
})
