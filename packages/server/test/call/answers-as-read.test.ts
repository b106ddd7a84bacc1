import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { OperationName } from '@wbs/contract/registry'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { mutations, performanceOf } from '../operations/performing.ts'
import { makeWorld, restore, type World } from '../operations/world.ts'

/** What answers of changes and of reads have in common. */
interface Answer {
  room?: { room_id: string }
  participant?: { participant_id: string }
  workspace?: { id: string }
  data?: { id: string; key_id?: string; invitation_id?: string }
}

const shown = ({ room, participant, workspace, data }: Answer) => room ?? participant ?? workspace ?? data

describe('what a change answers of a thing is what is read of it afterwards', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(() => service.close())

  const ofRoom = ({ room }: Answer) => `rooms/${room?.room_id}`
  const ofBusiness = ({ data }: Answer) =>
    `businesses/${data?.id}?include=classifications,locations,identifiers`
  const ofWorkspace = (answer: Answer) => `workspaces/${(answer.workspace ?? answer.data)?.id}`
  const ofKey = ({ data }: Answer) => `api-keys/${data?.key_id}`
  const ofInvitation = ({ data }: Answer) => `team/invitations/${data?.invitation_id}`
  async function ofParticipant({ participant }: Answer): Promise<string> {
    const id = participant?.participant_id
    const [place] = await service.sql('select room_id from room_participants where id = $1', [id])
    return `rooms/${place?.room_id}/participants/${id}`
  }

  /**
   * Where it is read, of those changes whose answer is computed and not read by the change itself. Answers to invitations
   * are compared in answer-invitation.test.ts, answer-room-invitation.test.ts and answer-as-read.test.ts.
   */
  const places: Partial<Record<OperationName, (answer: Answer) => string | Promise<string>>> = {
    create_business: ofBusiness,
    update_business: ofBusiness,
    publish_business: ofBusiness,
    withdraw_business: ofBusiness,
    create_room: ofRoom,
    update_room: ofRoom,
    archive_room: ofRoom,
    restore_room: ofRoom,
    attach_room_resource: ofRoom,
    detach_room_resource: ofRoom,
    invite_participant: ofParticipant,
    resend_invitation: ofParticipant,
    update_participant: ofParticipant,
    leave_room: ofParticipant,
    break_glass: ofParticipant,
    revoke_participant: ofParticipant,
    create_workspace: ofWorkspace,
    update_workspace: ofWorkspace,
    update_membership: ({ data }) => `team/members/${data?.id}`,
    transfer_ownership: ({ data }) => `team/members/${data?.id}`,
    create_api_key: ofKey,
    update_api_key: ofKey,
    rotate_api_key: ofKey,
    revoke_api_key: ofKey,
    create_team_invitation: ofInvitation,
    resend_team_invitation: ofInvitation,
    revoke_team_invitation: ofInvitation,
  }

  async function read({ token }: Person, path: string): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${token}`,
      'svc-workspace-id': path.startsWith('workspaces/') ? path.slice(11) : world.workspace_id,
    }
    const answer = await fetch(`${service.base_url}/v1/${path}`, { headers })
    assert.equal(answer.status, 200, path)
    return (await answer.json()) as Answer
  }

  for (const operation of mutations.filter(({ name }) => name in places))
    it(operation.name, async () => {
      const { caller, ask } = await performanceOf(world, operation, randomUUID())
      const { status, body } = await ask()
      assert.equal(status, operation.status, JSON.stringify(body))
      const answer = body as Answer
      const path = await places[operation.name]?.(answer)
      const answered = Object.entries(shown(answer) ?? {})
      const found = Object.entries(shown(await read(caller, path ?? '')) ?? {})
      // A Workspace that is read also says what the reader is there.
      assert.deepEqual(
        Object.fromEntries(answered),
        Object.fromEntries(found.filter(([key]) => key in (shown(answer) ?? {}))),
      )
      assert.ok(answered.length > 5)
      await restore(world)
    })
})
