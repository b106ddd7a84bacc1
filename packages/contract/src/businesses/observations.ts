import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { BusinessId, businessMutation } from './businesses.ts'
import { Source, day, example, sourceKinds } from './input.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { component, dateTime, fullDate, id, idCursor, nullable, open, openSet, uuid } from '../schema.ts'
import { givenValue, valueTypes } from '../typed-values.ts'

export const observationKeyPattern = '^[a-z][a-z0-9_]{0,63}$'

const observationKey = T.Unsafe<string>({
  type: 'string',
  maxLength: 64,
  pattern: observationKeyPattern,
  description: 'What was observed: a lowercase letter, then lowercase letters, digits or _.',
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

/** The types of its events, and the feed that shows each. */
export const observationEvents = {
  'business.observation_recorded': audit,
  'business.observation_retracted': audit,
} as const

export const createObservation = mutation('create_observation', {
  ...businessMutation,
  http: 'POST /v1/businesses/{business_id}/observations',
  summary: 'Record an observation of a Business. It is private to the Workspace.',
  description:
    'The Business must be linked to the Workspace. Observations cannot be changed: for each key, the one with the latest observed_on is current, and of those with the same day the one recorded last. Retract a wrong observation.',
  scope: 'businesses:write',
  input: {
    business_id: BusinessId,
    key: observationKey,
    value: givenValue({
      value_type: 'The type of the value.',
      description: 'What the value was.',
      example: { value_type: 'number', value: 42 },
    }),
    observed_on: day('The day on which it was observed. Must not be in the future.'),
    source: T.Optional(
      example(Source('Where it comes from. The kinds government_record and website require url.'), {
        kind: 'document',
        note: 'Payroll report of January 2026.',
      }),
    ),
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
  summary: 'List the observations that the Workspace recorded of a Business, newest first.',
  scope: 'businesses:read',
  input: {
    business_id: BusinessId,
    key: T.Optional(observationKey),
    include_retracted: T.Optional(
      T.Boolean({ default: false, description: 'Whether to list retracted observations too.' }),
    ),
    cursor: T.Optional(idCursor('obs')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Observation),
  problems: ['not_found'],
})

export const retractObservation = mutation('retract_observation', {
  ...businessMutation,
  http: 'POST /v1/businesses/{business_id}/observations/{observation_id}/retract',
  summary: 'Retract an observation.',
  description:
    'The observation is kept, and listed with include_retracted. The previous one of its key is current again.',
  scope: 'businesses:write',
  input: { business_id: BusinessId, observation_id: id('obs') },
  output: { data: Observation },
  status: 200,
  problems: ['not_found', 'state_conflict'],
  emits: ['business.observation_retracted'],
})
