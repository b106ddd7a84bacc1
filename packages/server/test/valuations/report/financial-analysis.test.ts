import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportOf } from '../../../src/valuations/report/report.ts'
import { blocksOf, document, valued } from './report-fixture.ts'

type Document = typeof document

/** The rows of a table of the financial analysis of the document. */
function rowsOf(title: string, changes: Partial<Document>): string[][] {
  const blocks = blocksOf(reportOf(valued({ ...document, ...changes })), 'financial_analysis')
  const block = blocks.find(one => one.title === title)
  if (!block?.rows) throw new Error(`There is no table ${title}.`)
  return block.rows
}

describe('the growth of revenue', () => {
  const growthOf = (
    ...periods: readonly (readonly [key: string, start: string, end: string, revenue: string])[]
  ) =>
    rowsOf('Revenue, growth and margins by period', {
      inputs: {
        periods: periods.map(([key, start, end, revenue]) => ({
          key,
          start,
          end,
          basis: 'internal',
          income: { revenue, net_income: '100' },
        })),
      },
      methods: [{ method: 'revenue_multiple', multiple: '1' }],
      weights: {},
      level_of_value: 'control_nonmarketable',
    }).map(([key, , growth]) => [key, growth])

  it('is that from one year to the next, calendar or fiscal', () => {
    assert.deepEqual(
      growthOf(
        ['2024', '2023-07-01', '2024-06-30', '1000'],
        ['2025', '2024-07-01', '2025-06-30', '1100'],
        ['2026', '2025-07-01', '2026-06-27', '1210'],
      ),
      [
        ['2024', '–'],
        ['2025', '10.00%'],
        ['2026', '10.00%'],
      ],
    )
  })

  it('is not shown for a part of a year, after a gap, or for years that overlap', () => {
    assert.deepEqual(
      growthOf(
        ['2022', '2022-01-01', '2022-12-31', '800'],
        ['2024', '2024-01-01', '2024-12-31', '1000'],
        ['last-12', '2024-07-01', '2025-06-30', '1100'],
        ['2025', '2025-01-01', '2025-12-31', '1200'],
        ['half', '2026-01-01', '2026-06-30', '500'],
      ),
      [
        ['2022', '–'],
        ['2024', '–'],
        ['last-12', '–'],
        ['2025', '20.00%'],
        ['half', '–'],
      ],
    )
  })
})

describe('the checks', () => {
  const checks = 'Checks of the statements and the calculation'

  it('compare excess earnings with the other methods, which are not the conclusion for a part', () => {
    const methods = (document.methods ?? []).map(one =>
      one.method === 'excess_earnings' ? { ...one, earnings: '300000' } : one,
    )
    const check = rowsOf(checks, { methods }).find(([finding]) => finding?.includes('excess earnings'))
    assert.match(check?.[0] ?? '', /differs from the weighted value of the other methods/)
  })

  it('show the share of the terminal value as a percentage', () => {
    const rows = rowsOf(checks, {
      methods: [
        {
          method: 'discounted_cash_flow',
          cash_flows: ['100'],
          discount_rate: '0.2',
          terminal: { kind: 'exit_multiple', metric_amount: '100', multiple: '4.1' },
        },
      ],
      weights: {},
    })
    const share = rows.find(([finding]) => finding?.includes('terminal value'))
    assert.deepEqual(share?.slice(1), ['–', '–', '80.39%', '–'])
  })
})
