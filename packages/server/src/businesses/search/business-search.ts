import type { searchBusinesses } from '@wbs/contract/businesses/search'
import type { Id } from '@wbs/contract/ids'
import type { InputOf } from '@wbs/contract/operation'
import { isCanceled } from '../../database/faults.ts'
import { readPublic, type Reader, type Statement } from '../../database/statement.ts'
import { businessColumnsSql, type BusinessRow } from '../business-view.ts'
import { foldCity, foldName, likePattern } from '../fold.ts'
import { lastIdBefore } from './partitions.ts'

type SearchFilters = Omit<InputOf<typeof searchBusinesses>, 'limit' | 'fields'>

export interface FoundBusinesses {
  rows: BusinessRow[]
  /** The id up to which the search came: of the last row, or a later one; null at the end. */
  cursor: string | null
}

/** How a search walks the partitions. */
export interface Walk {
  /** Where partitions begin, after the first, in order. */
  bounds: readonly string[]
  /** After this time no further partition is read. */
  milliseconds: number
}

/** How many Businesses a bounded scan reads before its page ends, full or not. */
const scanLength = 20_000

/**
 * Published Businesses that meet every filter, by id, at most `limit`. One partition is read after the other until the page is
 * full or the time of the walk is over: then the page can be short or empty although there are more.
 */
export async function publishedBusinesses(
  reader: Reader,
  filters: SearchFilters,
  limit: number,
  { bounds, milliseconds }: Walk,
): Promise<FoundBusinesses> {
  const given = conditionsOf(filters)
  if (given === null) return { rows: [], cursor: null }
  const end = performance.now() + milliseconds
  const rows: BusinessRow[] = []
  let after: Id<'biz'> | undefined = filters.cursor
  for (;;) {
    const { range, until } = rangeAfter(after, bounds)
    // One row more than the page has tells whether there are more.
    const found = await searchRange(reader, [...given, ...range], limit + 1 - rows.length)
    rows.push(...found.rows)
    if (rows.length > limit) return { rows: rows.slice(0, limit), cursor: rows[limit - 1]?.id ?? null }
    if (found.cursor !== null || until === undefined) return { rows, cursor: found.cursor }
    after = lastIdBefore(until)
    if (performance.now() >= end) return { rows, cursor: after }
  }
}

/** The ids after one, or all, that lie in one partition; `until` is where the next partition begins, if there is one. */
function rangeAfter(after: string | undefined, bounds: readonly string[]) {
  const next = bounds.findIndex(bound => after === undefined || after < lastIdBefore(bound))
  const until = bounds[next]
  const begin = bounds[next === -1 ? bounds.length - 1 : next - 1]
  const range: Condition[] = []
  // After the last id before a bound comes the bound. Only this excludes the partition before it.
  if (after !== undefined && begin !== undefined && after < begin) range.push(fromId(begin))
  else if (after !== undefined) range.push(afterId(after))
  if (until !== undefined) range.push(beforeId(until))
  return { range, until }
}

/**
 * The first rows of a range of ids, at most `wanted`; the cursor is null at the end of the range.
 * The planner chooses between the index of terms and a scan by id, from how many rows it expects. Its estimate can be far off
 * for filters that depend on each other. The search is then canceled and tried with the index, and at last with a scan of
 * limited length.
 */
async function searchRange(
  reader: Reader,
  conditions: readonly Condition[],
  wanted: number,
): Promise<FoundBusinesses> {
  const values = Object.assign({ limit: wanted }, ...conditions.map(condition => condition.value)) as object
  for (const mode of ['planned', 'indexed'] as const) {
    try {
      const rows = await reader.many(searchStatement(mode, conditions), values)
      return { rows, cursor: rows.length === wanted ? (rows.at(-1)?.id ?? null) : null }
    } catch (error) {
      if (!isCanceled(error)) throw error
    }
  }
  const rows = await reader.many(searchStatement('scanned', conditions), values)
  const found = rows.filter(row => row.matches)
  return {
    rows: found,
    cursor:
      found.length === wanted ? (found.at(-1)?.id ?? null) : (rows.find(row => !row.matches)?.id ?? null),
  }
}

interface Condition {
  kind: string
  sql: string
  /** The value of the parameter that the condition names. */
  value: object
}

/**
 * The conditions of the filters; null if nothing can meet them. A text that folds to nothing matches no name, rather than every
 * name.
 */
function conditionsOf(filters: SearchFilters): Condition[] | null {
  const text = filters.query ?? filters.name
  const name = text === undefined ? undefined : foldName(text)
  if (name === '') return null
  const { website_url } = filters
  const terms = searchTerms(filters)
  const conditions: (Condition | false)[] = [
    name !== undefined && {
      kind: 'name',
      sql: 'p.name_folded like :name_pattern',
      value: { name_pattern: likePattern(name) },
    },
    // Without three letters or digits in a row the text has no trigram to look up, so the gaps between words are used.
    name !== undefined &&
      !/[a-z0-9]{3}/.test(name) && {
        kind: 'gaps',
        sql: 'p.terms @> name_gaps(:name_folded)',
        value: { name_folded: name },
      },
    terms.length > 0 && { kind: 'terms', sql: 'p.terms @> :terms', value: { terms } },
    website_url !== undefined && {
      kind: 'website',
      sql: 'p.website_url = :website_url',
      value: { website_url },
    },
  ]
  return conditions.filter(condition => condition !== false)
}

const afterId = (after: string): Condition => ({ kind: 'after', sql: 'p.id > :after', value: { after } })
const fromId = (from: string): Condition => ({ kind: 'from', sql: 'p.id >= :from', value: { from } })
const beforeId = (before: string): Condition => ({ kind: 'before', sql: 'p.id < :before', value: { before } })

type SearchRow = BusinessRow & { matches: boolean }
const statements: Record<string, Statement<SearchRow, 'read'>> = {}

/** The statement for a mode and a set of conditions, created when it is first needed. */
function searchStatement(
  mode: 'planned' | 'indexed' | 'scanned',
  conditions: readonly Condition[],
): Statement<SearchRow, 'read'> {
  const name = ['business_search', mode, ...conditions.map(condition => condition.kind)].join('_')
  return (statements[name] ??= readPublic(
    name,
    mode === 'scanned' ? scanSql(conditions) : searchSql(mode, conditions),
    mode === 'scanned' ? 'custom_plan' : 'fail_fast',
  ))
}

function searchSql(mode: 'planned' | 'indexed', conditions: readonly Condition[]): string {
  const where = conditions.length > 0 ? `where ${conditions.map(({ sql }) => sql).join(' and ')}` : ''
  // Ordering by an expression keeps the planner from scanning by id.
  const order = mode === 'planned' ? 'p.id' : `p.id || ''`
  return `select ${businessColumnsSql('p')}, true as matches from published_businesses p ${where} order by ${order} limit :limit`
}

/** The matching rows among the next ones and, if more may follow, the last row that was read. */
function scanSql(conditions: readonly Condition[]): string {
  const isOfRange = ({ kind }: Condition) => ['after', 'from', 'before'].includes(kind)
  const range = conditions.filter(isOfRange).map(({ sql }) => sql)
  const matching = conditions.filter(condition => !isOfRange(condition)).map(({ sql }) => sql)
  return `
    with scanned as materialized (
      select p.* from published_businesses p where ${range.join(' and ') || 'true'} order by p.id limit ${scanLength}
    ), found as (
      select ${businessColumnsSql('p')}, true as matches from scanned p where ${matching.join(' and ') || 'true'}
      order by p.id limit :limit
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
