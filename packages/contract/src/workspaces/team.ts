import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import { roles, scopes, type Role } from '../scopes.ts'
import {
  closed,
  component,
  dateTime,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
  uuid,
  uuidCursor,
} from '../schema.ts'
import { membership, WorkspaceAccess } from './workspaces.ts'

const TeamMember = component(
  'TeamMember',
  open({
    ...membership,
    name: nullable(
      T.String({ description: 'The name from the access token with which they last changed something.' }),
    ),
    email: nullable(T.String()),
    access: WorkspaceAccess,
    effective_permissions: T.Array(openSet(scopes), {
      description: 'What the member may do with an access token: the role and the overrides combined.',
    }),
    revision: T.Integer(),
    updated_at: dateTime(),
  }),
)

const MembershipId = uuid('The ID of the membership.')

/** Overrides of a member's role: true grants a permission, false removes it. */
const Overrides = closed(Object.fromEntries(scopes.map(scope => [scope, T.Optional(T.Boolean())])))

/** The types of its events, and the feed that shows each. */
export const teamEvents = {
  'member.joined': audit,
  'member.updated': audit,
  'member.removed': audit,
  'member.left': audit,
  'ownership.transferred': audit,
} as const

export const listTeamMembers = query('list_team_members', {
  http: 'GET /v1/team/members',
  summary: 'List the members of a Workspace.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:read',
  input: {
    role: T.Optional(oneOf(roles, 'Only members with this role.')),
    cursor: T.Optional(uuidCursor()),
    limit: T.Optional(pageLimit),
  },
  output: listOf(TeamMember),
  problems: [],
})

export const getTeamMember = query('get_team_member', {
  http: 'GET /v1/team/members/{membership_id}',
  summary: 'Retrieve a member of a Workspace.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:read',
  input: { membership_id: MembershipId },
  output: { data: TeamMember },
  problems: ['not_found'],
  tagged: 'r',
})

export const updateMembership = mutation('update_membership', {
  http: 'PATCH /v1/team/members/{membership_id}',
  summary: 'Update the role or the permissions of a member.',
  description:
    'You cannot grant or remove a permission that you lack. Only an owner can make a member an owner, or change the role of an owner, and only with an access token. A Workspace keeps at least one owner.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:manage',
  input: {
    membership_id: MembershipId,
    expected_revision: revision(),
    role: T.Optional(T.Unsafe<Role>({ ...oneOf(roles, 'The new role.'), examples: ['member'] })),
    permissions: T.Optional(
      T.Unsafe<Partial<Record<(typeof scopes)[number], boolean>>>({
        ...Overrides,
        description:
          'Replaces the overrides of the role: true grants a permission, false removes it. Owners have no overrides.',
      }),
    ),
  },
  rules: [{ rule: 'some', fields: ['role', 'permissions'] }],
  output: { data: TeamMember },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['member.updated'],
  receipt: operationReceipt,
  tagged: 'r',
})

export const removeMembership = mutation('remove_membership', {
  http: 'POST /v1/team/members/{membership_id}/remove',
  summary: 'Remove a member from a Workspace and revoke their API keys.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:manage',
  input: { membership_id: MembershipId, expected_revision: T.Optional(revision()) },
  output: { data: TeamMember },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['member.removed', 'api_key.revoked'],
  receipt: operationReceipt,
})

export const leaveTeam = mutation('leave_team', {
  http: 'POST /v1/team/leave',
  summary: 'Leave a Workspace.',
  description:
    'Requires an access token. Your API keys in the Workspace are revoked. The last owner cannot leave.',
  tag: 'Team',
  audience: 'workspace',
  input: {},
  output: { data: TeamMember },
  status: 200,
  problems: ['forbidden', 'state_conflict'],
  emits: ['member.left', 'api_key.revoked'],
  receipt: operationReceipt,
})

export const transferOwnership = mutation('transfer_ownership', {
  http: 'POST /v1/team/transfer-ownership',
  summary: 'Transfer your ownership of a Workspace to another member.',
  description: 'Requires the access token of an owner. You become an admin.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:manage',
  input: {
    membership_id: uuid('The ID of the membership of the new owner.'),
    expected_revision: revision(),
  },
  output: { data: TeamMember, former_owner: TeamMember },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'revision_conflict'],
  emits: ['ownership.transferred'],
  receipt: operationReceipt,
})
