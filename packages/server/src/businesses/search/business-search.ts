import type { searchBusinesses } from '@wbs/contract/businesses/search'
import type { InputOf } from '@wbs/contract/operation'
import { isCanceled } from '../../database/faults.ts'
import { readUnscoped, type Reader, type Statement } from '../../database/statement.ts'
import { businessColumnsSql, type BusinessRow } from '../business-view.ts'
import { foldCity, foldName, likePattern } from '../fold.ts'

type SearchFilters = Omit<InputOf<typeof searchBusinesses>, 'limit' | 'fields'>

export interface FoundBusinesses {
  rows: BusinessRow[]
  /** The id up to which the search came: of the last row, or of a later one that does not match; null at the end. */
  cursor: string | null
}

/** How many Businesses a bounded scan reads before its page ends, full or not. */
const scanLength = 20_000

/**
 * Published Businesses that meet every filter, by id, at most `limit`.
 * The planner chooses between the index of terms and a scan by id, from how many rows it expects. Its estimate can be far off
 * for filters that depend on each other. The search is then canceled and tried with the index, and at last with a scan of
 * limited length, whose page can be short or empty although there are more.
 */
export async function publishedBusinesses(
  reader: Reader,
  filters: SearchFilters,
  limit: number,
): Promise<FoundBusinesses> {
  const conditions = conditionsOf(filters)
  if (conditions === null) return { rows: [], cursor: null }
  for (const mode of ['planned', 'indexed'] as const) {
    try {
      const rows = await reader.many(searchStatement(mode, conditions), [limit + 1, ...valuesOf(conditions)])
      return {
        rows: rows.slice(0, limit),
        cursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
      }
    } catch (error) {
      if (!isCanceled(error)) throw error
    }
  }
  const rows = await reader.many(searchStatement('scanned', conditions), [limit, ...valuesOf(conditions)])
  const found = rows.filter(row => row.matches)
  return {
    rows: found,
    cursor:
      found.length === limit ? (found.at(-1)?.id ?? null) : (rows.find(row => !row.matches)?.id ?? null),
  }
}

interface Condition {
  kind: string
  sql(placeholder: string): string
  value: unknown
}

/**
 * The conditions of the filters; null if nothing can meet them. A text that folds to nothing matches no name, rather than every
 * name.
 */
function conditionsOf(filters: SearchFilters): Condition[] | null {
  const text = filters.query ?? filters.name
  const name = text === undefined ? undefined : foldName(text)
  if (name === '') return null
  const terms = searchTerms(filters)
  const conditions: (Condition | false)[] = [
    name !== undefined && { kind: 'name', sql: p => `p.name_folded like ${p}`, value: likePattern(name) },
    // Without three letters or digits in a row the text has no trigram to look up, so the gaps between words are used.
    name !== undefined &&
      !/[a-z0-9]{3}/.test(name) && { kind: 'gaps', sql: p => `p.terms @> name_gaps(${p})`, value: name },
    terms.length > 0 && { kind: 'terms', sql: p => `p.terms @> ${p}`, value: terms },
    filters.website_url !== undefined && {
      kind: 'website',
      sql: p => `p.website_url = ${p}`,
      value: filters.website_url,
    },
    filters.cursor !== undefined && { kind: 'cursor', sql: p => `p.id > ${p}`, value: filters.cursor },
  ]
  return conditions.filter(condition => condition !== false)
}

const valuesOf = (conditions: readonly Condition[]) => conditions.map(condition => condition.value)

type SearchRow = BusinessRow & { matches: boolean }
const statements: Record<string, Statement<SearchRow, 'read'>> = {}

/** The statement for a mode and a set of conditions, created when it is first needed. */
function searchStatement(
  mode: 'planned' | 'indexed' | 'scanned',
  conditions: readonly Condition[],
): Statement<SearchRow, 'read'> {
  const name = ['business_search', mode, ...conditions.map(condition => condition.kind)].join('_')
  const sql = conditions.map((condition, i) => ({ kind: condition.kind, text: condition.sql(`$${i + 2}`) }))
  return (statements[name] ??= readUnscoped(
    name,
    mode === 'scanned' ? scanSql(sql) : searchSql(mode, sql),
    mode === 'scanned' ? 'custom_plan' : 'fail_fast',
  ))
}

function searchSql(mode: 'planned' | 'indexed', conditions: readonly { text: string }[]): string {
  const where = conditions.length > 0 ? `where ${conditions.map(one => one.text).join(' and ')}` : ''
  // Ordering by an expression keeps the planner from scanning by id.
  const order = mode === 'planned' ? 'p.id' : `p.id || ''`
  return `select ${businessColumnsSql('p')}, true as matches from published_businesses p ${where} order by ${order} limit $1`
}

/** The matching rows among the next ones and, if more may follow, the last row that was read. */
function scanSql(conditions: readonly { kind: string; text: string }[]): string {
  const from = conditions.find(one => one.kind === 'cursor')?.text ?? 'true'
  const matching = conditions.filter(one => one.kind !== 'cursor').map(one => one.text)
  return `
    with scanned as materialized (
      select p.* from published_businesses p where ${from} order by p.id limit ${scanLength}
    ), found as (
      select ${businessColumnsSql('p')}, true as matches from scanned p where ${matching.join(' and ') || 'true'} order by p.id limit $1
    )
    select * from found
    union all
    (select ${businessColumnsSql('p')}, false as matches from scanned p
     where (select count(*) from scanned) = ${scanLength} order by p.id desc limit 1)`
}

/**
 * The terms that a Business must have. State and city are one term, the place, so that the planner need not estimate how they
 * depend on each other.
 */
function searchTerms({ status, state, city, naics_code, naics_vintage = '2022' }: SearchFilters): string[] {
  const terms: string[] = []
  const folded = city === undefined ? undefined : foldCity(city)
  if (state !== undefined && folded !== undefined) terms.push(`place:${state.toUpperCase()}/${folded}`)
  else if (state !== undefined) terms.push(`state:${state.toUpperCase()}`)
  else if (folded !== undefined) terms.push(`city:${folded}`)
  if (naics_code !== undefined) terms.push(`naics${naics_vintage}:${naics_code}`)
  if (status !== undefined) terms.push(`status:${status}`)
  return terms
}
