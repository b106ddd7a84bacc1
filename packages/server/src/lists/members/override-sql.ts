import { workspaceOf, type MemberStatement } from './member-statement.ts'

/** SQL: whether an override has not expired. */
export const activeOverrideSql = (override: string) =>
  `(${override}.expires_at is null or ${override}.expires_at > statement_timestamp())`

/** SQL: a FROM item with the ids of the Businesses that an override includes. */
export const includedIdsSql = (statement: MemberStatement): string =>
  `(select o.member_id as id from list_overrides o where ${activeOfListSql(statement, 'include')})`

/** SQL: whether an override includes the Business with an id. */
export const isIncludedSql = (statement: MemberStatement, id: string): string =>
  statement.membership.list_id === null
    ? 'false'
    : `exists (select from list_overrides o where ${activeOfListSql(statement, 'include', id)})`

/** SQL: whether no override excludes the Business with an id. `rest` ends the look-up. */
export const isNotExcludedSql = (statement: MemberStatement, id: string, rest = ''): string =>
  statement.membership.list_id === null
    ? 'true'
    : `not exists (
        select from list_overrides o
        where ${activeOfListSql(statement, 'exclude', id)} ${rest})`

/** SQL: whether `o` is an active override of the List with a mode, of one Business or of any. */
function activeOfListSql(statement: MemberStatement, mode: 'include' | 'exclude', id?: string): string {
  const { membership, placeholders } = statement
  const list = placeholders.shared('list', membership.list_id)
  return `o.workspace_id = ${workspaceOf(statement)} and o.list_id = ${list}
    ${id === undefined ? '' : `and o.member_id = ${id}`} and o.mode = '${mode}' and ${activeOverrideSql('o')}`
}
