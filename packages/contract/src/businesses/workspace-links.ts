import { Type as T } from 'typebox'
import { BusinessId, business, businessMutation } from './businesses.ts'
import { valueTypes } from './observations.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { component, dateTime, fullDate, id, nullable, open, openSet, trimmedText, uuid } from '../schema.ts'
import { accessLevels } from '../scopes.ts'

const LatestObservation = component(
  'LatestObservation',
  open({
    observation_id: id('obs'),
    key: T.String(),
    value: open({ value_type: openSet(valueTypes), value: T.Unknown() }),
    observed_on: fullDate(),
  }),
)

const WorkspaceBusiness = component(
  'WorkspaceBusiness',
  open({
    ...business,
    logo_url: nullable(
      T.String({ description: 'What this Workspace saved for itself. Never fetched, never published.' }),
    ),
    observations: T.Array(LatestObservation, {
      description: 'The latest of each key that this Workspace recorded.',
    }),
    workspace_access: open({ access_level: openSet(accessLevels) }),
  }),
)

const WorkspaceId = uuid('Equal to the header SVC-Workspace-Id.')

/** The types of its events, each with the feed that shows it. */
export const workspaceLinkEvents = {
  'business.linked': 'audit',
  'business.unlinked': 'audit',
} as const

export const listWorkspaceBusinesses = query('list_workspace_businesses', {
  http: 'GET /v1/workspaces/{workspace_id}/businesses',
  summary: 'List the Businesses of a Workspace, unpublished ones and private observations included.',
  description:
    'In the order of Business ids. Pass page.cursor as cursor while page.has_more is true, keeping Workspace and filter; an empty page does not show that there are no others.',
  tag: 'Businesses',
  audience: 'workspace',
  scope: 'businesses:read',
  input: {
    workspace_id: WorkspaceId,
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

export const linkBusiness = mutation('link_business', {
  ...businessMutation,
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
  ...businessMutation,
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
