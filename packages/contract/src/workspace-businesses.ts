import { Type as T } from 'typebox'
import {
  BusinessRecord,
  businessStatuses,
  emailPattern,
  naicsPattern,
  naicsVintages,
  phonePattern,
  valueTypes,
  webPattern,
  WorkspaceBusiness,
} from './businesses.ts'
import { mutation, query } from './operation.ts'
import { listOf, pageLimit } from './paging.ts'
import { operationReceipt } from './receipts.ts'
import {
  closed,
  component,
  dateTime,
  fullDate,
  id,
  lineOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
  trimmedText,
  uuid,
} from './schema.ts'

/** Text that may have several lines: tabs and line breaks are the only control characters. */
const paragraphs = (maxLength: number) =>
  T.Unsafe<string>({
    ...trimmedText({
      minLength: 1,
      maxLength,
      pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]+$',
    }),
  })
const example = <S extends object>(schema: S, value: unknown): S => ({ ...schema, examples: [value] })

const Revision = T.Unsafe<number>({ ...revision(), minimum: 1 })
const day = (description: string) =>
  T.Unsafe<string>({
    ...fullDate(description),
    pattern: '^(?:1[0-9]{3}|2[01][0-9]{2})-',
  })

const BusinessName = example(lineOfText(500), 'Glacier Tooling')
const WebAddress = trimmedText({
  minLength: 8,
  maxLength: 2048,
  pattern: webPattern,
  description:
    'An http or https URL without white space, user name or password. Kept to the letter, as search compares it.',
})
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

export const sourceKinds = ['government_record', 'website', 'document', 'statement', 'other'] as const
export type SourceKind = (typeof sourceKinds)[number]

const Source = (description: string) =>
  T.Unsafe<{ kind: SourceKind; url?: string; note?: string }>({
    ...closed({
      kind: oneOf(sourceKinds),
      url: T.Optional(WebAddress),
      note: T.Optional(paragraphs(2000)),
    }),
    description,
  })

const data = { data: BusinessRecord, projection: openSet(['public', 'workspace']) }
const common = {
  tag: 'Businesses',
  audience: 'workspace',
  receipt: operationReceipt,
} as const
const BusinessId = id('biz')

export const createBusiness = mutation('create_business', {
  ...common,
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
  ...common,
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
  ...common,
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

const WorkspaceId = uuid('Equal to the header SVC-Workspace-Id.')

export const linkBusiness = mutation('link_business', {
  ...common,
  http: 'POST /v1/workspaces/{workspace_id}/businesses',
  summary: 'Take a published Business into the Workspace.',
  description:
    'Or one that was in it before, with all that the Workspace recorded of it. To repeat it changes nothing.',
  scope: 'businesses:write',
  input: { workspace_id: WorkspaceId, business_id: BusinessId },
  output: { data: WorkspaceBusiness },
  status: 201,
  status_if_found: 200,
  problems: ['not_found'],
  emits: ['business.linked'],
})

export const unlinkBusiness = mutation('unlink_business', {
  ...common,
  http: 'POST /v1/workspaces/{workspace_id}/businesses/{business_id}/remove',
  summary: 'Take a Business out of the Workspace.',
  description:
    'Observations and profile are kept, and come back when the Business is linked again. Other Workspaces do not notice.',
  scope: 'businesses:write',
  input: { workspace_id: WorkspaceId, business_id: BusinessId },
  output: { data: open({ business_id: BusinessId, removed_at: dateTime() }) },
  status: 200,
  problems: ['not_found'],
  emits: ['business.unlinked'],
})

const observationKey = T.Unsafe<string>({
  type: 'string',
  maxLength: 64,
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  description: 'What was observed: small letters, digits and _, at most 64.',
  examples: ['headcount'],
})

const Observation = component(
  'Observation',
  open({
    observation_id: id('obs'),
    business_id: BusinessId,
    key: T.String(),
    value: open({ value_type: openSet(valueTypes), value: T.Unknown() }),
    observed_on: fullDate(),
    source: nullable(
      open({ kind: openSet(sourceKinds), url: nullable(T.String()), note: nullable(T.String()) }),
    ),
    recorded_by: open({ type: openSet(['person']), user_id: uuid() }),
    recorded_at: dateTime(),
    retracted_at: nullable(dateTime()),
  }),
)

export const createObservation = mutation('create_observation', {
  ...common,
  http: 'POST /v1/businesses/{business_id}/observations',
  summary: 'Record what the Workspace knows of a Business. It stays private.',
  description:
    'The Business has to be one of the Workspace. Observations are never changed: of each key the latest day counts, and of one day what was recorded last; a wrong one is retracted.',
  scope: 'businesses:write',
  input: {
    business_id: BusinessId,
    key: observationKey,
    value: T.Unsafe<{ value_type: (typeof valueTypes)[number]; value: string | number | boolean }>({
      ...closed({
        value_type: oneOf(valueTypes),
        value: T.Unsafe<string | number | boolean>({
          type: ['string', 'number', 'boolean'],
          maxLength: 10_000,
          description: 'Of the type that value_type says; a date as YYYY-MM-DD.',
        }),
      }),
      examples: [{ value_type: 'number', value: 42 }],
    }),
    observed_on: day('The day on which it was so; not one to come.'),
    source: T.Optional(Source('Where it is from. A government_record or website needs its url.')),
  },
  output: { data: Observation },
  status: 201,
  problems: ['validation_error', 'not_found'],
  emits: ['business.observation_recorded'],
})

export const listObservations = query('list_observations', {
  tag: 'Businesses',
  audience: 'workspace',
  http: 'GET /v1/businesses/{business_id}/observations',
  summary: 'List what the Workspace recorded of a Business, newest first.',
  scope: 'businesses:read',
  input: {
    business_id: BusinessId,
    key: T.Optional(observationKey),
    include_retracted: T.Optional(T.Boolean({ default: false })),
    cursor: T.Optional(id('obs')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Observation),
  problems: ['not_found'],
})

export const retractObservation = mutation('retract_observation', {
  ...common,
  http: 'POST /v1/businesses/{business_id}/observations/{observation_id}/retract',
  summary: 'Take an observation back.',
  description: 'It is kept, and listed with include_retracted. The one before it counts again.',
  scope: 'businesses:write',
  input: { business_id: BusinessId, observation_id: id('obs') },
  output: { data: Observation },
  status: 200,
  problems: ['not_found', 'state_conflict'],
  emits: ['business.observation_retracted'],
})

const profile = {
  data: open({
    business_id: BusinessId,
    logo_url: nullable(
      T.String({ description: 'An http or https URL without credentials. Never fetched, never published.' }),
    ),
    notes: nullable(T.String()),
    revision: T.Integer({ description: '0 where nothing was ever saved.' }),
    updated_at: nullable(dateTime()),
  }),
}

export const setWorkspaceProfile = mutation('set_workspace_profile', {
  ...common,
  http: 'PUT /v1/businesses/{business_id}/workspace-profile',
  summary: 'Save what the Workspace shows of a Business among its own: a logo, notes. It stays private.',
  description:
    'What is left out stays; null clears. A logo_url that is no http or https URL, or holds credentials, is saved as null.',
  scope: 'businesses:write',
  input: {
    business_id: BusinessId,
    logo_url: T.Optional(nullable(trimmedText({ minLength: 0, maxLength: 100_000 }))),
    notes: T.Optional(nullable(example(paragraphs(10_000), 'Ask for the lease.'))),
    expected_revision: T.Unsafe<number>({
      ...example(revision(), 0),
      description: 'The revision of the profile that was read; 0 where there is none yet.',
    }),
  },
  rules: [{ rule: 'some', fields: ['logo_url', 'notes'] }],
  output: profile,
  status: 200,
  problems: ['not_found', 'revision_conflict'],
  emits: ['business.profile_changed'],
  tagged: 'r',
})

export const getWorkspaceProfile = query('get_workspace_profile', {
  tag: 'Businesses',
  audience: 'workspace',
  http: 'GET /v1/businesses/{business_id}/workspace-profile',
  summary: 'Read what the Workspace saved of a Business for itself.',
  scope: 'businesses:read',
  input: { business_id: BusinessId },
  output: profile,
  problems: ['not_found'],
  tagged: 'r',
})
