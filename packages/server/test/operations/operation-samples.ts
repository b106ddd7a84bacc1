import { newId } from '@wbs/contract/ids'
import type { OperationName } from '@wbs/contract/registry'
import type { CallerName } from './authorization-matrix.ts'
import { addBusiness, addObservation } from '../harness/businesses.ts'
import { enterRoom } from '../harness/rooms.ts'
import type { Input } from './wire.ts'
import type { World } from './world.ts'

/**
 * Input with which each operation succeeds, once, for those who may; what it needs is made when it is asked for. A new
 * operation gets a line here.
 */
export const samples: Record<OperationName, (world: World) => Input | Promise<Input>> = {
  health: () => ({}),
  ready: () => ({}),
  search_businesses: () => ({ query: 'harbor' }),
  get_business: ({ published_id }) => ({ business_id: published_id }),
  list_workspace_businesses: ({ workspace_id }) => ({ workspace_id }),
  create_business: () => ({ name: 'One more Harbor', match_policy: 'force_new' }),
  update_business: async world => ({
    business_id: await freshBusiness(world),
    expected_revision: 1,
    description: 'New',
  }),
  publish_business: async world => ({ business_id: await freshBusiness(world), expected_revision: 1 }),
  withdraw_business: async world => ({
    business_id: await freshBusiness(world, 'published'),
    expected_revision: 1,
  }),
  link_business: async ({ service, workspace_id }) => ({
    workspace_id,
    business_id: await addBusiness(service, { name: 'Pier' }),
  }),
  unlink_business: async world => ({
    workspace_id: world.workspace_id,
    business_id: await freshBusiness(world),
  }),
  create_observation: ({ published_id }) => ({
    business_id: published_id,
    key: 'headcount',
    value: { value_type: 'number', value: 42 },
    observed_on: '2026-01-31',
  }),
  list_observations: ({ published_id }) => ({ business_id: published_id }),
  retract_observation: async world => ({
    business_id: world.published_id,
    observation_id: await freshObservation(world),
  }),
  set_workspace_profile: async world => ({
    business_id: await freshBusiness(world),
    notes: 'New',
    expected_revision: 0,
  }),
  get_workspace_profile: ({ published_id }) => ({ business_id: published_id }),
  create_workspace: () => ({ name: 'One more' }),
  list_workspaces: () => ({}),
  get_workspace: ({ workspace_id }) => ({ workspace_id }),
  get_me: () => ({}),
  update_workspace: async world => ({
    ...(await workspaceNow(world)),
    metadata: { tag: crypto.randomUUID() },
  }),
  close_workspace: world => workspaceNow(world),
  list_team_members: () => ({}),
  get_team_member: async world => ({ membership_id: await freshMember(world) }),
  update_membership: async world => ({
    membership_id: await freshMember(world),
    expected_revision: 1,
    role: 'member',
  }),
  remove_membership: async world => ({ membership_id: await freshMember(world) }),
  leave_team: () => ({}),
  transfer_ownership: async world => ({ membership_id: await freshMember(world), expected_revision: 1 }),
  list_api_keys: () => ({}),
  get_api_key: async world => ({ key_id: await freshKey(world) }),
  create_api_key: () => ({ name: 'A key', scopes: ['businesses:read'] }),
  update_api_key: async world => ({ key_id: await freshKey(world), expected_revision: 1, name: 'Renamed' }),
  rotate_api_key: async world => ({ key_id: await freshKey(world), overlap_seconds: 60 }),
  revoke_api_key: async world => ({ key_id: await freshKey(world) }),
  get_command: () => ({ idempotency_key: 'a-key-of-nobody' }),
  list_team_invitations: () => ({}),
  create_team_invitation: () => ({ email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }),
  get_team_invitation: ({ invitations }) => ({ invitation_id: invitations.sent() }),
  resend_team_invitation: ({ invitations }) => ({ invitation_id: invitations.sent() }),
  revoke_team_invitation: ({ invitations }) => ({ invitation_id: invitations.sent() }),
  inspect_invitation: ({ invitations }) => ({ token: invitations.received() }),
  accept_invitation: ({ invitations }) => ({ token: invitations.received() }),
  decline_invitation: ({ invitations }) => ({ token: invitations.received() }),
  create_room: ({ published_id }) => ({ title: 'A Room', business_id: published_id }),
  get_room: async world => ({ room_id: await freshRoom(world) }),
  list_rooms: () => ({}),
  update_room: async world => ({ room_id: await freshRoom(world), expected_revision: 1, title: 'Renamed' }),
  archive_room: async world => ({ room_id: await freshRoom(world), expected_revision: 1 }),
  restore_room: async world => {
    const room_id = await freshRoom(world)
    await world.service.sql(`update rooms set status = 'archived', archived_at = now() where id = $1`, [
      room_id,
    ])
    return { room_id, expected_revision: 1 }
  },
  attach_room_resource: async world => ({
    room_id: await freshRoom(world),
    resource_type: 'business',
    resource_id: world.published_id,
  }),
  detach_room_resource: async world => {
    const room_id = await freshRoom(world)
    const { room } = await ownerClient(world).attachRoomResource({
      room_id,
      resource_type: 'business',
      resource_id: world.published_id,
    })
    return { room_id, attachment_id: room.attachments[0]?.attachment_id }
  },
  get_room_access: async world => ({ room_id: await freshRoom(world) }),
  list_participants: async world => ({ room_id: await freshRoom(world) }),
  invite_participant: async world => ({
    room_id: await freshRoom(world),
    email: `${crypto.randomUUID()}@example.com`,
    access_level: 'view',
  }),
  get_participant: freshInvitation,
  update_participant: async world => ({ ...(await freshInvitation(world)), access_level: 'edit' }),
  revoke_participant: freshInvitation,
  resend_invitation: freshInvitation,
  leave_room: async world => {
    const room_id = await freshRoom(world)
    await enterRoom(world.service, { ...world, room_id }, world.people.admin, 'full_access')
    return { room_id }
  },
  break_glass: async ({ service, workspace_id, people }) => {
    const admin = service.client({ access_token: people.admin.token, workspace_id })
    const { room } = await admin.createRoom({ title: 'Of the admin alone' })
    return { room_id: room.room_id, reason: 'The admin is away.' }
  },
  list_events: async world => ({ room_id: await freshRoom(world), types: 'room.*', actor: 'me', limit: 5 }),
  // Somebody was invited there: an event with all that events have.
  list_event_changes: async world => ({ room_id: (await freshInvitation(world))['room_id'], limit: 5 }),
  stream_events: async world => ({
    room_id: await freshRoom(world),
    types: 'room.*',
    cursor: (await ownerClient(world).listEventChanges({ limit: 1 })).cursor,
  }),
  get_event: async world => ({ event_id: await createdEvent(world, await freshRoom(world)) }),
}

const ownerClient = ({ service, workspace_id, people }: World) =>
  service.client({ access_token: people.owner.token, workspace_id })

/** A Room of Olivia's that everybody in the Workspace may edit. */
export async function freshRoom(world: World): Promise<string> {
  const { room } = await ownerClient(world).createRoom({ title: 'Fresh' })
  await world.service.sql(
    `update rooms set general_access = 'workspace', general_access_level = 'edit' where id = $1`,
    [room.room_id],
  )
  return room.room_id
}

/** Somebody whom Olivia has invited to a Room of hers. */
export async function freshInvitation(world: World): Promise<Input> {
  const room_id = await freshRoom(world)
  const { participant } = await ownerClient(world).inviteParticipant({
    room_id,
    email: `${crypto.randomUUID()}@example.com`,
    access_level: 'view',
  })
  return { room_id, participant_id: participant.participant_id }
}

/** The id of the event that a Room was opened. */
async function createdEvent({ service }: World, room_id: string): Promise<string> {
  const [event] = await service.sql(`select id from events where room_id = $1 and type = 'room.created'`, [
    room_id,
  ])
  return event?.['id']
}

async function workspaceNow({ service, workspace_id }: World): Promise<Input> {
  const [row] = await service.sql('select revision from workspaces where id = $1', [workspace_id])
  return { workspace_id, expected_revision: row?.['revision'] }
}

const freshMember = ({ service, workspace_id }: World) =>
  service.join(workspace_id, service.person('Fresh'), 'viewer')

const freshKey = async ({ service, workspace_id, people }: World) =>
  (await service.apiKey(workspace_id, people.owner, ['businesses:read'])).key_id

async function freshBusiness(
  { service, workspace_id, people }: World,
  publication_status: 'draft' | 'published' = 'draft',
): Promise<string> {
  const id = await addBusiness(service, { name: 'Quay', publication_status })
  await service.link(workspace_id, id, people.owner, 'full_access')
  return id
}

const freshObservation = ({ service, workspace_id, published_id, people }: World) =>
  addObservation(service, workspace_id, published_id, people.owner)

/** Puts right what a sample that succeeded did to the people of the world and to their Workspace. */
export async function restore({ service, workspace_id, people }: World): Promise<void> {
  await service.sql(`update workspaces set status = 'active' where id = $1 and status <> 'active'`, [
    workspace_id,
  ])
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const)
    await service.sql(
      `update memberships set role = $3, status = 'active' where workspace_id = $1 and user_id = $2 and (role, status) <> ($3, 'active')`,
      [workspace_id, people[role].user_id, role],
    )
}

/** Who sends the sample, where that is not the owner. */
export const performers: Partial<Record<OperationName, CallerName>> = { leave_team: 'viewer' }

interface Hidden {
  absent: Input
  invisible: Input
  /** It answers that it knows of nothing, instead of refusing. */
  answers?: true
}

/** The same input but for the id, of something that is not there and of something that Olivia cannot see. */
const uuidHidden = (name: string, id: string, rest: Input = {}): Hidden => ({
  absent: { ...rest, [name]: crypto.randomUUID() },
  invisible: { ...rest, [name]: id },
})
const member = ({ foreign_membership_id }: World, rest?: Input) =>
  uuidHidden('membership_id', foreign_membership_id, rest)
const key = ({ foreign_key_id }: World, rest?: Input) => uuidHidden('key_id', foreign_key_id, rest)

/** The same of a Room: one that is not there, and one that Olivia does not see. */
const room = ({ foreign_room_id }: Pick<World, 'foreign_room_id'>, rest: Input = {}): Hidden => ({
  absent: { ...rest, room_id: newId('rom') },
  invisible: { ...rest, room_id: foreign_room_id },
})

/** The same of a participant: in a Room that is not there, and in one that Olivia does not see. */
const participant = ({ foreign_room_id, foreign_participant_id }: World, rest: Input = {}): Hidden => ({
  absent: { ...rest, room_id: newId('rom'), participant_id: foreign_participant_id },
  invisible: { ...rest, room_id: foreign_room_id, participant_id: foreign_participant_id },
})

/** The same of a Business: one that is not there, and a draft that is Sam's. */
const business = ({ foreign_draft_id }: World, rest: Input = {}): Hidden => ({
  absent: { ...rest, business_id: newId('biz') },
  invisible: { ...rest, business_id: foreign_draft_id },
})

/**
 * For each operation that takes an id: input that names what is not there, and the same input naming what is there and
 * hidden from the caller (Olivia). Nobody may be able to tell the two answers apart. A new operation that takes an id
 * gets a line here.
 */
export const hidden: Partial<Record<OperationName, (world: World) => Hidden>> = {
  get_business: ({ foreign_draft_id }) => ({
    absent: { business_id: newId('biz') },
    invisible: { business_id: foreign_draft_id },
  }),
  update_business: world => business(world, { expected_revision: 1, name: 'New' }),
  publish_business: world => business(world, { expected_revision: 1 }),
  withdraw_business: world => business(world, { expected_revision: 1 }),
  link_business: world => business(world, { workspace_id: world.workspace_id }),
  unlink_business: world => business(world, { workspace_id: world.workspace_id }),
  create_observation: world =>
    business(world, {
      key: 'mood',
      value: { value_type: 'text', value: 'x' },
      observed_on: '2026-01-31',
    }),
  list_observations: world => business(world),
  retract_observation: world => ({
    absent: { business_id: world.published_id, observation_id: newId('obs') },
    invisible: { business_id: world.published_id, observation_id: world.foreign_observation_id },
  }),
  set_workspace_profile: world => business(world, { expected_revision: 0, notes: 'New' }),
  get_workspace_profile: world => business(world),
  list_workspace_businesses: ({ foreign_workspace_id }) => ({
    absent: { workspace_id: crypto.randomUUID() },
    invisible: { workspace_id: foreign_workspace_id },
  }),
  get_team_invitation: hiddenInvitation,
  resend_team_invitation: hiddenInvitation,
  revoke_team_invitation: hiddenInvitation,
  get_workspace: ({ foreign_workspace_id }) => ({
    absent: { workspace_id: crypto.randomUUID() },
    invisible: { workspace_id: foreign_workspace_id },
  }),
  update_workspace: ({ foreign_workspace_id }) => ({
    absent: { workspace_id: crypto.randomUUID(), expected_revision: 1, name: 'New' },
    invisible: { workspace_id: foreign_workspace_id, expected_revision: 1, name: 'New' },
  }),
  close_workspace: ({ foreign_workspace_id }) => ({
    absent: { workspace_id: crypto.randomUUID(), expected_revision: 1 },
    invisible: { workspace_id: foreign_workspace_id, expected_revision: 1 },
  }),
  get_team_member: world => member(world),
  update_membership: world => member(world, { expected_revision: 1, role: 'viewer' }),
  remove_membership: world => member(world),
  get_api_key: world => key(world),
  update_api_key: world => key(world, { expected_revision: 1, name: 'New' }),
  rotate_api_key: world => key(world),
  revoke_api_key: world => key(world),
  get_room: world => room(world),
  update_room: world => room(world, { expected_revision: 1, title: 'New' }),
  archive_room: world => room(world, { expected_revision: 1 }),
  restore_room: world => room(world, { expected_revision: 1 }),
  attach_room_resource: world => room(world, { resource_type: 'business', resource_id: world.published_id }),
  detach_room_resource: world => room(world, { attachment_id: crypto.randomUUID() }),
  get_room_access: world => room(world),
  list_participants: world => room(world),
  invite_participant: world => room(world, { email: 'zoe@example.com', access_level: 'view' }),
  get_participant: world => participant(world),
  update_participant: world => participant(world, { access_level: 'edit' }),
  revoke_participant: world => participant(world),
  resend_invitation: world => participant(world),
  leave_room: world => room(world),
  // Of her own Workspace there is no Room that an owner cannot break into.
  break_glass: ({ sams_room_id }) => room({ foreign_room_id: sams_room_id }, { reason: 'Needed.' }),
  get_event: ({ foreign_event_id }) => ({
    absent: { event_id: newId('evt') },
    invisible: { event_id: foreign_event_id },
  }),
  get_command: () => ({
    absent: { idempotency_key: 'a-key-of-nobody' },
    invisible: { idempotency_key: 'a-key-of-a-sams' },
    answers: true,
  }),
}

function hiddenInvitation({ invitations }: World): { absent: Input; invisible: Input } {
  return {
    absent: { invitation_id: crypto.randomUUID() },
    invisible: { invitation_id: invitations.foreign_id },
  }
}
