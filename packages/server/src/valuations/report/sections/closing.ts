import type { ReportBar, ReportSection } from '@wbs/contract/valuations/reading'
import type { ReportSubject } from '../subject.ts'
import { amountIn, momentText, moneyText, percentText } from '../words/figures.ts'
import { headingOf, labelOf } from '../words/labels.ts'
import { shownLine, shownLines } from '../words/shown-text.ts'
import { chart, facts, section, table, text } from './blocks.ts'
import { nameOf, noticeOf } from './opening.ts'

export function representation({ signature }: ReportSubject): ReportSection {
  const title = 'Representation of the valuation analyst'
  if (!signature)
    return section(
      'representation',
      title,
      text(
        null,
        'There is none: nobody has signed this report. It is a calculation by the engine from the figures that it was given, and not a conclusion of value by a professional.',
        'A person who takes responsibility states here what they represent, when they sign.',
      ),
    )
  return section(
    'representation',
    title,
    text(null, shownLines(signature.statement)),
    facts('Signature', [
      ['Signed by', shownLine(signature.signed_by.name ?? '') || 'a person whose name is not known'],
      ['Signed', momentText(signature.signed_at)],
      ['Hash of the signed result (SHA-256)', signature.result_hash],
    ]),
  )
}

export const qualifications = ({ signature }: ReportSubject): ReportSection =>
  section(
    'qualifications',
    'Qualifications of the valuation analyst',
    text(
      null,
      signature
        ? shownLines(signature.qualifications)
        : 'None are stated, because nobody has signed this report.',
    ),
  )

export function conclusion(subject: ReportSubject): ReportSection {
  const { result, document, signature } = subject
  const { low, point, high, per_share, level_of_value } = result.conclusion
  const reconciled = result.reconciliation
  return section(
    'conclusion',
    `Reconciliation and ${signature ? 'conclusion of value' : 'result of the calculation'}`,
    table(
      'Reconciliation',
      ['Method', `Value (${document.currency})`, 'Weight', 'Reason for the weight'],
      reconciled.map(({ method, value, weight, rationale }) => [
        headingOf(method),
        amountIn(value),
        percentText(weight),
        shownLine(rationale),
      ]),
    ),
    facts(signature ? 'Conclusion of value' : 'Result of the calculation', [
      ['Subject', nameOf(subject)],
      ['Low', moneyText(low)],
      ['Point', moneyText(point)],
      ['High', moneyText(high)],
      ['For each share', per_share && moneyText(per_share)],
      ['Level of value', headingOf(level_of_value)],
    ]),
    chart(
      'Values of the methods and the range',
      'ranges',
      rangesOf(subject),
      ['Value', `Low (${document.currency})`, `Point (${document.currency})`, `High (${document.currency})`],
      rangesOf(subject).map(({ label, low: from, point: at, high: to }) => [
        label,
        ...[from, at ?? from, to].map(amount => amountIn({ amount, currency: document.currency })),
      ]),
    ),
    text(null, noticeOf(subject)),
  )
}

/** The range of each figure of the conclusion; a method has only a point. */
function rangesOf({ result }: ReportSubject): ReportBar[] {
  const { reconciliation, conclusion: concluded, sensitivity } = result
  const carlo = sensitivity.monte_carlo
  const bar = (label: string, low: string, point: string, high: string): ReportBar => ({
    label,
    group: null,
    low,
    point,
    high,
  })
  return [
    ...reconciliation.map(({ method, value: { amount } }) => bar(labelOf(method), amount, amount, amount)),
    ...(carlo
      ? [bar('Monte Carlo, 5th to 95th percentile', carlo.p5.amount, carlo.p50.amount, carlo.p95.amount)]
      : []),
    bar('Range of the result', concluded.low.amount, concluded.point.amount, concluded.high.amount),
  ]
}
