import { Type as T } from 'typebox'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import { accessLevels, roles, scopes } from '../scopes.ts'
import { component, dateTime, lineOfText, nullable, open, openSet, revision, uuid } from '../schema.ts'

const workspace = {
  id: uuid(),
  name: T.String(),
  workspace_type: openSet(['personal', 'team']),
  resource_type: openSet(['workspace']),
  resource_id: uuid('The same as id.'),
  status: openSet(['active', 'suspended', 'closed']),
  metadata: T.Record(T.String(), T.Unknown()),
  revision: T.Integer(),
  created_at: dateTime(),
  updated_at: dateTime(),
}
export const Workspace = component('Workspace', open(workspace))

export const membership = {
  id: uuid(),
  workspace_id: uuid(),
  user_id: uuid(),
  role: openSet(roles),
  status: openSet(['invited', 'active', 'removed']),
  permissions: T.Record(T.String(), T.Boolean(), {
    description:
      'What this member may do beyond the role (true), or may not though the role allows it (false).',
  }),
  joined_at: nullable(dateTime()),
  created_at: dateTime(),
}
export const Membership = component('Membership', open(membership))

export const WorkspaceAccess = component('WorkspaceAccess', open({ access_level: openSet(accessLevels) }))

const WorkspaceName = lineOfText(200)

const WorkspaceInPath = uuid('Equal to the header SVC-Workspace-Id.')

/** The types of its events, each with the feed that shows it. */
export const workspaceEvents = {
  'workspace.created': 'audit',
  'workspace.updated': 'audit',
  'workspace.closed': 'audit',
} as const

export const createWorkspace = mutation('create_workspace', {
  http: 'POST /v1/workspaces',
  summary: 'Create a team Workspace, with the caller as its owner.',
  description:
    'The Idempotency-Key is remembered for ever: the same key with the same name answers with the first Workspace; with another name it is refused.',
  tag: 'Workspaces',
  audience: 'signed_in',
  input: { name: WorkspaceName },
  output: { workspace: Workspace, owner_membership: Membership, access: WorkspaceAccess },
  status: 201,
  problems: [],
  emits: ['workspace.created'],
  key_life: 'for_ever',
})

const WorkspaceOfCaller = component(
  'WorkspaceOfCaller',
  open({ ...workspace, role: openSet(roles), access: WorkspaceAccess }),
)

export const listWorkspaces = query('list_workspaces', {
  http: 'GET /v1/workspaces',
  summary: 'List the Workspaces that the caller is a member of.',
  tag: 'Workspaces',
  audience: 'user',
  input: { cursor: T.Optional(uuid('The cursor of the page before.')), limit: T.Optional(pageLimit) },
  output: listOf(WorkspaceOfCaller),
  problems: [],
})

export const getWorkspace = query('get_workspace', {
  http: 'GET /v1/workspaces/{workspace_id}',
  summary: 'Read a Workspace.',
  tag: 'Workspaces',
  audience: 'workspace',
  scope: 'workspace:read',
  input: { workspace_id: WorkspaceInPath },
  output: { data: WorkspaceOfCaller },
  problems: ['not_found'],
  tagged: 'r',
})

export const updateWorkspace = mutation('update_workspace', {
  http: 'PATCH /v1/workspaces/{workspace_id}',
  summary: 'Change the name or the metadata of a Workspace.',
  tag: 'Workspaces',
  audience: 'workspace',
  scope: 'workspace:manage',
  input: {
    workspace_id: WorkspaceInPath,
    expected_revision: revision(),
    name: T.Optional(WorkspaceName),
    metadata: T.Optional(
      T.Record(T.String(), T.Unknown(), {
        description: 'An object of your own, in place of the present one: at most 16 KiB as JSON.',
      }),
    ),
  },
  rules: [{ rule: 'some', fields: ['name', 'metadata'] }],
  output: { data: WorkspaceOfCaller },
  status: 200,
  problems: ['validation_error', 'revision_conflict'],
  emits: ['workspace.updated'],
  receipt: operationReceipt,
  tagged: 'r',
})

export const closeWorkspace = mutation('close_workspace', {
  http: 'POST /v1/workspaces/{workspace_id}/close',
  summary: 'Close a Workspace for good.',
  description:
    'For owners alone, in person. From then on nobody has standing in it, the one who closed it included; what it holds is kept.',
  tag: 'Workspaces',
  audience: 'workspace',
  scope: 'workspace:manage',
  input: { workspace_id: WorkspaceInPath, expected_revision: revision() },
  output: { data: WorkspaceOfCaller },
  status: 200,
  problems: ['forbidden', 'revision_conflict'],
  emits: ['workspace.closed'],
  receipt: operationReceipt,
  tagged: 'r',
})

export const getMe = query('get_me', {
  http: 'GET /v1/me',
  summary: 'Say who the caller is, where they belong, and what they may do there.',
  tag: 'Workspaces',
  audience: 'caller',
  input: {},
  output: {
    data: open({
      user: open({
        user_id: uuid(),
        email: nullable(T.String()),
        email_verified: T.Boolean(),
        name: nullable(T.String()),
        is_anonymous: T.Boolean(),
      }),
      credential: open({
        kind: openSet(['access_token', 'api_key']),
        key_id: nullable(uuid()),
        scopes: T.Array(openSet(scopes), {
          description: 'Of an API key: what it may do at most. Of a token: empty.',
        }),
      }),
      memberships: T.Array(
        open({
          ...membership,
          workspace_name: T.String(),
          workspace_status: workspace.status,
          access: WorkspaceAccess,
          effective_permissions: T.Array(openSet(scopes), {
            description: 'What this credential may do in the Workspace now.',
          }),
        }),
      ),
    }),
  },
  problems: [],
})
