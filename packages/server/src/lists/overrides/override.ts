import type { InputError } from '@wbs/contract/problems'
import type { OverrideMode, OverrideRow } from './override-store.ts'

/** An override as the client sends it. */
interface GivenOverride {
  mode: OverrideMode | null
  reason?: string | null | undefined
  expires_at?: string | null | undefined
}

/** An override that is to be set. */
export interface WantedOverride extends Pick<OverrideRow, 'member_id' | 'reason' | 'expires_at'> {
  mode: OverrideMode
}

/** What is wrong with a request that removes an override and describes one: it says two things. */
export const removalErrors = ({ mode, ...described }: GivenOverride): InputError[] =>
  mode !== null
    ? []
    : (['reason', 'expires_at'] as const)
        .filter(field => (described[field] ?? null) !== null)
        .map(field => ({
          in: 'body' as const,
          pointer: `/${field}`,
          code: 'conflict' as const,
          detail: `${field} can be given only with a mode. With the mode null, the override is removed.`,
        }))

const mostYearsAhead = 100

/** What is wrong with the end of an override, at a moment. */
export function expiryErrors(expires_at: string | null, now: Date): InputError[] {
  if (expires_at === null) return []
  const last = new Date(now)
  last.setUTCFullYear(last.getUTCFullYear() + mostYearsAhead)
  const time = Date.parse(expires_at)
  if (time > now.getTime() && time <= last.getTime()) return []
  const detail = `expires_at must be in the future, and at most ${mostYearsAhead} years ahead.`
  return [{ in: 'body', pointer: '/expires_at', code: 'out_of_range', detail }]
}

/** Whether setting an override, or removing it, changes nothing. */
export function isSameOverride(
  before: OverrideRow | undefined,
  wanted: Pick<WantedOverride, 'reason' | 'expires_at'> & { mode: OverrideMode | null },
): boolean {
  if (!before || wanted.mode === null) return !before && wanted.mode === null
  return (
    before.mode === wanted.mode && before.reason === wanted.reason && before.expires_at === wanted.expires_at
  )
}
