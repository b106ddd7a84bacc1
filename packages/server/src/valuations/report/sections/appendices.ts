import type { ReportBar, ReportSection } from '@wbs/contract/valuations/reading'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import { decimal } from '../../engine/decimal.ts'
import type { ReportSubject } from '../subject.ts'
import { amountIn, figureText, fixed, moneyText } from '../words/figures.ts'
import { figureLabel } from '../words/labels.ts'
import { shownLine } from '../words/shown-text.ts'
import { chart, facts, list, section, table, text, tree, type MaybeBlock } from './blocks.ts'
import { calculationLines } from './calculation.ts'

export function appendices(subject: ReportSubject): ReportSection {
  const { result, calculation, evidence } = subject
  const { engine } = result
  return section(
    'appendices',
    'Appendices',
    list('Assumptions', result.assumptions.map(shownLine)),
    list('Limiting conditions', result.limiting_conditions.map(shownLine)),
    ...sensitivity(subject),
    table(
      'Factors of Rev. Rul. 59-60, sec. 4.01',
      ['No.', 'Factor', 'Addressed', 'Where, or what is missing'],
      result.factors_59_60.map(({ order, factor, addressed, note }) => [
        String(order),
        shownLine(factor),
        addressed ? 'yes' : 'no',
        shownLine(note),
      ]),
    ),
    text(
      'Calculation',
      'Every figure of the result, with the figures from which it follows. Figures are rounded here; the calculation itself has 34 significant digits. A figure that several others use is explained where it appears first.',
    ),
    tree(null, calculationLines(calculation, evidence)),
    facts('Reproduction', [
      ['Version of the engine', shownLine(engine.version)],
      ['Seed', String(engine.seed)],
      ['Benchmark set (SHA-256)', engine.benchmark_set_sha256],
      ['Inputs (SHA-256)', engine.input_hash],
      ['Result (SHA-256)', engine.result_hash],
    ]),
    text(null, 'The same document, evidence, benchmark set and seed give the same result, byte for byte.'),
  )
}

function sensitivity({ result, document }: ReportSubject): MaybeBlock[] {
  const { tornado, grid, monte_carlo: carlo } = result.sensitivity
  const { currency } = document
  return [
    chart(
      'What moves the result',
      'tornado',
      tornado.map(bar => barOf(bar, result)),
      [
        'Driver',
        'In the calculation',
        'Low',
        'High',
        `Result at low (${currency})`,
        `Result at high (${currency})`,
      ],
      tornado.map(({ label, base, low_input, high_input, low, high }) => [
        figureLabel(label),
        ...[base, low_input, high_input].map(trimmed),
        amountIn(low),
        amountIn(high),
      ]),
    ),
    grid &&
      table(
        `Result (${currency}) by ${figureLabel(grid.x.label)} (across) and ${figureLabel(grid.y.label)} (down)`,
        ['', ...grid.x.values.map(trimmed)],
        grid.points.map((row, at) => [
          trimmed(grid.y.values[at] ?? ''),
          ...row.map(amount => amountIn(amount === null ? null : { amount, currency })),
        ]),
      ),
    carlo &&
      facts('Monte Carlo range', [
        ['Draws', fixed(String(carlo.draws), 0)],
        ['5th percentile', moneyText(carlo.p5)],
        ['25th percentile', moneyText(carlo.p25)],
        ['Median', moneyText(carlo.p50)],
        ['75th percentile', moneyText(carlo.p75)],
        ['95th percentile', moneyText(carlo.p95)],
        ['Mean', moneyText(carlo.mean)],
        ['Standard deviation', moneyText(carlo.standard_deviation)],
        ['Distribution', shownLine(carlo.distribution)],
      ]),
  ]
}

/** A driver may move the result down when it rises, so the lower of its two results comes first. */
function barOf(
  { label, low, high }: ValuationResult['sensitivity']['tornado'][number],
  { conclusion }: ValuationResult,
): ReportBar {
  const falls = decimal(low.amount).greaterThan(high.amount)
  return {
    label: figureLabel(label),
    group: null,
    low: falls ? high.amount : low.amount,
    point: conclusion.point.amount,
    high: falls ? low.amount : high.amount,
  }
}

/** A value of a driver, whose unit is in its label. */
const trimmed = (value: string): string =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? figureText(value, 'ratio') : shownLine(value)
