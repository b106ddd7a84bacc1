import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { BusinessId, businessMutation } from './businesses.ts'
import { example } from './input.ts'
import { mutation, query } from '../operation.ts'
import { dateTime, linesOfText, nullable, open, revision, trimmedText } from '../schema.ts'

const profile = {
  data: open({
    business_id: BusinessId,
    logo_url: nullable(
      T.String({
        description: 'An http or https URL without credentials. The service never fetches or publishes it.',
      }),
    ),
    notes: nullable(T.String()),
    revision: T.Integer({ description: '0 if no profile has been saved.' }),
    updated_at: nullable(dateTime()),
  }),
}

/** The types of its events, and the feed that shows each. */
export const profileEvents = {
  'business.profile_changed': audit,
} as const

export const setWorkspaceProfile = mutation('set_workspace_profile', {
  ...businessMutation,
  http: 'PUT /v1/businesses/{business_id}/workspace-profile',
  summary:
    'Save the logo and the notes that the Workspace keeps for a Business. They are private to the Workspace.',
  description:
    'Fields that you leave out do not change; null clears a field. A logo_url that is not an http or https URL, or contains credentials, is saved as null.',
  scope: 'businesses:write',
  input: {
    business_id: BusinessId,
    logo_url: T.Optional(
      nullable(
        trimmedText({
          minLength: 0,
          maxLength: 100_000,
          description: 'The http or https URL of the logo.',
          example: 'https://glacier-tooling.example/logo.png',
        }),
      ),
    ),
    notes: T.Optional(
      nullable(
        linesOfText(10_000, { description: 'Notes of the Workspace.', example: 'Ask for the lease.' }),
      ),
    ),
    expected_revision: T.Unsafe<number>({
      ...example(revision(), 0),
      description: 'The revision of the profile that you read. 0 if there is none yet.',
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
  summary: 'Retrieve the logo and the notes that the Workspace keeps for a Business.',
  scope: 'businesses:read',
  input: { business_id: BusinessId },
  output: profile,
  problems: ['not_found'],
  tagged: 'r',
})
