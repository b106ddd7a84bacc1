import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { DocumentFault, Resolved } from '../engine.ts'

/**
 * What is wrong between a document and the evidence of its valuation: a period or an adjustment names evidence that the
 * valuation does not have, or evidence is dated after the valuation date and was not known or knowable then.
 */
export function evidenceFaults(
  { inputs, valuation_date }: ValuationDocument,
  { evidence }: Pick<Resolved, 'evidence'>,
): DocumentFault[] {
  const known = new Set(evidence.map(({ evidence_id }) => evidence_id.toLowerCase()))
  const unknown = (evidence_id: string | null | undefined, at: string): DocumentFault[] =>
    evidence_id && !known.has(evidence_id.toLowerCase())
      ? [
          {
            pointer: `${at}/evidence_id`,
            code: 'unknown',
            detail: 'Name the evidence_id of evidence of this valuation, or leave it out.',
          },
        ]
      : []
  const later = evidence.some(item => item.dated_on > valuation_date && !item.known_or_knowable)
  return [
    ...(inputs.periods ?? []).flatMap(({ evidence_id }, at) => unknown(evidence_id, `/inputs/periods/${at}`)),
    ...(inputs.adjustments ?? []).flatMap(({ evidence_id }, at) =>
      unknown(evidence_id, `/inputs/adjustments/${at}`),
    ),
    ...(later
      ? [
          {
            pointer: '/valuation_date',
            code: 'conflict' as const,
            detail:
              'Evidence of this valuation is dated after the valuation date and is not marked as known or knowable then.',
          },
        ]
      : []),
  ]
}
