import type { ReportSection } from '@wbs/contract/valuations/reading'
import type { ReportSubject } from '../subject.ts'
import { engagementDefinitions, premiseDefinitions, standardDefinitions } from '../words/definitions.ts'
import { dayText, givenPercent, momentText, moneyText } from '../words/figures.ts'
import { headingOf, labelOf } from '../words/labels.ts'
import { shownLine } from '../words/shown-text.ts'
import { facts, section, text } from './blocks.ts'

/** What the report is. It is the first thing that a reader is told. */
export function noticeOf({ signature, document }: ReportSubject): string {
  if (signature) {
    const by = shownLine(signature.signed_by.name ?? '') || 'a person whose name is not known'
    return `Signed by ${by} on ${dayText(signature.signed_at)}, who takes responsibility for the conclusion.`
  }
  const estimate =
    document.engagement_type === 'indicative' ? ' It is an indicative estimate from few figures.' : ''
  return `Calculation by the engine, not a conclusion of value by a professional. Nobody has signed it.${estimate}`
}

export const nameOf = ({ name }: ReportSubject): string => shownLine(name) || 'Subject without a name'

export const titleOf = (subject: ReportSubject): string =>
  `${subject.signature ? 'Valuation report' : 'Calculation of value'}: ${nameOf(subject)}`

/** The interest in words: 100% of the equity of Corner Bakery. */
const interestOf = (subject: ReportSubject): string => {
  const { percent, kind } = subject.document.interest
  return `${givenPercent(percent)} of the ${labelOf(kind)} of ${nameOf(subject)}`
}

export function transmittal(subject: ReportSubject): ReportSection {
  const { document, result, signature, superseded_by_id } = subject
  const { low, point, high, per_share, level_of_value } = result.conclusion
  const concludes = signature ? 'The conclusion of value is' : 'The calculation results in'
  return section(
    'transmittal',
    'Letter of transmittal',
    text(
      null,
      `To the reader: this report is about ${interestOf(subject)}, as of ${dayText(document.valuation_date)}. It was made for this purpose alone: ${labelOf(document.purpose)}.`,
      `${concludes} ${moneyText(point)}, in a range from ${moneyText(low)} to ${moneyText(high)}, at the level of value ${labelOf(level_of_value)}.${per_share ? ` That is ${moneyText(per_share)} for each share.` : ''}`,
      noticeOf(subject),
      'The value can be relied on only together with the assumptions and the limiting conditions in the appendices, and with the checks in the analysis of the financial statements. It is valid as of the valuation date alone.',
      superseded_by_id &&
        `A later valuation replaces this one: ${shownLine(superseded_by_id)}. It may still be a draft.`,
    ),
  )
}

export function introduction(subject: ReportSubject): ReportSection {
  const { document, completed_at, valuation_id } = subject
  const { standard_of_value, premise_of_value, engagement_type } = document
  return section(
    'introduction',
    'Introduction',
    facts('What is valued, and how', [
      ['Subject', `${nameOf(subject)} (${labelOf(document.subject.type)})`],
      ['Interest', interestOf(subject)],
      ['Intended use', headingOf(document.purpose)],
      [
        'Intended users',
        'Whoever ordered the valuation, and those to whom they give this report for that use',
      ],
      ['Standard of value', headingOf(standard_of_value)],
      ['Premise of value', headingOf(premise_of_value)],
      ['Level of value', headingOf(document.level_of_value)],
      ['Valuation date', dayText(document.valuation_date)],
      ['Completed', completed_at && momentText(completed_at)],
      ['Currency', shownLine(document.currency)],
      ['Engagement', headingOf(engagement_type)],
      ['Valuation', valuation_id],
    ]),
    text(
      'Terms',
      standardDefinitions[standard_of_value] ?? null,
      premiseDefinitions[premise_of_value] ?? null,
      engagementDefinitions[engagement_type] ?? null,
    ),
    text(
      'Scope',
      'The valuation is based on the figures and documents that section Sources of information names. They were not audited or verified. The engine did not visit the subject and did not interview its management.',
      'Restrictions and hypothetical assumptions, if there are any, are among the limiting conditions in the appendices.',
    ),
  )
}
