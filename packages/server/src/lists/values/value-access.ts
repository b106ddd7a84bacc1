import type { Refuse } from '../../call/problem.ts'
import { beforeListChange, type CallerOfChange } from '../list-access.ts'
import { requireVisibleMembers } from '../members/member-access.ts'

/** Checks before a replay that the caller can still see the List of the path and the members. Throws not_found. */
async function checkMembersVisible(
  list: { list_id: string },
  member_ids: readonly string[],
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await beforeListChange.visible(list, context)
  await requireVisibleMembers(context, member_ids)
}

/** What runs before a handler that sets values of the List of its path. `membersOf` gives the members that a request names. */
export const beforeValueChange = <Input extends { list_id: string }>(
  membersOf: (input: Input) => readonly string[],
) => ({
  ...beforeListChange,
  visible: (input: Input, context: Parameters<typeof checkMembersVisible>[2]) =>
    checkMembersVisible(input, membersOf(input), context),
})
