import type { Client } from '@wbs/sdk'
import { addBusiness, addObservation } from '../harness/businesses.ts'
import { insertInvitations } from '../harness/invitations.ts'
import type { Person, TestService } from '../harness/service.ts'
import { oven } from '../valuations/assets/oven.ts'
import { row } from '../valuations/benchmark-sets/row.ts'
import { someApp } from '../harness/test-app.ts'
import { bakery } from '../valuations/valuation-document.ts'

export type PersonName = 'owner' | 'admin' | 'member' | 'viewer' | 'removed' | 'outsider'

/**
 * The data with which every operation can succeed: Olivia's Workspace with a member of each role, and a Workspace of Sam's
 * with no member in common.
 */
export interface World {
  service: TestService
  workspace_id: string
  /** Another Workspace of Olivia's, with no other member. */
  second_workspace_id: string
  foreign_workspace_id: string
  people: Record<PersonName, Person>
  anonymous: Person
  sam: Person
  /** Olivia's client, in her Workspace. */
  us: Client
  /** Sam's client, in his Workspace. */
  them: Client
  /** A published Business, linked to both Workspaces. */
  published_id: string
  /** The id of a resource that is hidden from Olivia, by the parameter that takes it. Add each new kind of id. */
  hidden: Readonly<Record<string, string>>
}

export async function makeWorld(service: TestService): Promise<World> {
  const [owner, admin, member, viewer, removed, outsider, sam] = [
    'Olivia',
    'Adam',
    'Mia',
    'Viktor',
    'Rita',
    'Otto',
    'Sam',
  ].map(name => service.person(name)) as [Person, Person, Person, Person, Person, Person, Person]
  const workspace_id = await service.workspace('Harbor', owner, { admin, member, viewer })
  // A Workspace of tests has one person for each role, so Rita joins another one and is moved.
  const rita = await service.workspace('Away', sam, { member: removed })
  await service.sql(
    `update memberships set workspace_id = $1, status = 'removed' where workspace_id = $2 and user_id = $3`,
    [workspace_id, rita, removed.user_id],
  )
  const second_workspace_id = await service.workspace('Harbor Archive', owner)
  const foreign_workspace_id = await service.workspace('Elsewhere', sam)
  const published_id = await addBusiness(service, {
    name: 'Harbor Bakery',
    locations: [{ state: 'MA', city: 'Boston' }],
    classifications: [{ code: '311811' }],
  })
  const linked_id = await addBusiness(service, { name: 'Harbor Draft', publication_status: 'draft' })
  await service.link(workspace_id, published_id, owner)
  await service.link(workspace_id, linked_id, owner)
  await service.link(foreign_workspace_id, published_id, sam)
  const clientIn = (person: Person, workspace: string) =>
    service.client({ access_token: person.token, workspace_id: workspace })
  return {
    service,
    workspace_id,
    second_workspace_id,
    foreign_workspace_id,
    people: { owner, admin, member, viewer, removed, outsider },
    anonymous: service.person('Guest', { is_anonymous: true }),
    sam,
    us: clientIn(owner, workspace_id),
    them: clientIn(sam, foreign_workspace_id),
    published_id,
    hidden: {
      ...(await hiddenOfSam(service, foreign_workspace_id, sam, published_id)),
      invitation_id: await invitationTo(owner, service, foreign_workspace_id, sam),
      ...(await hiddenRoom(service, clientIn(member, workspace_id), published_id)),
    },
  }
}

/** The resources of Sam's Workspace. */
async function hiddenOfSam(service: TestService, workspace_id: string, sam: Person, published_id: string) {
  const business_id = await addBusiness(service, { name: 'Harbor Secret', publication_status: 'draft' })
  await service.link(workspace_id, business_id, sam)
  const [membership] = await service.sql('select id from memberships where workspace_id = $1', [workspace_id])
  const { key_id } = await service.apiKey(workspace_id, sam, ['businesses:read'])
  const idempotency_key = 'a-key-of-a-sams'
  await sam.client.createWorkspace({ name: 'Third' }, { idempotency_key })
  const { data: list } = await sam.client.createList(
    {
      name: "Sam's candidates",
      definition: { schema_version: 'svc.list.v1', subject_type: 'business', rule: { kind: 'all' } },
      columns: [{ name: 'Owner age', value_type: 'number' }],
    },
    { workspace_id },
  )
  const { data: asset } = await sam.client.createAsset(oven, { workspace_id })
  const { data: portfolio } = await sam.client.createPortfolio(
    { name: "Sam's fund", currency: 'USD' },
    { workspace_id },
  )
  const { data: benchmarkSet } = await sam.client.importBenchmarkSet({ rows: [row] }, { workspace_id })
  const { data: valuation } = await sam.client.createValuation(bakery({ run: true }), { workspace_id })
  return {
    workspace_id,
    asset_id: asset.asset_id,
    portfolio_id: portfolio.portfolio_id,
    benchmark_set_id: benchmarkSet.benchmark_set_id,
    business_id,
    list_id: list.id,
    column_id: String(list.columns[0]?.column_id),
    valuation_id: valuation.valuation_id,
    member_id: business_id,
    observation_id: await addObservation(service, workspace_id, published_id, sam),
    membership_id: String(membership?.['id']),
    key_id,
    idempotency_key,
  }
}

async function invitationTo(owner: Person, service: TestService, workspace_id: string, by: Person) {
  const [invitation] = await insertInvitations(service, workspace_id, by, [{ email: owner.email }])
  return String(invitation?.id)
}

/** The resources of a Room of Mia's in Olivia's Workspace, to which Olivia was not invited. */
async function hiddenRoom(service: TestService, mia: Client, published_id: string) {
  const { room } = await mia.createRoom({ title: 'Without Olivia' })
  const attached = await mia.attachRoomResource({
    room_id: room.room_id,
    resource_type: 'business',
    resource_id: published_id,
  })
  const [participant] = await service.sql('select id, user_id from room_participants where room_id = $1', [
    room.room_id,
  ])
  const { file, room_file } = await mia.createTextFile({
    name: 'Without Olivia.md',
    content: 'Hidden',
    room_id: room.room_id,
  })
  const { upload } = await mia.createFileUpload({
    name: 'Without Olivia too.md',
    content_type: 'text/markdown',
    size_bytes: 6,
    room_id: room.room_id,
  })
  const { permission } = await mia.setRoomFilePermission({
    room_file_id: String(room_file?.room_file_id),
    user_id: String(participant?.['user_id']),
    access_level: 'view',
  })
  const { data: goal } = await mia.createGoal({ title: 'Without Olivia', room_id: room.room_id })
  const { data: task } = await mia.createTask({ title: 'Without Olivia', room_id: room.room_id })
  const { data: connection } = await mia.shareConnection({ room_id: room.room_id, ...someApp })
  const { data: approval } = await mia.requestApproval({
    room_id: room.room_id,
    connection_id: connection.connection_id,
    operation: 'change',
    arguments: {},
  })
  const [event] = await service.sql('select id from events where room_id = $1', [room.room_id])
  return {
    room_id: room.room_id,
    attachment_id: String(attached.room.attachments[0]?.attachment_id),
    participant_id: String(participant?.['id']),
    event_id: String(event?.['id']),
    file_id: file.file_id,
    file_version_id: file.current_version.file_version_id,
    room_file_id: String(room_file?.room_file_id),
    upload_id: upload.upload_id,
    permission_id: permission.permission_id,
    goal_id: goal.goal_id,
    task_id: task.task_id,
    connection_id: connection.connection_id,
    approval_id: approval.approval_id,
  }
}

/** Undoes what a sample changed in the roles of the people and in the status of their Workspace. */
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
