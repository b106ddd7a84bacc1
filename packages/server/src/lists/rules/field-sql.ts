import type { BusinessField } from '@wbs/contract/businesses/businesses'
import { naicsVintages } from '@wbs/contract/businesses/businesses'
import type { FieldRule, NaicsOperand } from '@wbs/contract/lists/rules'
import { usState } from '../../businesses/fact-formats.ts'
import { foldedPublishedSql } from '../../businesses/folded-text-store.ts'
import { daySql, textSql, type TextColumn } from './comparison-sql.ts'
import { comparable } from './folded-text.ts'
import type { Placeholders } from '../../database/composed-read.ts'

/**
 * SQL: whether a fact of the row `p` of published_businesses meets a leaf. It is null, instead of false, where the fact is
 * missing or the row is; who negates it has to know. Conditions that the search index can find are written for it.
 */
export function publishedFieldSql(leaf: FieldRule, placeholders: Placeholders, today: string): string {
  const field = leaf.field as BusinessField
  const { operator, value } = leaf
  if (operator === 'is_set') return `p.${field} is not null`
  if (operator === 'is_not_set') return `p.${field} is null`
  if (operator === 'naics') return hasTermsSql('@>', [naicsTerm(value as NaicsOperand)], placeholders)
  if (field in dayColumns) return daySql(dayColumns[field] as string, leaf, placeholders, today)
  const column = textColumns[field] ?? exact(field)
  return textSql({ ...column, fold: text => comparable(field, text) }, leaf, placeholders)
}

const exact = (field: BusinessField): TextColumn => ({ sql: `p.${field}` })

const dayColumns: Partial<Record<BusinessField, string>> = {
  founded_on: 'p.founded_on',
  closed_on: 'p.closed_on',
  published_at: `(p.published_at at time zone 'UTC')::date`,
}

const textColumns: Partial<Record<BusinessField, TextColumn>> = {
  name: {
    sql: 'p.name_folded',
    isSearched: true,
    // The index of equal names has the beginnings of the names. That they are equal is compared as a number, so that PostgreSQL
    // does not estimate it: for 100 names that takes 8 ms, and the beginnings tell as much.
    indexedSql: (texts, equal, { add }) =>
      `(left(p.name_folded, 120) = any (${add(
        'beginnings',
        texts.map(text => left(text, 120)),
      )}) and (${equal})::integer <> 0)`,
  },
  city: {
    sql: foldedPublishedSql.city('p'),
    indexedSql: (texts, equal, placeholders) =>
      inUsOrSql(
        texts.map(text => `city:${text}`),
        equal,
        placeholders,
      ),
  },
  state: {
    sql: foldedPublishedSql.state('p'),
    indexedSql(texts, equal, placeholders) {
      const codes = texts.map(usState)
      // The search index has only the states of the U.S.
      return codes.includes(null)
        ? equal
        : inUsOrSql(
            codes.map(code => `state:${code}`),
            equal,
            placeholders,
          )
    },
  },
  naics_title: { sql: foldedPublishedSql.naics_title('p') },
  description: { sql: foldedPublishedSql.description('p') },
  status: {
    ...exact('status'),
    indexedSql: (texts, _, placeholders) =>
      hasTermsSql(
        '&&',
        texts.map(text => `status:${text}`),
        placeholders,
      ),
  },
  naics_code: {
    ...exact('naics_code'),
    indexedSql(texts, equal, placeholders) {
      const terms = texts.flatMap(code => naicsVintages.map(vintage => naicsTerm({ code, vintage })))
      const found = hasTermsSql('&&', terms, placeholders)
      // The term of a shorter code is also one of the codes under it.
      return texts.every(code => /^\d{6}$/.test(code)) ? found : `(${found} and ${equal})`
    },
  },
}

const left = (text: string, length: number) => Array.from(text).slice(0, length).join('')

/** The search index has places of the U.S. only. There are few Businesses elsewhere, which have an index of their own. */
const inUsOrSql = (terms: readonly string[], equal: string, placeholders: Placeholders) =>
  `(${hasTermsSql('&&', terms, placeholders)} or (p.country_code <> 'US' and ${equal}))`

const naicsTerm = ({ code, vintage }: NaicsOperand) => `naics${vintage}:${code}`

/** The condition that search uses for its terms (search_terms in migration 0002). */
const hasTermsSql = (operator: '@>' | '&&', terms: readonly string[], { add }: Placeholders) =>
  `p.terms ${operator} ${add('terms', terms)}`
