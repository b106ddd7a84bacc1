import { setListOverride } from '@wbs/contract/lists/overrides'
import type { InputError } from '@wbs/contract/problems'
import { implement, type MutationContext } from '../../call/implement.ts'
import { openList, requireActiveList, requireVersion } from '../list-access.ts'
import { saveNextVersion } from '../list-change-store.ts'
import type { ListRow } from '../list-store.ts'
import { listSubject } from '../list-view.ts'
import { noSuchBusiness } from '../members/member-access.ts'
import { beforeOverrideChange, readBeforeChange } from './override-access.ts'
import { deleteOverride, saveOverride } from './override-change-store.ts'
import { mostOverrides } from './override-store.ts'
import { expiryErrors, isSameOverride, removalErrors } from './override.ts'

type Context = MutationContext<typeof setListOverride>

export const handleSetListOverride = implement(
  setListOverride,
  async function setListOverride(input, context) {
    const { list_id, member_id, mode, reason = null, expires_at = null, expected_version } = input
    const { tx, caller, now, refuse } = context
    requireNo(removalErrors(input), refuse)
    const [list, { isVisible, before, isFull, at }] = await Promise.all([
      openList(context, list_id),
      readBeforeChange(input, context),
    ])
    if (!isVisible) throw noSuchBusiness(refuse)
    requireNo(expiryErrors(expires_at, at), refuse)
    requireActiveList(list, refuse)
    requireVersion(list, expected_version, ['overrides'], refuse)
    const isSame = isSameOverride(before, { mode, reason, expires_at })
    if (!before && mode !== null && isFull)
      throw refuse.limit_reached(`A List can have at most ${mostOverrides} overrides. Remove some first.`)
    if (!isSame && mode === null) deleteOverride(tx, list, member_id)
    if (!isSame && mode !== null)
      saveOverride(tx, list, { member_id, mode, reason, expires_at }, caller.user_id, now)
    const changed = isSame ? list : saveNextVersion(tx, list, now, { changesMembers: true })
    return {
      result: { data: { member_id, mode, reason, expires_at, list_id, version: changed.version } },
      revision: changed.version,
      resource: { type: 'list', id: list_id },
      changed: isSame ? [] : ['overrides'],
      events: isSame ? [] : [overrideEvent(changed, { member_id, mode })],
    }
  },
  beforeOverrideChange,
)

/** What happened to an override. The reason is for those who read the overrides, not for the audit log. */
const overrideEvent = (list: ListRow, { member_id, mode }: { member_id: string; mode: string | null }) => ({
  type: 'list.override_set' as const,
  subject: listSubject(list),
  data: { member_id, mode },
})

/** Throws validation_error if there are errors. */
function requireNo(errors: InputError[], refuse: Context['refuse']): void {
  const [first] = errors
  if (first) throw refuse.validation_error(first.detail, { errors })
}
