import { Type as T } from 'typebox'
import { query } from './operation.ts'
import { listOf, pageLimit, Page } from './paging.ts'
import {
  component,
  dateTime,
  fullDate,
  id,
  nullable,
  oneOf,
  open,
  openSet,
  queryList,
  trimmedText,
  uuid,
} from './schema.ts'
import { accessLevels } from './scopes.ts'

export const businessStatuses = ['active', 'closed', 'inactive', 'unknown'] as const
export const naicsVintages = ['1997', '2002', '2007', '2012', '2017', '2022'] as const

/** A code, or one of the sectors that are a range of them. */
export const naicsPattern = '^(?:[0-9]{2,6}|31-33|44-45|48-49)$'
export const webPattern = '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$'
export const phonePattern = '^\\+[1-9][0-9]{6,14}$'
/** One @, and a domain with a dot. More only a delivery could tell. */
export const emailPattern = '^[^\\s@"<>]+@[^\\s@"<>.]+(?:\\.[^\\s@"<>.]+)+$'

const text = () => nullable(T.String())

/** The search projection: what a `fields` parameter may select. */
const projection = {
  id: id('biz'),
  name: T.String(),
  publication_status: openSet(['draft', 'published', 'withdrawn', 'merged']),
  status: openSet(businessStatuses),
  closed_on: nullable(fullDate()),
  description: text(),
  founded_on: nullable(fullDate()),
  primary_classification_id: nullable(id('cls')),
  primary_location_id: nullable(id('loc')),
  published_at: nullable(dateTime()),
  public_email: text(),
  public_phone: text(),
  website_url: text(),
  country_code: text(),
  state: text(),
  city: text(),
  naics_code: text(),
  naics_vintage: text(),
  naics_title: text(),
}
export type BusinessField = keyof typeof projection
export const businessFields = Object.keys(projection) as BusinessField[]

/** Facts of the full record that the search projection leaves out. */
const recordFacts = {
  legal_name: text(),
  founded_year: nullable(T.Integer({ description: 'Set also where no more than the year is known.' })),
  revision: T.Integer(),
  merged_into_id: nullable(id('biz')),
  created_at: dateTime(),
  updated_at: dateTime(),
}
export type RecordField = BusinessField | keyof typeof recordFacts
export const recordFields = [...businessFields, ...(Object.keys(recordFacts) as (keyof typeof recordFacts)[])]

const { id: BusinessId, ...selectable } = projection

const business = { id: BusinessId, ...T.Partial(T.Object(selectable)).properties }
const Business = component('Business', open(business))

const Provenance = component(
  'Provenance',
  open({
    business_id: id('biz'),
    field: T.String(),
    source: T.String(),
    source_url: text(),
    observed_at: nullable(fullDate()),
  }),
)

export const BusinessRecord = component(
  'BusinessRecord',
  open({
    ...business,
    ...T.Partial(T.Object(recordFacts)).properties,
    classifications: T.Optional(
      T.Array(
        open({
          classification_id: id('cls'),
          scheme: openSet(['naics']),
          code: T.String(),
          vintage: openSet(naicsVintages),
          title: text(),
          is_primary: T.Boolean(),
          published: T.Boolean(),
        }),
      ),
    ),
    locations: T.Optional(
      T.Array(
        open({
          location_id: id('loc'),
          kind: openSet(['principal', 'branch', 'mailing']),
          country_code: T.String(),
          state: text(),
          city: text(),
          postal_code: text(),
          line1: text(),
          is_primary: T.Boolean(),
          published: T.Boolean(),
        }),
      ),
    ),
    identifiers: T.Optional(T.Array(open({ scheme: T.String(), value: T.String(), published: T.Boolean() }))),
    provenance: T.Optional(T.Array(Provenance)),
  }),
)

const businessIncludes = ['classifications', 'locations', 'identifiers', 'provenance'] as const

/** Name text of the public search: its ends are not white space, and that is judged, not mended. */
const SearchText = T.Unsafe<string>({
  type: 'string',
  minLength: 3,
  maxLength: 200,
  pattern: '^\\S(?:[\\s\\S]*\\S)?$',
  description:
    'A part of the name, 3 to 200 code points, without white space at either end. Case and compatibility forms do not matter.',
})

export const usStates =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  )

const asOf = dateTime('When this answer was true.')
const schemaVersion = openSet(['svc.business.v1'])

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

export const getBusiness = query('get_business', {
  http: 'GET /v1/businesses/{business_id}',
  summary: 'Read a Business.',
  description:
    'Without a Workspace: what is published. With SVC-Workspace-Id, and businesses:read there, also a Business of that Workspace which is not published.',
  tag: 'Businesses',
  audience: 'anyone',
  input: {
    business_id: BusinessId,
    fields: T.Optional(
      queryList(oneOf(recordFields), {
        repeatable: true,
        // More than there are: a field may be named twice.
        maxItems: 1000,
        description: 'The fields to answer; id always is.',
      }),
    ),
    include: T.Optional(
      queryList(oneOf(businessIncludes), {
        repeatable: false,
        maxItems: 20,
        description: 'Comma-separated. Provenance is left out for callers without businesses:read.',
      }),
    ),
  },
  output: {
    data: BusinessRecord,
    projection: openSet(['public', 'workspace']),
    schema_version: schemaVersion,
    as_of: asOf,
  },
  problems: ['not_found', 'forbidden'],
  tagged: 'r',
})

export const valueTypes = ['text', 'number', 'boolean', 'date'] as const

const Observation = component(
  'LatestObservation',
  open({
    observation_id: id('obs'),
    key: T.String(),
    value: open({ value_type: openSet(valueTypes), value: T.Unknown() }),
    observed_on: fullDate(),
  }),
)

export const WorkspaceBusiness = component(
  'WorkspaceBusiness',
  open({
    ...business,
    logo_url: nullable(
      T.String({ description: 'What this Workspace saved for itself. Never fetched, never published.' }),
    ),
    observations: T.Array(Observation, {
      description: 'The latest of each key that this Workspace recorded.',
    }),
    workspace_access: open({ access_level: openSet(accessLevels) }),
  }),
)

export const listWorkspaceBusinesses = query('list_workspace_businesses', {
  http: 'GET /v1/workspaces/{workspace_id}/businesses',
  summary: 'List the Businesses of a Workspace, unpublished ones and private observations included.',
  description:
    'In the order of Business ids. Pass page.cursor as cursor while page.has_more is true, keeping Workspace and filter; an empty page does not show that there are no others.',
  tag: 'Businesses',
  audience: 'workspace',
  scope: 'businesses:read',
  input: {
    workspace_id: uuid('Equal to the header SVC-Workspace-Id.'),
    name: T.Optional(
      trimmedText({
        minLength: 3,
        maxLength: 200,
        description: 'A part of the name: 3 to 200 code points once trimmed.',
      }),
    ),
    limit: T.Optional(pageLimit),
    cursor: T.Optional(BusinessId),
  },
  output: listOf(WorkspaceBusiness),
  problems: [],
})
