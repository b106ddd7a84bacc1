import type { searchBusinesses } from '@wbs/contract/businesses/search'
import type { InputOf } from '@wbs/contract/operation'
import { isCanceled } from '../../database/faults.ts'
import { readUnscoped, type Reader, type Statement } from '../../database/statement.ts'
import { businessColumns, type BusinessRow } from '../business-view.ts'
import { foldCity, foldName, likePattern } from '../fold.ts'

type SearchFilters = Omit<InputOf<typeof searchBusinesses>, 'limit' | 'fields'>

export interface FoundBusinesses {
  rows: BusinessRow[]
  /** Up to where was looked: the id of the last row, or a later one that does not match; null at the end. */
  cursor: string | null
}

/** How many Businesses a walk looks at before it ends its page, full or not. */
const walkLength = 20_000

/**
 * Published Businesses that meet every filter, in the order of their ids, at most `limit`.
 *
 * The planner chooses between the index and a walk along the ids, by how rare it takes the filters to be. Where it
 * guesses wrong, which filters that depend on each other can make it do, the search is given up, first for the index,
 * then for a walk of bounded length: its page may be short, or empty, with more to come.
 */
export async function publishedBusinesses(
  reader: Reader,
  filters: SearchFilters,
  limit: number,
): Promise<FoundBusinesses> {
  const conditions = conditionsOf(filters)
  if (conditions === null) return { rows: [], cursor: null }
  for (const way of ['planned', 'indexed'] as const) {
    try {
      const rows = await reader.many(searchStatement(way, conditions), [limit + 1, ...valuesOf(conditions)])
      return {
        rows: rows.slice(0, limit),
        cursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
      }
    } catch (error) {
      if (!isCanceled(error)) throw error
    }
  }
  const rows = await reader.many(searchStatement('walked', conditions), [limit, ...valuesOf(conditions)])
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

/** What the filters ask, or null if nothing can meet it: text of characters that folding drops is in no name, rather than in all. */
function conditionsOf(filters: SearchFilters): Condition[] | null {
  const text = filters.query ?? filters.name
  const name = text === undefined ? undefined : foldName(text)
  if (name === '') return null
  const terms = searchTerms(filters)
  const conditions: (Condition | false)[] = [
    name !== undefined && { kind: 'name', sql: p => `p.name_folded like ${p}`, value: likePattern(name) },
    // Without a run of three letters or digits there is no whole trigram to look up: the gaps between words serve instead.
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

/** One statement for each way and each set of conditions, made when it is first needed. */
function searchStatement(
  way: 'planned' | 'indexed' | 'walked',
  conditions: readonly Condition[],
): Statement<SearchRow, 'read'> {
  const name = ['business_search', way, ...conditions.map(condition => condition.kind)].join('_')
  const sql = conditions.map((condition, i) => ({ kind: condition.kind, text: condition.sql(`$${i + 2}`) }))
  return (statements[name] ??= readUnscoped(
    name,
    way === 'walked' ? walkSql(sql) : searchSql(way, sql),
    way === 'walked' ? 'custom_plan' : 'fail_fast',
  ))
}

function searchSql(way: 'planned' | 'indexed', conditions: readonly { text: string }[]): string {
  const where = conditions.length > 0 ? `where ${conditions.map(one => one.text).join(' and ')}` : ''
  // An expression instead of the column keeps the planner from walking along the ids.
  const order = way === 'planned' ? 'p.id' : `p.id || ''`
  return `select ${businessColumns('p')}, true as matches from published_businesses p ${where} order by ${order} limit $1`
}

/** The rows that match among the next ones, and behind them the last one that was looked at, if more may follow. */
function walkSql(conditions: readonly { kind: string; text: string }[]): string {
  const from = conditions.find(one => one.kind === 'cursor')?.text ?? 'true'
  const matching = conditions.filter(one => one.kind !== 'cursor').map(one => one.text)
  return `
    with walked as materialized (
      select p.* from published_businesses p where ${from} order by p.id limit ${walkLength}
    ), found as (
      select ${businessColumns('p')}, true as matches from walked p where ${matching.join(' and ') || 'true'} order by p.id limit $1
    )
    select * from found
    union all
    (select ${businessColumns('p')}, false as matches from walked p
     where (select count(*) from walked) = ${walkLength} order by p.id desc limit 1)`
}

/**
 * What must stand among a Business's terms. One term for one question: state and city are asked for together, as the
 * place, so that the planner need not guess how they go together.
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
