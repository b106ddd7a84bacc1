import type { searchBusinesses } from '@wbs/contract/businesses'
import type { InputOf } from '@wbs/contract/operation'
import { read, type Reader, type Statement } from '../database/statement.ts'
import { businessColumns, type BusinessRow } from './business-view.ts'
import { foldName, likePattern } from './fold.ts'

type SearchFilters = Omit<InputOf<typeof searchBusinesses>, 'limit' | 'fields'>

/** Published Businesses that meet every filter, in the order of their ids, at most `limit`. */
export function publishedBusinesses(
  reader: Reader,
  filters: SearchFilters,
  limit: number,
): Promise<BusinessRow[]> {
  const name = foldedName(filters)
  if (name === '') return Promise.resolve([])
  const terms = searchTerms(filters)
  const conditions = [
    name !== undefined && { sql: (n: number) => `p.name_folded like $${n}`, value: likePattern(name) },
    terms.length > 0 && { sql: (n: number) => `p.terms @> $${n}`, value: terms },
    filters.website_url !== undefined && {
      sql: (n: number) => `p.website_url = $${n}`,
      value: filters.website_url,
    },
    filters.cursor !== undefined && { sql: (n: number) => `p.id > $${n}`, value: filters.cursor },
  ]
  const shape = conditions.map(condition => (condition ? '1' : '0')).join('')
  const used = conditions.filter(condition => condition !== false)
  const statement = (searches[shape] ??= searchStatement(
    shape,
    used.map((condition, i) => condition.sql(i + 2)),
  ))
  return reader.many(statement, [limit, ...used.map(condition => condition.value)])
}

/** What is looked for in names. Text of characters that folding drops is in no name, rather than in all. */
function foldedName({ query, name }: SearchFilters): string | undefined {
  const text = query ?? name
  return text === undefined ? undefined : foldName(text)
}

const searches: Record<string, Statement<BusinessRow, 'read'>> = {}

function searchStatement(shape: string, conditions: readonly string[]): Statement<BusinessRow, 'read'> {
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  return read(
    `business_search_${shape}`,
    `select ${businessColumns('p')} from published_businesses p ${where} order by p.id limit $1`,
    {
      replan: true,
    },
  )
}

/**
 * What must stand among a Business's terms. One term for one question: state and city are asked for together, as the
 * place, so that the planner need not guess how they go together.
 */
export function searchTerms({
  status,
  state,
  city,
  naics_code,
  naics_vintage = '2022',
}: SearchFilters): string[] {
  const terms: string[] = []
  const folded = city === undefined ? undefined : foldName(city)
  if (state !== undefined && folded !== undefined) terms.push(`place:${state.toUpperCase()}/${folded}`)
  else if (state !== undefined) terms.push(`state:${state.toUpperCase()}`)
  else if (folded !== undefined) terms.push(`city:${folded}`)
  if (naics_code !== undefined) terms.push(`naics${naics_vintage}:${naics_code}`)
  if (status !== undefined) terms.push(`status:${status}`)
  return terms
}
