import { Type as T } from 'typebox'
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
import { query } from '../operation.ts'
import { pageLimit, Page } from '../paging.ts'
import { id, oneOf, queryList, trimmedText, openSet } from '../schema.ts'

/** Name text of the public search: its ends are not white space, and that is judged, not mended. */
const SearchText = T.Unsafe<string>({
  type: 'string',
  minLength: 3,
  maxLength: 200,
  pattern: '^\\S(?:[\\s\\S]*\\S)?$',
  description:
    'A part of the name, 3 to 200 code points, without white space at either end. Case and compatibility forms do not matter.',
})

export const searchBusinesses = query('search_businesses', {
  http: 'GET /v1/businesses',
  summary: 'Search published Businesses.',
  description:
    'Filters combine with AND and look at published facts alone. Results come in the order of their ids and are not a census. Keep the filters while following a cursor, also after an empty page with has_more true. Searching never adds a Business to a Workspace.',
  tag: 'Businesses',
  audience: 'anyone',
  input: {
    query: T.Optional(SearchText),
    name: T.Optional(
      T.Unsafe<string>({ ...SearchText, description: 'The same as query; only one of them may be given.' }),
    ),
    status: T.Optional(oneOf(businessStatuses)),
    state: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: `^(?:${usStates.map(state => state.replaceAll(/./g, letter => `[${letter}${letter.toLowerCase()}]`)).join('|')})$`,
        'x-values': usStates,
        description:
          'The two letters of one of the 50 states, or DC, in either case: that of the published primary location.',
      }),
    ),
    city: T.Optional(
      trimmedText({
        minLength: 1,
        maxLength: 200,
        description:
          'The city of the published primary location in the U.S., whole; case and surrounding white space do not matter.',
      }),
    ),
    naics_code: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: naicsPattern,
        description:
          '2 to 6 digits, or 31-33, 44-45, 48-49. Two to five digits match all codes that begin so; six match exactly.',
      }),
    ),
    naics_vintage: T.Optional(
      oneOf(
        naicsVintages,
        'The edition that naics_code is of; 2022 if not given. Codes are not translated between editions.',
      ),
    ),
    website_url: T.Optional(
      trimmedText({
        minLength: 8,
        maxLength: 2048,
        pattern: webPattern,
        description:
          'An http or https URL, compared to the letter: scheme, path, case and trailing slash must match.',
      }),
    ),
    cursor: T.Optional(id('biz')),
    limit: T.Optional(pageLimit),
    fields: T.Optional(
      queryList(oneOf(businessFields), {
        repeatable: true,
        // More than there are: a field may be named twice.
        maxItems: 1000,
        description: 'The fields to answer; id always is. Comma-separated, or repeated.',
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
        description: 'Which source gave which field. Only for callers with businesses:read.',
      }),
    ),
  },
  problems: [],
  limits: ['search'],
  public_max_age: 30,
})
