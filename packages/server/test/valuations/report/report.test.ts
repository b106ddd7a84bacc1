import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportOf } from '../../../src/valuations/report/report.ts'
import { calculationLines } from '../../../src/valuations/report/sections/calculation.ts'
import { hostile, hostileTexts } from './hostile.ts'
import { blocksOf, document, report, signature, subject, valued } from './report-fixture.ts'

const textOf = (of: unknown) => JSON.stringify(of)
const tableOf = (code: string, title: string | null, of = report) => {
  const block = blocksOf(of, code).find(one => one.title === title && one.columns)
  assert.ok(block?.rows && block.columns, `${code} has no table ${title}`)
  return { columns: block.columns, rows: block.rows }
}

describe('the report of a valuation', () => {
  it('has the sections of VS 100 paragraph .51, in their order, and none is empty', () => {
    assert.deepEqual(
      report.sections.map(one => one.code),
      [
        'transmittal',
        'contents',
        'introduction',
        'sources_of_information',
        'entity_analysis',
        'financial_analysis',
        'approaches_considered',
        'approaches_used',
        'adjustments',
        'non_operating_assets',
        'representation',
        'conclusion',
        'qualifications',
        'appendices',
      ],
    )
    for (const { blocks, code } of report.sections) assert.ok(blocks.length > 0, code)
    assert.deepEqual(
      blocksOf(report, 'contents')[0]?.items,
      report.sections.slice(2).map(one => one.title),
    )
  })

  it('gives every row of a table a cell for each column, and every chart a table', () => {
    for (const { blocks, code } of report.sections)
      for (const { kind, columns, rows, series, title } of blocks) {
        if (kind === 'chart') assert.ok(series?.length && rows?.length, `${code}: ${title}`)
        for (const row of rows ?? []) assert.equal(row.length, columns?.length, `${code}: ${title}`)
      }
  })

  it('says that it is a calculation by the engine as long as nobody has signed it', () => {
    assert.equal(report.is_signed, false)
    assert.match(report.title, /^Calculation of value: Corner Bakery$/)
    assert.match(report.notice, /Calculation by the engine, not a conclusion of value by a professional/)
    assert.match(textOf(blocksOf(report, 'representation')), /There is none: nobody has signed this report/)
    assert.match(textOf(blocksOf(report, 'qualifications')), /None are stated/)
    assert.doesNotMatch(textOf(blocksOf(report, 'conclusion')), /Conclusion of value/)
  })

  it('shows who signed it, what they state, what qualifies them, when, and the hash', () => {
    const signed = reportOf({ ...subject, signature })
    assert.equal(signed.is_signed, true)
    assert.match(signed.title, /^Valuation report: Corner Bakery$/)
    assert.match(signed.notice, /^Signed by Olivia Owner on 24 November 2026/)
    const [statement] = blocksOf(signed, 'representation')
    assert.equal(statement?.text, signature.statement)
    assert.deepEqual(tableOf('representation', 'Signature', signed).rows, [
      ['Signed by', 'Olivia Owner'],
      ['Signed', '24 November 2026, 09:30 UTC'],
      ['Hash of the signed result (SHA-256)', 'b'.repeat(64)],
    ])
    assert.match(textOf(blocksOf(signed, 'qualifications')), /Accredited Senior Appraiser since 2012/)
    assert.doesNotMatch(textOf(signed), /not a conclusion of value by a professional. Nobody/)
  })

  it('names purpose, standard, premise, level, dates and interest, and defines the terms', () => {
    const rows = Object.fromEntries(tableOf('introduction', 'What is valued, and how').rows)
    assert.equal(rows['Interest'], '40% of the equity of Corner Bakery')
    assert.equal(rows['Intended use'], 'Sale')
    assert.equal(rows['Standard of value'], 'Fair market value')
    assert.equal(rows['Premise of value'], 'Going concern')
    assert.equal(rows['Level of value'], 'Minority, nonmarketable')
    assert.equal(rows['Valuation date'], '30 June 2026')
    assert.equal(rows['Completed'], '23 November 2026, 07:00 UTC')
    assert.match(textOf(blocksOf(report, 'introduction')), /willing buyer.*Rev\. Rul\. 59-60, sec\. 2\.02/)
  })

  it('names every source with its date, and the evidence of each statement', () => {
    const { rows } = tableOf('sources_of_information', 'Figures from others')
    for (const { figure, source } of subject.result.sources)
      assert.ok(
        rows.some(([, from]) => from === source),
        `${figure}: ${source}`,
      )
    assert.ok(rows.some(row => row.join() === 'SDE multiple,Broker survey,31 December 2025'))
    const statements = tableOf('sources_of_information', 'Financial statements').rows
    assert.deepEqual(
      statements.map(row => row.at(-1)),
      ['E1', 'E1', '–'],
    )
    assert.match(
      textOf(blocksOf(report, 'sources_of_information')),
      /2 of the statements and adjustments have no/,
    )
  })

  it('tells events up to the valuation date from those after it', () => {
    const before = tableOf('entity_analysis', 'Events up to the valuation date').rows
    assert.deepEqual(before, [['1 March 2026', 'A second shop was leased.']])
    const after = tableOf('entity_analysis', 'Events after the valuation date, disclosed and not used').rows
    assert.deepEqual(after, [['15 August 2026', 'The largest customer gave notice.']])
  })

  it('shows statements as given, adjustments, earnings by period, margins and what does not add up', () => {
    const { columns, rows } = tableOf('financial_analysis', 'Income statements as given')
    assert.deepEqual(columns, ['Line (USD)', '2023', '2024', '2025'])
    assert.deepEqual(rows[0], ['Revenue', '730,000.00', '765,000.00', '800,000.00'])
    assert.ok(rows.some(row => row.join('|') === 'Tax rate|21.00%|21.00%|21.00%'))
    const margins = tableOf('financial_analysis', 'Revenue, growth and margins by period').rows
    assert.deepEqual(margins[0]?.slice(0, 3), ['2023', '730,000.00', '–'])
    assert.equal(margins[1]?.[2], '4.79%')
    const [check] = tableOf('financial_analysis', 'Checks of the statements and the calculation').rows
    assert.deepEqual(check?.slice(0, 3), ['Net income is not what its lines add up to.', '2025', '90,000.00'])
  })

  it('shows the methods that were used, the check, and why others were not', () => {
    const { rows } = tableOf('approaches_used', 'Methods')
    assert.deepEqual(
      rows.map(([method]) => method),
      ['Capitalized cash flow', 'SDE multiple', 'Excess earnings (check)'],
    )
    const sde = rows.find(([method]) => method === 'SDE multiple')
    assert.equal(sde?.[4], '2.51×')
    const losing = valued({
      ...document,
      inputs: {
        ...document.inputs,
        adjustments: [],
        periods: (document.inputs.periods ?? []).map(period => ({
          ...period,
          income: { ...period.income, owner_compensation: '0', net_income: '-90000', depreciation: '0' },
        })),
      },
    })
    const [rejected] = tableOf(
      'approaches_considered',
      'Methods that were considered and not used',
      reportOf(losing),
    ).rows
    assert.equal(rejected?.[0], 'SDE multiple')
    assert.match(rejected?.[1] ?? '', /is not above 0/)
  })

  it('leads from the indicated value to that of the interest in a chart whose bars follow each other', () => {
    const chart = blocksOf(report, 'adjustments').find(one => one.chart === 'waterfall')
    const bars = chart?.series ?? []
    assert.equal(bars[0]?.group, 'total')
    assert.equal(bars.at(-1)?.group, 'total')
    let running = Number(bars[0]?.point)
    for (const { group, low, high, point } of bars.slice(1, -1)) {
      const [from, to] = group === 'fall' ? [high, low] : [low, high]
      assert.ok(Math.abs(Number(from) - running) < 0.005, `${from} does not follow ${running}`)
      running += Number(point)
      assert.ok(Math.abs(Number(to) - running) < 0.005, `${to} is not ${running}`)
    }
    assert.ok(bars.length > 3)
    assert.ok(Math.abs(running - Number(bars.at(-1)?.point)) < 0.05)
  })

  it('draws no such chart where the steps do not add up', () => {
    const { adjustments } = subject.result
    const wrong = adjustments.map(one =>
      one.code === 'dloc' ? { ...one, amount: { amount: '-1.00', currency: 'USD' } } : one,
    )
    const blocks = blocksOf(
      reportOf({ ...subject, result: { ...subject.result, adjustments: wrong } }),
      'adjustments',
    )
    assert.ok(blocks.every(one => one.chart !== 'waterfall'))
    assert.ok(blocks.some(one => one.kind === 'table'))
  })

  it('explains every figure of the calculation once, and names the evidence', () => {
    const tree = blocksOf(report, 'appendices').find(one => one.depths)
    const { items = [], depths = [] } = tree ?? {}
    assert.equal(items.length, depths.length)
    assert.match(items[0] ?? '', /^Point of the conclusion: USD /)
    const shown = subject.calculation.filter(
      ({ op, source, formula }) =>
        op !== 'input' || !(source?.startsWith('A constant') || formula === 'constant'),
    )
    const explained = items.filter(one => !one.endsWith('(explained above)'))
    const repeated = items.filter(one => one.endsWith('(explained above)'))
    assert.ok(explained.length >= shown.length)
    assert.ok(items.length < 4 * shown.length)
    assert.ok(repeated.length > 0)
    assert.ok(items.some(one => /evidence E1/.test(one)))
    assert.ok(items.every(one => !/sde_multiple|capitalized_cash_flow/.test(one)))
    for (const [at, depth] of depths.entries()) assert.ok(depth <= (depths[at - 1] ?? -1) + 1)
  })

  it('has no lines for the numbers of a formula', () => {
    const node = { op: 'input' as const, unit: 'ratio', inputs: [], formula: 'given' }
    const lines = calculationLines(
      [
        { ...node, id: 'one', label: '1', value: '1', formula: 'constant' },
        { ...node, id: 'growth', label: 'Growth', value: '0.03' },
        {
          ...node,
          id: 'factor',
          label: 'Growth factor',
          op: 'add',
          value: '1.03',
          inputs: [0, 1],
          formula: '1 + Growth',
        },
      ],
      [],
    )
    assert.deepEqual(
      lines.map(({ line }) => line),
      ['Growth factor: 1.03 = 1 + Growth', 'Growth: 0.03'],
    )
  })

  it('has tables instead of charts for a single period, and says so if nothing was given', () => {
    const { periods = [] } = document.inputs
    const one = valued({ ...document, inputs: { ...document.inputs, periods: periods.slice(2) } })
    const blocks = blocksOf(reportOf(one), 'financial_analysis')
    assert.ok(blocks.every(block => block.kind !== 'chart'))
    assert.ok(blocks.some(block => block.title === 'Normalized earnings by period'))
    const none = valued(
      {
        ...document,
        interest: { percent: '100', kind: 'equity' },
        level_of_value: 'control_marketable',
        inputs: {},
        methods: [{ method: 'adjusted_net_assets', assets: [{ name: 'Oven', amount: '5000' }] }],
        weights: { adjusted_net_assets: '1' },
      },
      { evidence: [] },
    )
    const bare = reportOf(none)
    assert.match(textOf(blocksOf(bare, 'financial_analysis')), /No financial statements were given/)
    assert.match(
      textOf(blocksOf(bare, 'sources_of_information')),
      /No document was given as evidence. All figures about the subject/,
    )
    assert.match(textOf(blocksOf(bare, 'non_operating_assets')), /None were stated/)
    assert.match(textOf(blocksOf(bare, 'entity_analysis')), /No events were disclosed/)
  })

  it('shows the holdings of a portfolio, down to the last one, with rate and discount', () => {
    const eur = (amount: string) => ({ amount, currency: 'EUR' })
    const holding = {
      key: 'c',
      subject_type: 'asset',
      name: 'Warehouse',
      ownership_percent: '25',
      value: eur('1200000.00'),
      converted: { amount: '1296000.00', currency: 'USD' },
      rate: '1.08',
      discount: '0.1',
      share: { amount: '291600.00', currency: 'USD' },
      path: ['northern-fund'],
    }
    const of = reportOf({ ...subject, result: { ...subject.result, holdings: [holding] } })
    assert.deepEqual(tableOf('approaches_used', 'Holdings', of).rows, [
      ['northern-fund › Warehouse', '25%', 'EUR 1,200,000.00', '1.08', '10.00%', '291,600.00'],
    ])
  })

  it('says that a later valuation replaces it', () => {
    const id = `val_${'1'.repeat(32)}`
    const replaced = reportOf({ ...subject, superseded_by_id: id })
    assert.match(
      textOf(blocksOf(replaced, 'transmittal')),
      new RegExp(`A later valuation replaces this one: ${id}`),
    )
    assert.doesNotMatch(textOf(blocksOf(report, 'transmittal')), /later valuation/)
  })
})

describe('what users wrote', () => {
  for (const text of hostileTexts)
    it(`is shown on one line, without invisible characters: ${JSON.stringify(text)}`, () => {
      const hostileReport = reportOf(hostile(text))
      const lines: string[] = [hostileReport.title, hostileReport.notice]
      for (const { blocks } of hostileReport.sections)
        for (const {
          title,
          text: paragraphs = '',
          items = [],
          columns = [],
          rows = [],
          series = [],
        } of blocks)
          lines.push(
            title ?? '',
            ...paragraphs.split('\n'),
            ...items,
            ...columns,
            ...rows.flat(),
            ...series.map(one => one.label),
          )
      for (const line of lines) assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e]/u)
    })

  it('does not change the order of figures after it if it is written from right to left', () => {
    const { title } = reportOf({ ...subject, name: 'מאפייה' })
    assert.equal(title, 'Calculation of value: \u2068מאפייה\u2069')
  })
})
