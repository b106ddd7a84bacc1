import { T } from '../json/type.ts'
import { query } from '../operation.ts'
import { operationReceipt } from '../receipts.ts'
import { component, dateTime, fullDate, id, nullable, oneOf, open, openSet, queryList } from '../schema.ts'

export const businessStatuses = ['active', 'closed', 'inactive', 'unknown'] as const

export const publicationStatuses = ['draft', 'published', 'withdrawn', 'merged'] as const

export const naicsVintages = ['1997', '2002', '2007', '2012', '2017', '2022'] as const

/** A NAICS code, or one of the three sectors that are a range of codes. */
export const naicsPattern = '^(?:[0-9]{2,6}|31-33|44-45|48-49)$'

export const webPattern = '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$'

export const phonePattern = '^\\+[1-9][0-9]{6,14}$'

/** One @ and a domain with a dot. Only a delivery could check more. */
export const emailPattern = '^[^\\s@"<>]+@[^\\s@"<>.]+(?:\\.[^\\s@"<>.]+)+$'

const text = () => nullable(T.String())

/** The search projection: the fields that the parameter `fields` may select. */
const projection = {
  id: id('biz'),
  name: T.String(),
  publication_status: openSet(publicationStatuses),
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

/** The facts of the full record that the search projection does not have. */
const recordFacts = {
  legal_name: text(),
  founded_year: nullable(
    T.Integer({ description: 'The year of the founding. Set even if the day is not known.' }),
  ),
  revision: T.Integer(),
  merged_into_id: nullable(id('biz')),
  created_at: dateTime(),
  updated_at: dateTime(),
}

export type RecordField = BusinessField | keyof typeof recordFacts

export const recordFields = [...businessFields, ...(Object.keys(recordFacts) as (keyof typeof recordFacts)[])]

export const BusinessId = projection.id
const { id: _, ...selectable } = projection

export const business = { id: BusinessId, ...T.Partial(T.Object(selectable)).properties }

export const Business = component('Business', open(business))

export const Provenance = component(
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

export const usStates =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  )

export const asOf = dateTime('The time at which this answer was true.')

export const schemaVersion = openSet(['svc.business.v1'])

/** What every change of a Business, or of the data that a Workspace keeps about it, declares. */
export const businessMutation = {
  tag: 'Businesses',
  audience: 'workspace',
  receipt: operationReceipt,
} as const

export const getBusiness = query('get_business', {
  http: 'GET /v1/businesses/{business_id}',
  summary: 'Retrieve a Business.',
  description:
    'Without SVC-Workspace-Id, the answer has the published facts. With it, you need businesses:read in the Workspace, and can also retrieve its unpublished Businesses.',
  tag: 'Businesses',
  audience: 'anyone',
  input: {
    business_id: BusinessId,
    fields: T.Optional(
      queryList(oneOf(recordFields), {
        repeatable: true,
        // Larger than the number of fields, because a field may be named twice.
        maxItems: 1000,
        description: 'The fields to return. id is always returned.',
      }),
    ),
    include: T.Optional(
      queryList(oneOf(businessIncludes), {
        repeatable: false,
        maxItems: 20,
        description: 'The parts to return in addition. provenance requires businesses:read.',
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
