import { isDeepStrictEqual } from 'node:util'
import type { CountStatus } from '@wbs/contract/lists/lists'
import type { CountedList, ListRow } from './list-store.ts'

/** The count of a List for a caller. It was counted for callers who see all that the Workspace sees; others see none. */
export function countOf(
  { counted, members_version, expired_since }: CountedList,
  seesAll: boolean,
): { status: CountStatus; value: number | null; as_of: string | null } {
  if (!counted || !seesAll) return unknownCount
  const isStale = counted.version < members_version || expired_since
  return { status: isStale ? 'stale' : counted.status, value: counted.value, as_of: counted.at }
}

export const unknownCount = { status: 'unknown', value: null, as_of: null } as const

const described = ['name', 'description'] as const

/** The fields in which an edited List differs. */
export function changedFields(before: ListRow, after: ListRow): string[] {
  return [
    ...described.filter(field => before[field] !== after[field]),
    ...(isDeepStrictEqual(before.rule, after.rule) ? [] : ['definition']),
  ]
}
