import type { InputError } from '@wbs/contract/problems'
import { emailKey, spellingsOf } from '../../identity/email-address.ts'
import type { Reader } from '../../database/statement.ts'
import type { ListedRequest } from './request-cells.ts'
import { errorOfRow, type RequestRow } from './read-request-list.ts'
import { assigneesInRoom, type AssigneeRow, type AssigneeSearch } from './request-assignee-store.ts'

/** A request whose assignee is known. */
export interface AssignedRequest extends ListedRequest {
  assignee: AssigneeRow | null
}

/** A row of a list; without a number if it is not from a file. */
export type Row = RequestRow | { row: null; request: ListedRequest }

const permission = 'who can open the Room, can see you in it and has the permission tasks:read'

/**
 * The requests with their assignees: the one of the row or, without one, the user `others`. What is wrong does not tell an
 * address that is not known from one of somebody who cannot open the Room.
 */
export async function withAssignees(
  reader: Reader,
  search: AssigneeSearch,
  rows: readonly Row[],
  others: string | null,
): Promise<{ requests: AssignedRequest[] } | { errors: InputError[] }> {
  const keys = new Set(rows.flatMap(({ request }) => request.assignee_email ?? []))
  const found =
    keys.size === 0 && others === null
      ? []
      : await assigneesInRoom(reader, search, { user_id: others, emails: [...keys].flatMap(spellingsOf) })
  const byKey = Map.groupBy(found, ({ email }) => (email === null ? null : emailKey(email)))
  const forOthers = found.find(({ user_id }) => user_id === others) ?? null
  const errors: InputError[] = others !== null && forOthers === null ? [noSuchUser] : []
  const requests = rows.map(({ row, request }) => {
    const { assignee_email } = request
    if (assignee_email === null) return { ...request, assignee: forOthers }
    // An address of several users does not say who is meant.
    const [assignee = null, another] = byKey.get(assignee_email) ?? []
    if (row !== null && (!assignee || another)) errors.push(errorOfRow(row, 'assignee_email', noSuchAddress))
    return { ...request, assignee }
  })
  return errors.length > 0 ? { errors } : { requests }
}

const noSuchUser: InputError = {
  in: 'body',
  pointer: '/assignee_user_id',
  code: 'conflict',
  detail: `assignee_user_id must be the ID of a user ${permission}.`,
}

const noSuchAddress = {
  code: 'conflict',
  detail: `assignee_email must be the address of one user ${permission}.`,
} as const
