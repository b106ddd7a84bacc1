import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { BusinessId, business, businessMutation } from './businesses.ts'
import { valueTypes } from '../typed-values.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import {
  component,
  dateTime,
  fullDate,
  id,
  idCursor,
  nullable,
  open,
  openSet,
  trimmedText,
  uuid,
} from '../schema.ts'
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
      T.String({
        description: 'The logo that the Workspace saved. The service never fetches or publishes it.',
      }),
    ),
    observations: T.Array(LatestObservation, {
      description: 'The current observation of each key that the Workspace recorded.',
    }),
    workspace_access: open({ access_level: openSet(accessLevels) }),
  }),
)

const WorkspaceId = uuid('The ID of the Workspace. Must equal the header SVC-Workspace-Id.')

/** The types of its events, and the feed that shows each. */
export const workspaceLinkEvents = {
  'business.linked': audit,
  'business.unlinked': audit,
} as const

export const listWorkspaceBusinesses = query('list_workspace_businesses', {
  http: 'GET /v1/workspaces/{workspace_id}/businesses',
  summary: 'List the Businesses of a Workspace, including unpublished ones and private observations.',
  description:
    'The list is sorted by ID. Pass page.cursor as cursor while page.has_more is true, with the same Workspace and filter. An empty page does not mean that there are no other Businesses.',
  tag: 'Businesses',
  audience: 'workspace',
  scope: 'businesses:read',
  input: {
    workspace_id: WorkspaceId,
    name: T.Optional(
      trimmedText({
        minLength: 3,
        maxLength: 200,
        description: 'A part of the name. White space at the ends is removed.',
        example: 'Glacier',
      }),
    ),
    limit: T.Optional(pageLimit),
    cursor: T.Optional(idCursor('biz')),
  },
  output: listOf(WorkspaceBusiness),
  problems: [],
})

export const linkBusiness = mutation('link_business', {
  ...businessMutation,
  http: 'POST /v1/workspaces/{workspace_id}/businesses',
  summary: 'Link a Business to the Workspace.',
  description:
    'The Business must be published, or have been linked to the Workspace before; the Workspace then sees its earlier observations and profile again. Linking it again changes nothing.',
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
  summary: 'Unlink a Business from the Workspace.',
  description:
    'The observations and the profile are kept, and are visible again when you link the Business again. Other Workspaces are not affected.',
  scope: 'businesses:write',
  input: { workspace_id: WorkspaceId, business_id: BusinessId },
  output: { data: open({ business_id: BusinessId, removed_at: dateTime() }) },
  status: 200,
  problems: ['not_found'],
  emits: ['business.unlinked'],
})
