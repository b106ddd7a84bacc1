import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import {
  BusinessId,
  BusinessRecord,
  businessStatuses,
  emailPattern,
  naicsPattern,
  naicsVintages,
  phonePattern,
  businessMutation,
} from './businesses.ts'
import { Source, day, example, webAddress } from './input.ts'
import { mutation } from '../operation.ts'
import { lineOfText, linesOfText, nullable, oneOf, openSet, revision, trimmedText } from '../schema.ts'

const Revision = T.Unsafe<number>({ ...revision(), minimum: 1 })

const BusinessName = lineOfText(500, {
  description: 'The name of the Business.',
  example: 'Glacier Tooling',
})

const Website = webAddress('The website of the Business.', 'https://glacier-tooling.example')

const CountryCode = T.Unsafe<string>({
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'The country, as two capital letters. U.S. territories are not supported.',
  examples: ['US'],
})

const State = lineOfText(100, {
  description:
    'The state. In the U.S., the two letters of one of the 50 states, or DC; in other countries, any name.',
  example: 'MT',
})

const City = lineOfText(200, { description: 'The city.', example: 'Bozeman' })

const NaicsCode = T.Unsafe<string>({
  type: 'string',
  pattern: naicsPattern,
  description: 'A NAICS code of the edition in naics_vintage: 2 to 6 digits, or 31-33, 44-45 or 48-49.',
  examples: ['332710'],
})

const NaicsVintage = oneOf(naicsVintages, 'The edition of naics_code. By default it is 2022.')

const data = { data: BusinessRecord, projection: openSet(['public', 'workspace']) }

/** The types of its events, and the feed that shows each. */
export const businessEvents = {
  'business.created': audit,
  'business.facts_changed': audit,
  'business.published': audit,
  'business.withdrawn': audit,
} as const

export const createBusiness = mutation('create_business', {
  ...businessMutation,
  http: 'POST /v1/businesses',
  summary: 'Create a Business as a draft that only your Workspace can see.',
  description:
    'The service first looks for the same Business among published Businesses and those of your Workspace. A Business matches if it has the same website_url (ignoring the case of scheme and host, and a final slash), or the same name and no different state or city. match_policy decides what happens on a match.',
  scope: 'businesses:write',
  input: {
    name: BusinessName,
    website_url: T.Optional(Website),
    country_code: T.Optional(CountryCode),
    state: T.Optional(State),
    city: T.Optional(City),
    naics_code: T.Optional(NaicsCode),
    naics_vintage: T.Optional(NaicsVintage),
    match_policy: T.Optional(
      T.Unsafe<'reject' | 'return_existing' | 'force_new'>({
        ...oneOf(['reject', 'return_existing', 'force_new']),
        default: 'reject',
        description:
          'What to do if a Business matches. reject: answer already_exists with the candidates. return_existing: link the matching Business and return it with the status 200, or answer already_exists if several match. force_new: create another Business.',
      }),
    ),
  },
  rules: [{ rule: 'requires', field: 'naics_vintage', needs: 'naics_code' }],
  output: data,
  status: 201,
  status_if_found: 200,
  problems: ['validation_error', 'already_exists'],
  emits: ['business.created', 'business.linked'],
  tagged: 'r',
})

/** The facts that can be changed, as parameters of the request. */
const facts = {
  name: T.Optional(BusinessName),
  legal_name: T.Optional(
    nullable(
      lineOfText(500, {
        description: 'The registered name of the Business.',
        example: 'Glacier Tooling LLC',
      }),
    ),
  ),
  status: T.Optional(
    oneOf(businessStatuses, 'Whether the Business operates. Any value but closed clears closed_on.'),
  ),
  closed_on: T.Optional(
    nullable(day('The day of the closing. Requires the status closed. Must not be before the founding.')),
  ),
  description: T.Optional(
    nullable(
      linesOfText(10_000, {
        description: 'What the Business does.',
        example: 'Machine shop, founded by two tool makers.',
      }),
    ),
  ),
  founded_on: T.Optional(nullable(day('The day of the founding, in the years 1000 to 2199.'))),
  public_email: T.Optional(
    nullable(
      trimmedText({
        minLength: 3,
        maxLength: 254,
        pattern: emailPattern,
        description: 'The public email address of the Business.',
        example: 'info@glacier-tooling.example',
      }),
    ),
  ),
  public_phone: T.Optional(
    nullable(
      trimmedText({
        minLength: 8,
        maxLength: 50,
        pattern: phonePattern,
        description:
          'The public telephone number of the Business: + and 7 to 15 digits, the country code first.',
        example: '+14065550123',
      }),
    ),
  ),
  website_url: T.Optional(nullable(Website)),
  country_code: T.Optional(CountryCode),
  state: T.Optional(nullable(State)),
  city: T.Optional(nullable(City)),
  postal_code: T.Optional(nullable(lineOfText(20, { description: 'The postal code.', example: '59715' }))),
  line1: T.Optional(
    nullable(lineOfText(500, { description: 'The street and number.', example: '12 Mill Road' })),
  ),
  naics_code: T.Optional(nullable(NaicsCode)),
  naics_vintage: T.Optional(NaicsVintage),
}

export const factNames = Object.keys(facts) as (keyof typeof facts)[]

export const updateBusiness = mutation('update_business', {
  ...businessMutation,
  http: 'PATCH /v1/businesses/{business_id}',
  summary: 'Update facts of a Business.',
  description:
    'Facts that you leave out do not change; null clears a fact. country_code, state, city, postal_code and line1 are facts of the primary location; naics_code and naics_vintage are facts of the primary classification. To change a fact that is published, you must send its source; otherwise the answer is evidence_required. Setting a fact to its current value changes nothing and needs no source.',
  scope: 'businesses:write',
  input: {
    business_id: BusinessId,
    expected_revision: Revision,
    ...facts,
    source: T.Optional(
      example(
        Source(
          'Where these facts come from. The kinds government_record and website require url. Callers who may read provenance see kind and url. The note, your Workspace and you are never shown.',
        ),
        { kind: 'website', url: 'https://glacier-tooling.example/about' },
      ),
    ),
  },
  rules: [
    { rule: 'some', fields: factNames },
    { rule: 'requires', field: 'naics_vintage', needs: 'naics_code' },
  ],
  output: data,
  status: 200,
  problems: [
    'validation_error',
    'not_found',
    'forbidden',
    'state_conflict',
    'revision_conflict',
    'evidence_required',
  ],
  emits: ['business.facts_changed'],
  tagged: 'r',
})

const publication = {
  ...businessMutation,
  scope: 'businesses:publish',
  input: { business_id: BusinessId, expected_revision: Revision },
  output: data,
  status: 200,
  problems: ['not_found', 'forbidden', 'state_conflict', 'revision_conflict'],
  tagged: 'r',
} as const

export const publishBusiness = mutation('publish_business', {
  ...publication,
  http: 'POST /v1/businesses/{business_id}/publish',
  summary: 'Publish a Business, so that everybody can find it.',
  description:
    'A draft is published with its primary location and its primary classification. A withdrawn Business is published with what was published before.',
  emits: ['business.published'],
})

export const withdrawBusiness = mutation('withdraw_business', {
  ...publication,
  http: 'POST /v1/businesses/{business_id}/withdraw',
  summary: 'Withdraw a published Business, so that search no longer finds it.',
  description:
    'Workspaces that had the Business before it was published keep it. Workspaces that linked it while it was published cannot see it until it is published again; their observations and profiles are kept.',
  emits: ['business.withdrawn'],
})
