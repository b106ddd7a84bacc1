// SQL expressions for whether those who asked for an action and approved it may do so now. `r` is the Room.
import type { Scope } from '@wbs/contract/scopes'
import { guestPermissions, hasPermissionsSql, scopeArraySql } from '../../call/authority/permissions.ts'
import { basisLastsSql } from '../../rooms/visibility/basis-store.ts'
import { isMemberSql, levelInSql } from '../../rooms/visibility/room-visibility-store.ts'

/**
 * Whether the requester of the row may still ask: that lasts by which they could open the Room, they have edit access to it and
 * the permission, and so has their API key, if it was one.
 */
export const requesterMaySql = (row: string) => `(
  ${basisLastsSql(row, { participant_id: 'requester_participant_id', membership_id: 'requester_membership_id' })}
  and ${mayInWorkspaceSql(`${row}.requested_by`, 'connections:use')}
  and (${row}.requester_key_id is null or ${keyHasSql(row, 'connections:use')})
  and coalesce(${levelInSql('r', {
    user_id: `${row}.requested_by`,
    is_member: isMemberSql(`${row}.requested_by`),
    reads_businesses: `(${memberHasSql(`${row}.requested_by`, 'businesses:read')}
      and (${row}.requester_key_id is null or ${keyHasSql(row, 'businesses:read')}))`,
  })} >= 'edit', false))`

/**
 * Whether the one who approved may still do so: they share the connection, or have full access to the Room. True if an action
 * requires no approval, for which `requires` is the condition.
 */
export const deciderMaySql = (row: string, requires: string) => `case
  when ${row}.decided_by is null then not ${requires}
  else ${mayInWorkspaceSql(`${row}.decided_by`, 'approvals:decide')} and (
    ${row}.decided_by = ${row}.asked_of_user_id
    or coalesce(${levelInSql('r', {
      user_id: `${row}.decided_by`,
      is_member: isMemberSql(`${row}.decided_by`),
      reads_businesses: memberHasSql(`${row}.decided_by`, 'businesses:read'),
    })} = 'full_access', false))
end`

const memberHasSql = (user_id: string, scope: Scope) => `exists (
  select from memberships of_user
  where of_user.workspace_id = :workspace_id and of_user.user_id = ${user_id} and of_user.status = 'active'
    and ${hasPermissionsSql('of_user', scopeArraySql([scope]))})`

/** Whether a member has a permission; a guest has the permissions of guests. */
const mayInWorkspaceSql = (user_id: string, scope: Scope) => `(
  ${memberHasSql(user_id, scope)} or ${guestPermissions.has(scope)} and not ${isMemberSql(user_id)})`

/** Whether the API key of the requester is active and has a scope. */
const keyHasSql = (row: string, scope: Scope) => `exists (
  select from api_keys used
  where used.workspace_id = :workspace_id and used.id = ${row}.requester_key_id and used.owner_user_id = ${row}.requested_by
    and used.revoked_at is null and (used.expires_at is null or used.expires_at > statement_timestamp())
    and '${scope}' = any (used.scopes))`
