import { setListEntryValues } from '@wbs/contract/lists/values'
import type { InputError } from '@wbs/contract/problems'
import { actorOf } from '../../call/authority/actor.ts'
import { implement } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import { openList, requireActiveList, requireVersion } from '../list-access.ts'
import { listSubject } from '../list-view.ts'
import { membershipOf } from '../members/member-access.ts'
import { membersAmong } from '../members/member-store.ts'
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
    const list = await openList(context, list_id)
    requireActiveList(list, refuse)
    requireVersion(list, expected_version, ['values'], refuse)
    const ids = [...new Set(cells.map(cell => cell.member_id))]
    const [found, changed] = await Promise.all([
      membersAmong(tx, membershipOf(list, standing, now), ids),
      changedCells(tx, list, cells),
    ])
    const members = new Map(found.map(member => [member.id, member]))
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
  beforeValueChange(({ values }) => values.map(({ member_id }) => member_id)),
)

function requireNone(errors: InputError[], refuse: Refuse<'validation_error'>): void {
  const [first] = errors
  if (first)
    throw refuse.validation_error(
      errors.length === 1 ? first.detail : `${errors.length} of the values are not valid. None was set.`,
      { errors },
    )
}
