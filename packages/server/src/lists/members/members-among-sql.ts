import { examinedNameSql, examinedSql, isExaminedVisibleSql } from './examined-sql.ts'
import { projectionSql, type MemberSelection } from './member-selection.ts'
import { holdsSql, observationsOfLinked, type MemberStatement } from './member-statement.ts'
import { isIncludedSql, isNotExcludedSql } from './override-sql.ts'

/** SQL: those of the Businesses in `id` of a FROM item that are members. */
export function membersAmongSql(
  statement: MemberStatement,
  idsSql: string,
  { columns = '', conditionSql, restSql, source }: MemberSelection,
): string {
  // Without offset 0, the rule is evaluated again wherever `holds` is named: one of 100 leaves takes 25 ms of the processor for
  // one Business instead of 9, and 42 ms for a hundred instead of 24.
  const byRule = `coalesce(${holdsSql(statement, observationsOfLinked(statement))}, false)`
  const isIncluded = isIncludedSql(statement, 's.id')
  const isMemberSql = {
    rule: 'evaluated.holds',
    override: `not evaluated.holds and ${isIncluded}`,
    any: `(evaluated.holds or ${isIncluded})`,
  }
  return `
    select s.id, case when evaluated.holds then 'rule' else 'override' end as source,
      case when evaluated.holds then ${projectionSql(statement)} else 'workspace' end as projection,
      ${examinedNameSql(statement)} as name
      ${columns}
    from ${examinedSql(statement, idsSql)}
    cross join lateral (select ${byRule} as holds offset 0) evaluated
    where ${isExaminedVisibleSql(statement)} and ${isMemberSql[source ?? 'any']}
      and ${isNotExcludedSql(statement, 's.id')} and ${conditionSql?.('s.id') ?? 'true'}
    ${restSql?.('s.id') ?? ''}`
}
