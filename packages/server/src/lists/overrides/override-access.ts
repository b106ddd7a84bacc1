import type { Refuse } from '../../call/problem.ts'
import { databaseTime } from '../../database/database-time.ts'
import { beforeListChange, type CallerOfChange } from '../list-access.ts'
import { memberViewerOf, requireVisibleMembers } from '../members/member-access.ts'
import { canSeeMembers } from '../members/member-visibility-store.ts'
import { hasMostOverrides, overrideOf } from './override-store.ts'

/** Identifies an override. */
interface OverrideKey {
  list_id: string
  member_id: string
}

/** What a change of an override depends on besides the List, read in one round trip. */
export async function readBeforeChange(
  { list_id, member_id }: OverrideKey,
  { tx, standing }: CallerOfChange,
) {
  const { workspace_id } = standing
  const [isVisible, before, isFull, at] = await Promise.all([
    canSeeMembers(tx, memberViewerOf(standing), [member_id]),
    overrideOf(tx, workspace_id, list_id, member_id),
    hasMostOverrides(tx, workspace_id, list_id),
    databaseTime(tx),
  ])
  return { isVisible, before, isFull, at }
}

/** Checks before a replay that the caller may still read the override. Throws not_found. */
async function checkOverrideVisible(
  key: OverrideKey,
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await beforeListChange.visible(key, context)
  await requireVisibleMembers(context, [key.member_id])
}

/** What runs before a handler that opens a List and reads an override of it. */
export const beforeOverrideChange = {
  visible: checkOverrideVisible,
  prefetch: (key: OverrideKey, context: CallerOfChange) =>
    Promise.all([beforeListChange.prefetch(key, context), readBeforeChange(key, context)]),
}
