import type { MemberStatement } from './member-statement.ts'

/** SQL: whether an override has not expired. */
export const activeOverrideSql = (override: string) =>
  `(${override}.expires_at is null or ${override}.expires_at > statement_timestamp())`

/** SQL: a FROM item with the ids of the Businesses that an override includes. */
export const includedIdsSql = `(select o.member_id as id from list_overrides o where ${activeOfListSql('include')})`

/** SQL: whether an override includes the Business with an id. */
export const isIncludedSql = (statement: MemberStatement, id: string): string =>
  !mayHaveOverrides(statement)
    ? 'false'
    : `exists (select from list_overrides o where ${activeOfListSql('include')} and o.member_id = ${id})`

/** Whether a statement has to look for overrides. */
export const mayHaveOverrides = ({ membership }: MemberStatement): boolean =>
  membership.list_id !== null && membership.has_overrides !== false

/** SQL: whether no override excludes the Business with an id. `rest` ends the look-up. */
export const isNotExcludedSql = (statement: MemberStatement, id: string, rest = ''): string =>
  !mayHaveOverrides(statement)
    ? 'true'
    : `not exists (
        select from list_overrides o
        where ${activeOfListSql('exclude')} and o.member_id = ${id} ${rest})`

/** SQL: whether `o` is an active override of the List with a mode. */
function activeOfListSql(mode: 'include' | 'exclude'): string {
  return `o.workspace_id = :workspace_id and o.list_id = :list_id and o.mode = '${mode}' and ${activeOverrideSql('o')}`
}
