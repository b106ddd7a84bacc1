import { Type as T } from 'typebox'
import { BusinessId, businessMutation } from './businesses.ts'
import { example, paragraphs } from './input.ts'
import { mutation, query } from '../operation.ts'
import { dateTime, nullable, open, revision, trimmedText } from '../schema.ts'

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

/** The types of its events, each with the feed that shows it. */
export const profileEvents = {
  'business.profile_changed': 'audit',
} as const

export const setWorkspaceProfile = mutation('set_workspace_profile', {
  ...businessMutation,
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
