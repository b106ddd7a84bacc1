import { Type as T } from 'typebox'
import { BusinessId, businessMutation } from './businesses.ts'
import { Source, day, sourceKinds } from './input.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { component, dateTime, fullDate, id, nullable, oneOf, open, openSet, uuid, closed } from '../schema.ts'

export const valueTypes = ['text', 'number', 'boolean', 'date'] as const

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

/** The types of its events, each with the feed that shows it. */
export const observationEvents = {
  'business.observation_recorded': 'audit',
  'business.observation_retracted': 'audit',
} as const

export const createObservation = mutation('create_observation', {
  ...businessMutation,
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
  ...businessMutation,
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
