import { setListEntryValue } from '@wbs/contract/lists/values'
import { actorOf } from '../../call/authority/caller.ts'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../../call/implement.ts'
import { requireColumn, requirePlaced } from '../columns/column-access.ts'
import {
  beforeListChange,
  openList,
  requireActiveList,
  requireVersion,
  type CallerOfChange,
} from '../list-access.ts'
import { listSubject } from '../list-view.ts'
import { membershipOf, memberViewerOf, noSuchMember } from '../members/member-access.ts'
import { factsOfBusiness, memberWithId } from '../members/one-member-store.ts'
import { typeError, valueError } from './given-value.ts'
import { beforeValueChange } from './value-access.ts'
import { changedCells, saveValues, storedValues } from './value-store.ts'

export const handleSetListEntryValue = implement(
  setListEntryValue,
  async function setListEntryValue({ list_id, expected_version, ...cell }, context) {
    const { tx, caller, standing, now, refuse } = context
    const { member_id, column_id, value } = cell
    const invalid = valueError(value, '/value')
    if (invalid) throw refuse.validation_error(invalid.detail, { errors: [invalid] })
    const list = await openList(context, list_id)
    const column = requireColumn(list, column_id, refuse)
    requireActiveList(list, refuse)
    const [member, changed] = await Promise.all([
      memberWithId(tx, membershipOf(list, standing, now), member_id),
      changedCells(tx, list, [cell]),
    ])
    if (!member) throw noSuchMember(refuse)
    requirePlaced(column, refuse)
    requireVersion(list, expected_version, ['values'], refuse)
    const misfit = typeError(value, column, '/value')
    if (misfit) throw refuse.validation_error(misfit.detail, { errors: [misfit] })
    const isNew = changed.length > 0
    const { version } = isNew ? saveValues(tx, list, changed, { actor: actorOf(caller), now }) : list
    return {
      result: { data: { member_id, column_id, value, projection: member.projection, list_id, version } },
      revision: version,
      resource: { type: 'list', id: list_id },
      changed: isNew ? ['values'] : [],
      events: isNew
        ? [{ type: 'list.value_set', subject: listSubject(list), data: { member_id, column_id, version } }]
        : [],
    }
  },
  { ...beforeValueChange(({ member_id }) => [member_id]), prefetch: lockListAndReadCell },
)

/** Locks the List, and reads what the handler then asks for unless the rule compares observations. */
function lockListAndReadCell(input: InputOf<typeof setListEntryValue>, context: CallerOfChange) {
  const { list_id, member_id } = input
  const { tx, standing } = context
  return Promise.all([
    beforeListChange.prefetch(input, context),
    factsOfBusiness(tx, memberViewerOf(standing), list_id, member_id),
    storedValues(tx, standing.workspace_id, list_id, [input]),
  ])
}
