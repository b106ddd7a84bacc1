import type { ObservationRow } from './observation-store.ts'

/** An observation for an answer. */
export const presentObservation = ({ source, recorded_by, ...row }: ObservationRow) => ({
  ...row,
  source: source?.kind ? { kind: source.kind, url: source.url ?? null, note: source.note ?? null } : null,
  recorded_by: { type: 'person' as const, user_id: recorded_by },
})
