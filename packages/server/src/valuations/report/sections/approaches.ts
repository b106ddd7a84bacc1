import type { ReportSection } from '@wbs/contract/valuations/reading'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { ReportSubject } from '../subject.ts'
import { methodSentences } from '../words/definitions.ts'
import { amountIn, dayText, givenPercent, multipleText, none, percentText } from '../words/figures.ts'
import { approachOf, headingOf, labelOf } from '../words/labels.ts'
import { shownLine } from '../words/shown-text.ts'
import { facts, list, section, table, text, type MaybeBlock } from './blocks.ts'

type Method = ValuationResult['approaches'][number]['methods'][number]

export function approachesConsidered({ result }: ReportSubject): ReportSection {
  const rejected = result.approaches.flatMap(({ methods }) =>
    methods.filter(method => method.reason_rejected !== null && !isShownCheck(method)),
  )
  return section(
    'approaches_considered',
    'Valuation approaches and methods considered',
    table(
      null,
      ['Approach', 'Considered', 'Used', 'Methods', 'Why it is not used'],
      result.approaches.map(({ approach, considered, used, methods, reason_rejected }) => [
        approachOf(approach),
        considered ? 'yes' : 'no',
        used ? 'yes' : 'no',
        methods.map(({ method }) => labelOf(method)).join('; ') || none,
        reason_rejected ? shownLine(reason_rejected) : none,
      ]),
    ),
    table(
      'Methods that were considered and not used',
      ['Method', 'Why it is not used'],
      rejected.map(({ method, reason_rejected }) => [headingOf(method), shownLine(reason_rejected ?? '')]),
    ),
  )
}

/** A method that only checks the others is shown with its value, although it is not used. */
const isShownCheck = ({ is_check, indicated }: Method): boolean => is_check && indicated !== null

export function approachesUsed(subject: ReportSubject): ReportSection {
  const { result, document } = subject
  const applied = result.approaches
    .flatMap(method => method.methods)
    .filter(method => method.used || isShownCheck(method))
  return section(
    'approaches_used',
    'Valuation approaches and methods used',
    table(
      'Methods',
      [
        'Method',
        'Applied to',
        'Period',
        `Basis (${document.currency})`,
        'Multiple or rate',
        'Base level of value',
        `Indicated value (${document.currency})`,
      ],
      applied.map(
        ({ method, basis_metric, period, basis, multiple, rate, base_level, indicated, is_check }) => [
          `${headingOf(method)}${is_check ? ' (check)' : ''}`,
          basis_metric ? labelOf(basis_metric) : none,
          period === null ? none : shownLine(period),
          amountIn(basis),
          multiple === null ? percentText(rate) : multipleText(multiple),
          base_level ? labelOf(base_level) : none,
          amountIn(indicated),
        ],
      ),
    ),
    list(
      'How each method computes',
      applied.flatMap(({ method }) => {
        const sentence = methodSentences[method]
        return sentence ? [`${headingOf(method)}. ${sentence}`] : []
      }),
    ),
    costOfCapital(subject),
    transactions(subject),
    holdings(subject),
    applied.length === 0 ? text(null, 'No method was used.') : null,
  )
}

const costOfCapital = ({ result: { cost_of_capital: cost } }: ReportSubject): MaybeBlock =>
  cost &&
  facts('Cost of capital', [
    ['Cost of equity', cost.cost_of_equity && percentText(cost.cost_of_equity)],
    ['Cost of debt after taxes', cost.cost_of_debt && percentText(cost.cost_of_debt)],
    ['Weighted average cost of capital', cost.wacc && percentText(cost.wacc)],
  ])

function transactions({ document }: ReportSubject): MaybeBlock {
  const rows = (document.methods ?? []).flatMap(method => ('rows' in method ? method.rows : []))
  return table(
    'Guideline transactions',
    ['Sold', 'On', `Price (${document.currency})`, `Metric (${document.currency})`, 'Source'],
    rows.map(({ name, closed_on, price, metric_amount, source }) => [
      shownLine(name),
      dayText(closed_on),
      amountIn({ amount: price, currency: document.currency }),
      amountIn({ amount: metric_amount, currency: document.currency }),
      shownLine(source),
    ]),
  )
}

const holdings = ({ result, document }: ReportSubject): MaybeBlock =>
  table(
    'Holdings',
    ['Holding', 'Held', 'Value', 'Exchange rate', 'Discount', `Share (${document.currency})`],
    (result.holdings ?? []).map(({ name, path, ownership_percent, value, rate, discount, share }) => [
      [...path.map(shownLine), shownLine(name)].join(' › '),
      givenPercent(ownership_percent),
      `${value.currency} ${amountIn(value)}`,
      rate ? shownLine(rate) : none,
      percentText(discount),
      amountIn(share),
    ]),
  )
