import { addBusiness, addObservation } from '../harness/businesses.ts'
import { spareInvitations, type SpareInvitations } from '../harness/invitations.ts'
import type { Person, TestService } from '../harness/service.ts'

/**
 * A small world in which every operation can succeed: Olivia's Workspace with a member of each role, and next to it
 * one of Sam's, which nobody of Olivia's knows of.
 */
export interface World {
  service: TestService
  workspace_id: string
  /** Another one of Olivia's, with nobody else in it. */
  second_workspace_id: string
  foreign_workspace_id: string
  people: Record<'owner' | 'admin' | 'member' | 'viewer' | 'removed' | 'outsider', Person>
  anonymous: Person
  sam: Person
  published_id: string
  /** Of Sam's, in his own Workspace. */
  foreign_membership_id: string
  foreign_key_id: string
  /** One of Olivia's Workspace, which she was not invited to. */
  foreign_room_id: string
  /** Mia, in that Room. */
  foreign_participant_id: string
  /** The event that the Room was opened. */
  foreign_event_id: string
  /** One of Sam's Workspace. */
  sams_room_id: string
  /** Not published, and linked to Sam's Workspace alone. */
  foreign_draft_id: string
  /** An observation of Sam's, of the published Business. */
  foreign_observation_id: string
  invitations: SpareInvitations
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
  // One role takes one person only, so Rita comes as a second member and leaves again.
  const rita = await service.workspace('Away', sam, { member: removed })
  await service.sql(
    `update memberships set workspace_id = $1, status = 'removed' where workspace_id = $2 and user_id = $3`,
    [workspace_id, rita, removed.user_id],
  )
  const second_workspace_id = await service.workspace('Second', owner)
  const foreign_workspace_id = await service.workspace('Elsewhere', sam)
  const published_id = await addBusiness(service, {
    name: 'Harbor Bakery',
    state: 'MA',
    city: 'Boston',
    naics_code: '311811',
  })
  const foreign_draft_id = await addBusiness(service, { name: 'Harbor Secret', publication_status: 'draft' })
  const linked_id = await addBusiness(service, { name: 'Harbor Draft', publication_status: 'draft' })
  await service.link(workspace_id, published_id, owner)
  await service.link(workspace_id, linked_id, owner)
  await service.link(foreign_workspace_id, foreign_draft_id, sam)
  await service.link(foreign_workspace_id, published_id, sam)
  const [sams] = await service.sql('select id from memberships where workspace_id = $1', [
    foreign_workspace_id,
  ])
  const { key_id } = await service.apiKey(foreign_workspace_id, sam, ['businesses:read'])
  const { room: secret } = await service
    .client({ access_token: member.token, workspace_id })
    .createRoom({ title: 'Without Olivia' })
  const { room: ofSam } = await service
    .client({ access_token: sam.token, workspace_id: foreign_workspace_id })
    .createRoom({ title: 'Of Sam' })
  const [mia] = await service.sql('select id from room_participants where room_id = $1', [secret.room_id])
  const [event] = await service.sql('select id from events where room_id = $1', [secret.room_id])
  await sam.client.createWorkspace({ name: 'Third' }, { idempotency_key: 'a-key-of-a-sams' })
  return {
    service,
    workspace_id,
    second_workspace_id,
    foreign_workspace_id,
    people: { owner, admin, member, viewer, removed, outsider },
    anonymous: service.person('Guest', { is_anonymous: true }),
    sam,
    published_id,
    foreign_membership_id: sams?.['id'],
    foreign_key_id: key_id,
    foreign_room_id: secret.room_id,
    foreign_participant_id: mia?.['id'],
    foreign_event_id: event?.['id'],
    sams_room_id: ofSam.room_id,
    foreign_draft_id,
    foreign_observation_id: await addObservation(service, foreign_workspace_id, published_id, sam),
    invitations: await spareInvitations(service, workspace_id, owner, sam),
  }
}
