import { insertInvitations, insertRoomInvitation } from '../harness/invitations.ts'
import type { Samples } from '../operations/sample.ts'
import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'

/** Only the owner has the invited address. */
const onlyWhoIsInvited = { outsider: 403, removed: 403, viewer: 403, member: 403, admin: 403 }

export const samples = {
  inspect_invitation: { input: toTeam },
  accept_invitation: {
    input: toTeam,
    answers: onlyWhoIsInvited,
    others: { 'to a Room': toRoom },
    readBack: false,
  },
  decline_invitation: {
    input: toTeam,
    answers: onlyWhoIsInvited,
    others: { 'to a Room': toRoom },
    readBack: false,
    replay: 'by_token',
  },
} satisfies Samples

/** Sam's invitation of the owner to the team of a new Workspace of his. */
async function toTeam({ service, sam, people }: World): Promise<Input> {
  const workspace_id = await service.workspace('Quay Partners', sam)
  const [invitation] = await insertInvitations(service, workspace_id, sam, [{ email: people.owner.email }])
  return { token: invitation?.token }
}

/** Sam's invitation of the owner to a Room of his. */
async function toRoom({ service, sam, them, people, foreign_workspace_id }: World): Promise<Input> {
  const { room } = await them.createRoom({ title: 'Of Sam' })
  const place = { workspace_id: foreign_workspace_id, room_id: room.room_id }
  return { token: await insertRoomInvitation(service, place, sam, people.owner) }
}
