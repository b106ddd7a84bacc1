import { Type as T } from 'typebox'
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
import { Source, WebAddress, day, example, paragraphs } from './input.ts'
import { mutation } from '../operation.ts'
import { lineOfText, nullable, oneOf, openSet, trimmedText, revision } from '../schema.ts'

const Revision = T.Unsafe<number>({ ...revision(), minimum: 1 })

const BusinessName = example(lineOfText(500), 'Glacier Tooling')

const CountryCode = T.Unsafe<string>({
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'Two capital letters. U.S. territories are not taken.',
})

const State = T.Unsafe<string>({
  ...lineOfText(100),
  description: 'In the U.S. the two letters of one of the 50 states, or DC; elsewhere any name.',
})

const City = lineOfText(200)

const NaicsCode = T.Unsafe<string>({
  type: 'string',
  pattern: naicsPattern,
  description: 'A code of the edition that naics_vintage names: 2 to 6 digits, or 31-33, 44-45, 48-49.',
})

const NaicsVintage = oneOf(naicsVintages, 'The edition that naics_code is of; 2022 if not given.')

const data = { data: BusinessRecord, projection: openSet(['public', 'workspace']) }

/** The types of its events, each with the feed that shows it. */
export const businessEvents = {
  'business.created': 'audit',
  'business.facts_changed': 'audit',
  'business.published': 'audit',
  'business.withdrawn': 'audit',
} as const

export const createBusiness = mutation('create_business', {
  ...businessMutation,
  http: 'POST /v1/businesses',
  summary: 'Make a Business: a draft that only this Workspace sees.',
  description:
    'Published Businesses and those of the Workspace are looked at first. One with the same web address (but for the case of scheme and host, and a slash at the end), or with the same name and no other state or city, may be the same. What then happens is match_policy: reject refuses with already_exists and candidates; return_existing links the one that matches and answers with it and status 200, or refuses where there are several; force_new makes another one.',
  scope: 'businesses:write',
  input: {
    name: BusinessName,
    website_url: T.Optional(WebAddress),
    country_code: T.Optional(CountryCode),
    state: T.Optional(State),
    city: T.Optional(City),
    naics_code: T.Optional(NaicsCode),
    naics_vintage: T.Optional(NaicsVintage),
    match_policy: T.Optional(
      T.Unsafe<'reject' | 'return_existing' | 'force_new'>({
        ...oneOf(['reject', 'return_existing', 'force_new']),
        default: 'reject',
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

/** The facts that can be edited, as the request has them. */
const facts = {
  name: T.Optional(BusinessName),
  legal_name: T.Optional(nullable(lineOfText(500))),
  status: T.Optional(oneOf(businessStatuses, 'Of anything but closed there is no closed_on: it is cleared.')),
  closed_on: T.Optional(nullable(day('A day. Goes with status closed alone, and not before the founding.'))),
  description: T.Optional(nullable(example(paragraphs(10_000), 'Machine shop, founded by two tool makers.'))),
  founded_on: T.Optional(nullable(day('A day, in the years 1000 to 2199.'))),
  public_email: T.Optional(
    nullable(
      trimmedText({
        minLength: 3,
        maxLength: 254,
        pattern: emailPattern,
        description: 'An e-mail address.',
      }),
    ),
  ),
  public_phone: T.Optional(
    nullable(
      trimmedText({
        minLength: 8,
        maxLength: 50,
        pattern: phonePattern,
        description: 'A telephone number such as +14045550123.',
      }),
    ),
  ),
  website_url: T.Optional(nullable(WebAddress)),
  country_code: T.Optional(CountryCode),
  state: T.Optional(nullable(State)),
  city: T.Optional(nullable(City)),
  postal_code: T.Optional(nullable(lineOfText(20))),
  line1: T.Optional(nullable(lineOfText(500))),
  naics_code: T.Optional(nullable(NaicsCode)),
  naics_vintage: T.Optional(NaicsVintage),
}

export const factNames = Object.keys(facts) as (keyof typeof facts)[]

export const updateBusiness = mutation('update_business', {
  ...businessMutation,
  http: 'PATCH /v1/businesses/{business_id}',
  summary: 'Change facts of a Business.',
  description:
    'What is left out stays; null clears. country_code, state, city, postal_code and line1 are of the primary location, naics_code and naics_vintage of the primary classification. What everybody can read of a published Business is only changed with its source; without one the answer is evidence_required. To set a fact to what it is changes nothing, and needs none.',
  scope: 'businesses:write',
  input: {
    business_id: BusinessId,
    expected_revision: Revision,
    ...facts,
    source: T.Optional(
      example(
        Source(
          'Where these facts are from. A government_record or website needs its url. Kind and url are shown as provenance to whoever may read provenance; the note, the Workspace and the person never are.',
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
  summary: 'Publish a Business: everybody can find it.',
  description:
    'A draft is published with its primary location and its primary classification; one that was withdrawn, with what was published of it before.',
  emits: ['business.published'],
})

export const withdrawBusiness = mutation('withdraw_business', {
  ...publication,
  http: 'POST /v1/businesses/{business_id}/withdraw',
  summary: 'Withdraw a published Business: no search finds it any more.',
  description:
    'It stays with the Workspaces that had it before it was published. In those that linked it while it was published it is hidden until it is published again; what they recorded of it stays theirs.',
  emits: ['business.withdrawn'],
})
