import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import { accessLevels, roles } from '../scopes.ts'
import {
  component,
  dateTime,
  lineOfText,
  nullable,
  open,
  openSet,
  revision,
  uuid,
  uuidCursor,
} from '../schema.ts'
import { stateMachine } from '../state-machine.ts'

export const workspaceStatuses = ['active', 'suspended', 'closed'] as const

/** Only operators suspend a Workspace, and decide what happens to a suspended one. */
export const workspaceMachine = stateMachine(workspaceStatuses, 'active', {
  update: { active: 'active' },
  close: { active: 'closed' },
  suspend: { active: 'suspended' },
  resume: { suspended: 'active' },
  close_suspended: { suspended: 'closed' },
})

const membershipStatuses = ['invited', 'active', 'removed'] as const

/** While somebody is invited, there is a team invitation and no membership yet. */
export const membershipMachine = stateMachine(membershipStatuses, 'invited', {
  accept: { invited: 'active' },
  update: { active: 'active' },
  remove: { active: 'removed' },
  leave: { active: 'removed' },
})

const workspace = {
  id: uuid(),
  name: T.String(),
  workspace_type: openSet(['personal', 'team']),
  resource_type: openSet(['workspace']),
  resource_id: uuid('The same as id.'),
  status: openSet(workspaceStatuses),
  metadata: T.Record(T.String(), T.Unknown()),
  storage_limit_bytes: T.Optional(
    nullable(
      T.Integer({
        description:
          'The most bytes of content that its admins allow: stored, and promised by open uploads. Null for the limit of the service.',
      }),
    ),
  ),
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
  status: openSet(membershipStatuses),
  permissions: T.Record(T.String(), T.Boolean(), {
    description: 'The overrides of the role: true grants a permission, false removes it.',
  }),
  joined_at: nullable(dateTime()),
  created_at: dateTime(),
}
export const Membership = component('Membership', open(membership))

export const WorkspaceAccess = component('WorkspaceAccess', open({ access_level: openSet(accessLevels) }))

const WorkspaceName = lineOfText(200, {
  description: 'The name of the Workspace.',
  example: 'Harbor Partners',
})

const WorkspaceInPath = uuid('The ID of the Workspace. Must equal the header SVC-Workspace-Id.')

/** The types of its events, and the feed that shows each. */
export const workspaceEvents = {
  'workspace.created': audit,
  'workspace.updated': audit,
  'workspace.closed': audit,
} as const

export const createWorkspace = mutation('create_workspace', {
  http: 'POST /v1/workspaces',
  summary: 'Create a team Workspace.',
  description:
    'You become its owner. The Idempotency-Key never expires: the same key with the same name returns the existing Workspace, and the same key with another name is refused.',
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
  summary: 'List the Workspaces of which you are a member.',
  tag: 'Workspaces',
  audience: 'user',
  input: { cursor: T.Optional(uuidCursor()), limit: T.Optional(pageLimit) },
  output: listOf(WorkspaceOfCaller),
  problems: [],
})

export const getWorkspace = query('get_workspace', {
  http: 'GET /v1/workspaces/{workspace_id}',
  summary: 'Retrieve a Workspace.',
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
  summary: 'Update the name, the metadata or the limit of storage of a Workspace.',
  tag: 'Workspaces',
  audience: 'workspace',
  scope: 'workspace:manage',
  input: {
    workspace_id: WorkspaceInPath,
    expected_revision: revision(),
    name: T.Optional(WorkspaceName),
    metadata: T.Optional(
      T.Record(T.String(), T.Unknown(), {
        description: 'An object of your own. Replaces the current one. At most 16 KiB as JSON.',
      }),
    ),
    storage_limit_bytes: T.Optional(
      nullable(
        T.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'The most bytes of content in the Workspace: stored, and promised by open uploads. At most the limit of the service, which null stands for. What is there already stays.',
          examples: [53_687_091_200],
        }),
      ),
    ),
  },
  rules: [{ rule: 'some', fields: ['name', 'metadata', 'storage_limit_bytes'] }],
  output: { data: WorkspaceOfCaller },
  status: 200,
  problems: ['validation_error', 'revision_conflict'],
  emits: ['workspace.updated'],
  receipt: operationReceipt,
  tagged: 'r',
})

export const closeWorkspace = mutation('close_workspace', {
  http: 'POST /v1/workspaces/{workspace_id}/close',
  summary: 'Close a Workspace permanently.',
  description:
    'Requires the access token of an owner. Afterwards nobody has access to the Workspace, including you. Its data is kept.',
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
