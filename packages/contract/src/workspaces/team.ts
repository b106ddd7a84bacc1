import { Type as T } from 'typebox'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import { roles, scopes, type Role } from '../scopes.ts'
import { closed, component, dateTime, nullable, oneOf, open, openSet, revision, uuid } from '../schema.ts'
import { membership, WorkspaceAccess } from './workspaces.ts'

const TeamMember = component(
  'TeamMember',
  open({
    ...membership,
    name: nullable(
      T.String({ description: 'As their issuer said it when they last changed something here.' }),
    ),
    email: nullable(T.String()),
    access: WorkspaceAccess,
    effective_permissions: T.Array(openSet(scopes), { description: 'What this member may do in person.' }),
    revision: T.Integer(),
    updated_at: dateTime(),
  }),
)

const MembershipId = uuid('The id of the membership.')

/** What a member may do beyond the role, or may not though the role allows it. */
const Overrides = closed(Object.fromEntries(scopes.map(scope => [scope, T.Optional(T.Boolean())])))

/** The types of its events, each with the feed that shows it. */
export const teamEvents = {
  'member.joined': 'audit',
  'member.updated': 'audit',
  'member.removed': 'audit',
  'member.left': 'audit',
  'ownership.transferred': 'audit',
} as const

export const listTeamMembers = query('list_team_members', {
  http: 'GET /v1/team/members',
  summary: 'List the members of a Workspace.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:read',
  input: {
    role: T.Optional(oneOf(roles)),
    cursor: T.Optional(uuid('The cursor of the page before.')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(TeamMember),
  problems: [],
})

export const getTeamMember = query('get_team_member', {
  http: 'GET /v1/team/members/{membership_id}',
  summary: 'Read a member of a Workspace.',
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
  summary: 'Change the role or the permissions of a member.',
  description:
    'Nobody gives, or takes away, what they may not do themselves. Who is an owner is for owners to say, in person; the last one stays.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:manage',
  input: {
    membership_id: MembershipId,
    expected_revision: revision(),
    role: T.Optional(T.Unsafe<Role>({ ...oneOf(roles), examples: ['member'] })),
    permissions: T.Optional(
      T.Unsafe<Partial<Record<(typeof scopes)[number], boolean>>>({
        ...Overrides,
        description:
          'In place of the present overrides of the role: true gives a permission, false takes it. Owners have none.',
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
  summary: 'Remove a member from a Workspace, and revoke their API keys.',
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
  summary: 'Leave a Workspace, in person; the last owner cannot.',
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
  summary: 'Make another member the owner in the own place, in person; the caller becomes an admin.',
  tag: 'Team',
  audience: 'workspace',
  scope: 'team:manage',
  input: {
    membership_id: uuid('The membership of who is to be owner.'),
    expected_revision: revision(),
  },
  output: { data: TeamMember, former_owner: TeamMember },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'revision_conflict'],
  emits: ['ownership.transferred'],
  receipt: operationReceipt,
})
