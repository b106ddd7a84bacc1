import type { ReportBar, ReportSection } from '@wbs/contract/valuations/reading'
import type { MoneyValue, ValuationResult } from '@wbs/contract/valuations/result'
import { balanceLines, incomeFigures, incomeLines } from '@wbs/contract/valuations/inputs'
import { decimal } from '../../engine/decimal.ts'
import { isYearBefore } from '../../engine/normalization/period-length.ts'
import type { ReportSubject } from '../subject.ts'
import { amountIn, givenAmount, none, percentText } from '../words/figures.ts'
import { checkSentence, headingOf } from '../words/labels.ts'
import { shownLine } from '../words/shown-text.ts'
import { chart, section, table, text, type MaybeBlock } from './blocks.ts'
import { evidenceReference } from './sources.ts'

type Earnings = ValuationResult['earnings'][number]
const short = {
  revenue: 'Revenue',
  sde: 'SDE',
  ebitda: 'Adjusted EBITDA',
  ebit: 'EBIT',
  net_cash_flow: 'Net cash flow',
} as const

export function financialAnalysis(subject: ReportSubject): ReportSection {
  const { result, document } = subject
  const { earnings } = result
  return section(
    'financial_analysis',
    'Analysis of the financial statements',
    earnings.length === 0
      ? text(null, 'No financial statements were given.')
      : text(
          null,
          'The statements are shown as they were given, then as they were normalized: without what a buyer would not pay for or would not have to bear.',
        ),
    statements(subject, 'income', 'Income statements as given', [...incomeLines, ...incomeFigures]),
    statements(subject, 'balance', 'Balance sheets as given', balanceLines),
    normalisation(subject),
    byPeriod(
      'Normalized earnings by period',
      barsOf(earnings, ['sde', 'ebitda', 'net_cash_flow']),
      ...earningsTable(subject),
    ),
    byPeriod(
      'Revenue, growth and margins by period',
      barsOf(earnings, ['revenue']),
      ['Period', `Revenue (${document.currency})`, 'Growth', 'SDE ÷ revenue', 'EBITDA ÷ revenue'],
      ratios(subject),
    ),
    table(
      'Checks of the statements and the calculation',
      ['Finding', 'Period', 'Reported', 'Computed', 'Difference'],
      result.checks.map(({ code, period, reported, computed, difference }) => [
        checkSentence(code),
        period === null ? none : shownLine(period),
        ...[reported, computed, difference].map(column =>
          code === 'terminal_share_above_80_percent' ? percentText(column) : plainFigure(column),
        ),
      ]),
    ),
    result.checks.length > 0
      ? text(null, 'What does not add up was not repaired. The figures were used as they were given.')
      : text('Checks of the statements and the calculation', 'Nothing was found that does not add up.'),
  )
}

/** Figures of several periods as a chart, those of a single one as a table. */
const byPeriod = (
  title: string,
  bars: readonly ReportBar[],
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): MaybeBlock => chart(title, 'columns', bars, columns, rows) ?? table(title, columns, rows)

/** The normalized figures that at least one period has. */
function earningsTable({
  result: { earnings },
  document: { currency },
}: ReportSubject): [string[], string[][]] {
  const given = (['sde', 'ebitda', 'ebit', 'net_cash_flow'] as const).filter(name =>
    earnings.some(earning => earning[name] !== null),
  )
  const areStated = earnings.some(earning => earning.is_stated)
  if (given.length === 0) return [[], []]
  return [
    ['Period', ...given.map(name => `${short[name]} (${currency})`), ...(areStated ? ['Stated'] : [])],
    earnings.map(earning => [
      shownLine(earning.period),
      ...given.map(name => amountIn(earning[name])),
      ...(areStated ? [earning.is_stated ? 'yes' : 'no'] : []),
    ]),
  ]
}

/** A figure of a check that is an amount. */
function plainFigure(figure: string | null): string {
  if (figure === null) return none
  return /^-?\d+(?:\.\d+)?$/.test(figure) ? givenAmount(figure) : shownLine(figure)
}

/** The lines of a statement that at least one period has: a row for each line, a column for each period. */
function statements(
  { document }: ReportSubject,
  part: 'income' | 'balance',
  title: string,
  lines: readonly string[],
): MaybeBlock {
  const periods = (document.inputs.periods ?? []).filter(period => period[part])
  const value = (period: (typeof periods)[number], line: string) =>
    (period[part] as Readonly<Record<string, string | undefined>>)[line]
  const rows = lines
    .filter(line => periods.some(period => value(period, line) !== undefined))
    .map(line => [
      headingOf(line),
      ...periods.map(period =>
        line === 'tax_rate' ? percentText(value(period, line)) : givenAmount(value(period, line)),
      ),
    ])
  return table(title, [`Line (${document.currency})`, ...periods.map(({ key }) => shownLine(key))], rows)
}

function normalisation({ result, document, evidence }: ReportSubject): MaybeBlock {
  return table(
    'Normalization adjustments',
    [
      'Period',
      'Line',
      'Why',
      `Reported (${document.currency})`,
      `Adjustment (${document.currency})`,
      `Adjusted (${document.currency})`,
      'Note',
      'Evidence',
    ],
    result.normalisation.map(({ period, line, kind, reported, adjustment, adjusted, note, evidence_id }) => [
      shownLine(period),
      headingOf(line),
      headingOf(kind),
      amountIn(reported),
      amountIn(adjustment),
      amountIn(adjusted),
      note ? shownLine(note) : none,
      evidenceReference(evidence, evidence_id),
    ]),
  )
}

type Figure = keyof typeof short

/** A bar from zero for each figure that a period has. */
const barsOf = (earnings: readonly Earnings[], names: readonly Figure[]): ReportBar[] =>
  earnings.length < 2
    ? []
    : earnings.flatMap(earning =>
        names.flatMap(name => {
          const money: MoneyValue | null = earning[name]
          if (!money) return []
          const isLoss = money.amount.startsWith('-')
          return [
            {
              label: shownLine(earning.period),
              group: short[name],
              low: isLoss ? money.amount : '0',
              point: money.amount,
              high: isLoss ? '0' : money.amount,
            },
          ]
        }),
      )

/**
 * Revenue, and ratios that follow from the normalized figures. They describe; the calculation does not use them. Growth is that
 * from one year to the next: a part of a year, or a year after a gap, has none.
 */
function ratios({ result: { earnings }, document }: ReportSubject): string[][] {
  const periods = new Map((document.inputs.periods ?? []).map(period => [period.key, period]))
  const share = (part: MoneyValue | null, whole: MoneyValue | null | undefined) => {
    if (!part || !whole || !decimal(whole.amount).greaterThan(0)) return none
    return percentText(decimal(part.amount).dividedBy(whole.amount).toFixed())
  }
  const growth = (now: MoneyValue | null, before: MoneyValue | null | undefined) => {
    if (!now || !before || !decimal(before.amount).greaterThan(0)) return none
    return percentText(decimal(now.amount).dividedBy(before.amount).minus(1).toFixed())
  }
  return earnings
    .filter(earning => earning.revenue !== null)
    .map(earning => [
      shownLine(earning.period),
      amountIn(earning.revenue),
      growth(
        earning.revenue,
        earnings.find(other => isYearBefore(periods.get(other.period), periods.get(earning.period)))?.revenue,
      ),
      share(earning.sde, earning.revenue),
      share(earning.ebitda, earning.revenue),
    ])
}
