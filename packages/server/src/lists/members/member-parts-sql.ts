import { holds } from '../rules/evaluate-rule.ts'
import { negated } from '../rules/rule-sql.ts'
import { examinedLinksSql, examinedNameSql, examinedSql, isExaminedVisibleSql } from './examined-sql.ts'
import {
  comparedSql,
  projectionSql,
  whereSql,
  type ComparedRules,
  type MemberSelection,
} from './member-selection.ts'
import { holdsSql, observationsOfLinked, type MemberStatement } from './member-statement.ts'
import { includedIdsSql, isNotExcludedSql, mayHaveOverrides } from './override-sql.ts'
import { isActiveLinkSql } from './visible-business-sql.ts'

// A member is a visible Business for which the rule holds or that an override includes, and that no override excludes.

/** The statements that together select each member once; null where there can be none. */
export interface MemberParts {
  /** Published Businesses for which the rule holds, but not those whose observations have to be read. */
  published: string | null
  /** Other Businesses that the Workspace has linked and for which the rule holds. */
  linked: string | null
  /** Businesses that are members by an override alone. */
  included: string | null
}

/** What the parts of a statement select. */
export interface PartSelection extends MemberSelection {
  /** Reads only this part of the published Businesses, in percent. */
  samplePercent?: number
  compared?: ComparedRules
}

/** SQL: the members of a List, in parts. */
export const memberPartsSql = (statement: MemberStatement, selection: PartSelection): MemberParts => ({
  published: selection.source === 'override' ? null : publishedSql(statement, selection),
  linked: selection.source === 'override' ? null : linkedSql(statement, selection),
  included: selection.source === 'rule' ? null : includedSql(statement, selection),
})

/** SQL: all members that parts select. Null if there can be none. */
export function unionOfParts(parts: MemberParts): string | null {
  const found = Object.values(parts).filter(part => part !== null)
  return found.length > 0 ? found.map(part => `(${part})`).join(' union all ') : null
}

function publishedSql(statement: MemberStatement, selection: PartSelection): string | null {
  const { columns = '', conditionSql, restSql, samplePercent, compared } = selection
  // For a page, which has few rows, each is looked up (offset 0): a join would read the table up to the page. A deep page among
  // 100,000 Businesses takes 6,299 buffers without it and 1,962 with it. A count reads all.
  const rest = restSql ? 'offset 0' : ''
  const linked = isActiveLinkSql('p.id')
  const where = whereSql([
    holdsSql(statement, 'none'),
    observationsOfLinked(statement) === 'read'
      ? `not exists (select from workspace_businesses w where ${linked} ${rest})`
      : 'true',
    isNotExcludedSql(statement, 'p.id', rest),
    conditionSql?.('p.id') ?? 'true',
  ])
  if (where === null) return null
  return `
    select p.id, 'rule' as source, ${projectionSql(statement)} as projection, p.name
      ${columns}${comparedSql(statement, 'p.id', compared, 'none')}
    from published_businesses p ${samplePercent === undefined ? '' : `tablesample system (${samplePercent})`}
    ${where}
    ${restSql?.('p.id') ?? ''}`
}

function linkedSql(statement: MemberStatement, selection: PartSelection): string | null {
  const { columns = '', conditionSql, restSql, compared } = selection
  const { viewer, rule, today } = statement.membership
  const observations = observationsOfLinked(statement)
  if (!viewer.reads_businesses) return null
  // Without observations, all that is known of an unpublished Business is that nothing is public.
  if (observations === 'none' && !holds(rule, nothingKnown, today)) return null
  // Without offset 0, a deep page by an observation takes 14,489 buffers instead of 10,458.
  const where = whereSql([
    'w.workspace_id = :workspace_id and w.removed_at is null',
    ...(observations === 'none'
      ? ['w.sees_unpublished', 'b.id is not null']
      : [isExaminedVisibleSql(statement), holdsSql(statement, observations)]),
    isNotExcludedSql(statement, 's.id', restSql ? 'offset 0' : ''),
    conditionSql?.('s.id') ?? 'true',
  ])
  if (where === null) return null
  return `
    select s.id, 'rule' as source, ${projectionSql(statement)} as projection, ${examinedNameSql(statement)} as name
      ${columns}${comparedSql(statement, 's.id', compared, observations)}
    from ${examinedLinksSql(statement)}
    ${where}
    ${restSql?.('s.id') ?? ''}`
}

const nothingKnown = { published: null, observations: new Map() } as const

function includedSql(statement: MemberStatement, selection: PartSelection): string | null {
  const { columns = '', conditionSql, restSql, compared } = selection
  const observations = observationsOfLinked(statement)
  if (!mayHaveOverrides(statement)) return null
  const where = whereSql([
    isExaminedVisibleSql(statement),
    negated(holdsSql(statement, observations)),
    conditionSql?.('s.id') ?? 'true',
  ])
  if (where === null) return null
  return `
    select s.id, 'override' as source, 'workspace' as projection, ${examinedNameSql(statement)} as name
      ${columns}${comparedSql(statement, 's.id', compared, observations)}
    from ${examinedSql(statement, includedIdsSql)}
    ${where}
    ${restSql?.('s.id') ?? ''}`
}
