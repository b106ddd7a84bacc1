import type { ReportSection } from '@wbs/contract/valuations/reading'
import type { ReportEvidence, ReportSubject } from '../subject.ts'
import { dayText, none } from '../words/figures.ts'
import { figureLabel, headingOf, labelOf } from '../words/labels.ts'
import { shownLine } from '../words/shown-text.ts'
import { section, table, text } from './blocks.ts'

/** How a table refers to evidence: its place in the list of evidence. */
export function evidenceReference(
  evidence: readonly ReportEvidence[],
  evidence_id: string | null | undefined,
): string {
  const at = evidence.findIndex(item => item.evidence_id === evidence_id)
  return at < 0 ? none : `E${at + 1}`
}

export function sources({ document, result, evidence }: ReportSubject): ReportSection {
  const { periods = [], adjustments = [] } = document.inputs
  const unsupported =
    periods.filter(period => !period.evidence_id).length +
    adjustments.filter(adjustment => !adjustment.evidence_id).length
  return section(
    'sources_of_information',
    'Sources of information',
    table(
      'Financial statements',
      ['Period', 'From', 'To', 'Basis', 'Evidence'],
      periods.map(({ key, start, end, basis, evidence_id }) => [
        shownLine(key),
        dayText(start),
        dayText(end),
        headingOf(basis),
        evidenceReference(evidence, evidence_id),
      ]),
    ),
    table(
      'Figures from others',
      ['Figure', 'Source', 'As of'],
      result.sources.map(({ figure, source, as_of }) => [
        figureLabel(figure),
        shownLine(source),
        as_of ? dayText(shownLine(as_of)) : none,
      ]),
    ),
    table(
      'Evidence',
      ['No.', 'What it proves', 'Dated', 'Supports', 'Note', 'SHA-256'],
      evidence.map(({ code, dated_on, known_or_knowable, pointer, note, sha256 }, at) => [
        `E${at + 1}`,
        headingOf(code),
        dayText(dated_on) +
          (dated_on > document.valuation_date && known_or_knowable
            ? ' (known or knowable at the valuation date)'
            : ''),
        pointer ? shownLine(pointer) : none,
        note ? shownLine(note) : none,
        sha256,
      ]),
    ),
    text(
      evidence.length === 0 ? 'Evidence' : null,
      evidence.length === 0
        ? 'No document was given as evidence. All figures about the subject are as stated by whoever ordered the valuation.'
        : unsupported > 0
          ? `${unsupported} of the statements and adjustments have no evidence of their own; they are as stated by whoever ordered the valuation.`
          : null,
    ),
  )
}

/** The subject and what is not in its figures. */
export function entity(subject: ReportSubject): ReportSection {
  const { document, result } = subject
  const events = (document.inputs.events ?? []).filter(({ on }) => on <= document.valuation_date)
  return section(
    'entity_analysis',
    'Analysis of the subject and related nonfinancial information',
    text(
      null,
      `Type of subject: ${labelOf(document.subject.type)}. The engine works from figures: the nature, history and management of the subject, its markets and its competitors are addressed only as far as the table of factors in the appendices says so.`,
    ),
    table(
      'Events up to the valuation date',
      ['Date', 'Event'],
      events.map(({ on, text: what }) => [dayText(on), shownLine(what)]),
    ),
    table(
      'Events after the valuation date, disclosed and not used',
      ['Date', 'Event'],
      result.subsequent_events.map(({ on, text: what }) => [dayText(on), shownLine(what)]),
    ),
    document.inputs.events?.length ? null : text(null, 'No events were disclosed.'),
  )
}
