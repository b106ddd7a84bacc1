import { T } from '../json/type.ts'
import {
  businessFields,
  businessStatuses,
  naicsPattern,
  naicsVintages,
  usStates,
  webPattern,
  Business,
  schemaVersion,
  asOf,
  Provenance,
} from './businesses.ts'
import { example } from './input.ts'
import { query } from '../operation.ts'
import { pageLimit, Page } from '../paging.ts'
import { idCursor, oneOf, queryList, trimmedText, openSet } from '../schema.ts'

/** The name text of the public search. Unlike other text it is not trimmed: white space at an end is refused. */
const SearchText = T.Unsafe<string>({
  type: 'string',
  minLength: 3,
  maxLength: 200,
  pattern: '^\\S(?:[\\s\\S]*\\S)?$',
  description:
    'A part of the name, without white space at either end. Case and Unicode compatibility forms are ignored.',
})

export const searchBusinesses = query('search_businesses', {
  http: 'GET /v1/businesses',
  summary: 'Search published Businesses.',
  description:
    'All filters must match. They compare published facts only: a Business without a fact does not match its filter. The results are sorted by ID and are not a census. Do not change the filters while you follow a cursor. Continue while has_more is true, even after an empty page. Search never adds a Business to a Workspace.',
  tag: 'Businesses',
  audience: 'anyone',
  input: {
    query: T.Optional(example(SearchText, 'credit union')),
    name: T.Optional(
      example(
        T.Unsafe<string>({ ...SearchText, description: 'The same as query. Send only one of the two.' }),
        'credit union',
      ),
    ),
    status: T.Optional(oneOf(businessStatuses, 'Whether the Business operates.')),
    state: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: `^(?:${usStates.map(state => state.replaceAll(/./g, letter => `[${letter}${letter.toLowerCase()}]`)).join('|')})$`,
        'x-values': usStates,
        description:
          'The state of the published primary location: the two letters of one of the 50 states, or DC, in either case.',
        examples: ['MT'],
      }),
    ),
    city: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 200,
        description:
          'The whole name of the city of the published primary location, which must be in the U.S. Case and white space at the ends are ignored.',
        example: 'Helena',
      }),
    ),
    naics_code: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: naicsPattern,
        description:
          'A NAICS code: 2 to 6 digits, or 31-33, 44-45 or 48-49. Two to five digits match all codes that begin with them; six digits match exactly.',
        examples: ['522130'],
      }),
    ),
    naics_vintage: T.Optional(
      oneOf(
        naicsVintages,
        'The edition of naics_code. By default it is 2022. Codes are not translated between editions.',
      ),
    ),
    website_url: T.Optional(
      trimmedText({
        minLength: 8,
        maxLength: 2048,
        pattern: webPattern,
        description:
          'The website: an http or https URL. It must match exactly, including scheme, path, case and trailing slash.',
        example: 'https://glacier-tooling.example',
      }),
    ),
    cursor: T.Optional(idCursor('biz')),
    limit: T.Optional(pageLimit),
    fields: T.Optional(
      queryList(oneOf(businessFields), {
        repeatable: true,
        // Larger than the number of fields, because a field may be named twice.
        maxItems: 1000,
        description: 'The fields to return. id is always returned.',
      }),
    ),
  },
  rules: [
    { rule: 'exclusive', fields: ['query', 'name'] },
    { rule: 'requires', field: 'naics_vintage', needs: 'naics_code' },
  ],
  output: {
    data: T.Array(Business),
    page: Page,
    projection: openSet(['public']),
    schema_version: schemaVersion,
    as_of: asOf,
    provenance: T.Optional(
      T.Array(Provenance, {
        description: 'The source of each field. Only for callers with businesses:read.',
      }),
    ),
  },
  problems: [],
  limits: ['search'],
  public_max_age: 30,
})
