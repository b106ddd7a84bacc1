import type { ReportData, ReportSection } from '@wbs/contract/valuations/reading'
import { nonOperatingAssets, valuationAdjustments } from './sections/adjustments.ts'
import { appendices } from './sections/appendices.ts'
import { approachesConsidered, approachesUsed } from './sections/approaches.ts'
import { list, section } from './sections/blocks.ts'
import { conclusion, qualifications, representation } from './sections/closing.ts'
import { financialAnalysis } from './sections/financial.ts'
import { introduction, noticeOf, titleOf, transmittal } from './sections/opening.ts'
import { entity, sources } from './sections/sources.ts'
import type { ReportSubject } from './subject.ts'

/**
 * The report of a completed valuation. Its sections and their order are those of a detailed report: AICPA, Statement on
 * Standards for Valuation Services, VS sec. 100 paragraph .51.
 */
export function reportOf(subject: ReportSubject): ReportData {
  const { document, result, signature, valuation_id } = subject
  const body = [
    introduction(subject),
    sources(subject),
    entity(subject),
    financialAnalysis(subject),
    approachesConsidered(subject),
    approachesUsed(subject),
    valuationAdjustments(subject),
    nonOperatingAssets(subject),
    representation(subject),
    conclusion(subject),
    qualifications(subject),
    appendices(subject),
  ]
  return {
    valuation_id: valuation_id as ReportData['valuation_id'],
    title: titleOf(subject),
    notice: noticeOf(subject),
    is_signed: signature !== null,
    valuation_date: document.valuation_date,
    currency: document.currency,
    conclusion: result.conclusion,
    sections: [transmittal(subject), contents(body), ...body],
  }
}

const contents = (sections: readonly ReportSection[]): ReportSection =>
  section(
    'contents',
    'Contents',
    list(
      null,
      sections.map(({ title }) => title),
    ),
  )
