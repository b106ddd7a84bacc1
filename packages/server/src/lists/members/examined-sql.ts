import { joinObservationsSql } from '../rules/observation-sql.ts'
import type { MemberStatement } from './member-statement.ts'
import {
  isJoinedVisibleSql,
  joinPublishedSql,
  joinUnpublishedSql,
  joinVisibleSql,
} from './visible-business-sql.ts'

/** SQL: a FROM item with all that the viewer knows of the Businesses in `id` of another one. */
export const examinedSql = (statement: MemberStatement, idsSql: string): string =>
  statement.membership.viewer.reads_businesses
    ? `${idsSql} s
      ${joinVisibleSql}
      ${observationsSql(statement)}`
    : `${idsSql} s ${joinPublishedSql}`

/** SQL: a FROM item with all that is known of the Businesses in the links `w`. */
export const examinedLinksSql = (statement: MemberStatement): string =>
  `workspace_businesses w cross join lateral (select w.business_id as id) s
    ${joinPublishedSql}
    ${joinUnpublishedSql}
    ${observationsSql(statement)}`

const observationsSql = ({ keys, placeholders }: MemberStatement): string =>
  joinObservationsSql(keys, placeholders)

/** SQL: whether the viewer can see an examined Business. */
export const isExaminedVisibleSql = ({ membership }: MemberStatement): string =>
  membership.viewer.reads_businesses ? isJoinedVisibleSql : 'p.id is not null'

/** SQL: the name of an examined Business. */
export const examinedNameSql = ({ membership }: MemberStatement): string =>
  membership.viewer.reads_businesses ? 'coalesce(p.name, b.name)' : 'p.name'
