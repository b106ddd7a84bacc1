import { setListEntryValues } from '@wbs/contract/lists/values'
import type { InputError } from '@wbs/contract/problems'
import { actorOf } from '../../call/authority/caller.ts'
import { implement } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import {
  noSuchList,
  openList,
  requireActiveList,
  requireVersion,
  seesLists,
  type CallerOfChange,
} from '../list-access.ts'
import { listById } from '../list-store.ts'
import { listSubject } from '../list-view.ts'
import { membershipOf } from '../members/member-access.ts'
import { memberStates } from '../members/member-states-store.ts'
import { membersBeforeLock, membersUnderLock } from '../members/members-before-lock.ts'
import { cellErrors } from './cell-errors.ts'
import { repetitions, valueError } from './given-value.ts'
import { beforeValueChange } from './value-access.ts'
import { changedCells, saveValues } from './value-store.ts'

export const handleSetListEntryValues = implement(
  setListEntryValues,
  async function setListEntryValues({ list_id, expected_version, values: cells }, context) {
    const { tx, caller, standing, now, refuse } = context
    requireNone(
      [
        ...cells.flatMap(({ value }, position) => valueError(value, `/values/${position}/value`) ?? []),
        ...repetitions(cells),
      ],
      refuse,
    )
    const ids = [...new Set(cells.map(cell => cell.member_id))]
    const seen = seesLists(standing) ? await readList({ list_id }, context) : undefined
    if (!seen) throw noSuchList(refuse)
    // A version that the List does not have yet is refused too, or the rule would be evaluated under the lock.
    requireActiveList(seen, refuse)
    requireVersion(seen, expected_version, ['values'], refuse)
    // One round trip, in this order: the List is locked once the rule was evaluated.
    const [early, list, states, changed] = await Promise.all([
      membersBeforeLock(tx, seen, membershipOf(seen, standing, now), ids),
      openList(context, list_id),
      memberStates(tx, membershipOf(seen, standing, now), ids),
      changedCells(tx, seen, cells),
    ])
    requireActiveList(list, refuse)
    requireVersion(list, expected_version, ['values'], refuse)
    const membership = membershipOf(list, standing, now)
    const members = await membersUnderLock(tx, list, membership, ids, { early, states })
    requireNone(cellErrors(cells, list, members), refuse)
    const isNew = changed.length > 0
    const { version } = isNew ? saveValues(tx, list, changed, { actor: actorOf(caller), now }) : list
    const values = cells.map(cell => ({
      ...cell,
      projection: members.get(cell.member_id)?.projection ?? 'workspace',
    }))
    return {
      result: { data: { list_id, version, values } },
      revision: version,
      resource: { type: 'list', id: list_id },
      changed: isNew ? ['values'] : [],
      events: isNew
        ? [
            {
              type: 'list.values_set',
              subject: listSubject(list),
              data: { count: changed.length, version },
            },
          ]
        : [],
    }
  },
  {
    ...beforeValueChange(({ values }) => values.map(({ member_id }) => member_id)),
    prefetch: readList,
  },
)

/** Reads the List of the path, and does not lock it. */
function readList({ list_id }: { list_id: string }, { tx, standing }: CallerOfChange) {
  return listById(tx, standing.workspace_id, list_id, { include_archived: true })
}

function requireNone(errors: InputError[], refuse: Refuse<'validation_error'>): void {
  const [first] = errors
  if (first)
    throw refuse.validation_error(
      errors.length === 1 ? first.detail : `${errors.length} of the values are not valid. None was set.`,
      { errors },
    )
}
