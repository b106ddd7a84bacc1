import { randomUUID } from 'node:crypto'
import { addBusiness } from '../../harness/businesses.ts'
import type { DriverOf } from './driver.ts'
import type { StateWorld } from './state-world.ts'
import { answerRefusal } from './workspace-drivers.ts'

export function roomDriver({ us }: StateWorld): DriverOf<'room'> {
  return {
    async make() {
      const { room } = await us.createRoom({ title: 'Sale of Glacier' })
      const { room_id } = room
      const read = async () => (await us.getRoom({ room_id })).room
      const named = async () => ({ room_id, expected_revision: (await read()).revision })
      return {
        async look() {
          const { status, revision } = await read()
          return { state: status, revision }
        },
        moves: {
          update: async () => us.updateRoom({ ...(await named()), title: `Sale ${randomUUID()}` }),
          archive: async () => us.archiveRoom(await named()),
          restore: async () => us.restoreRoom(await named()),
        },
      }
    },
  }
}

/** A participant from outside the Workspace, who sees nothing of the Room unless the participation is active. */
export function participantDriver(world: StateWorld): DriverOf<'participant'> {
  const { us, service, workspace_id } = world
  return {
    async make() {
      const invited = await world.somebody()
      const { room } = await us.createRoom({ title: 'Sale of Glacier' })
      const { room_id } = room
      const { participant } = await us.inviteParticipant({
        room_id,
        email: invited.email,
        access_level: 'view',
      })
      const { participant_id } = participant
      const named = { room_id, participant_id }
      const read = async () => (await us.getParticipant(named)).participant
      const token = async () =>
        world.token(
          'room',
          participant_id,
          await world.value<number>('select token_number as value from room_participants where id = $1', [
            participant_id,
          ]),
        )
      return {
        look: async () => ({ state: (await read()).status }),
        moves: {
          async update() {
            const { access_level } = await read()
            return us.updateParticipant({ ...named, access_level: access_level === 'view' ? 'edit' : 'view' })
          },
          resend: () => us.resendInvitation(named),
          accept: async () => invited.client.acceptInvitation({ token: await token() }),
          decline: async () => invited.client.declineInvitation({ token: await token() }),
          revoke: () => us.revokeParticipant(named),
          leave: () => world.as(invited).leaveRoom({ room_id }),
          async expire() {
            await service.sql(
              `update room_participants set expires_at = now() - interval '1 second' where id = $1`,
              [participant_id],
            )
            await world.run('expire_participant', { workspace_id, ...named })
          },
        },
      }
    },
    refusal: (move, from) => (move === 'leave' ? { code: 'forbidden' } : answerRefusal(move, from)),
  }
}

export function listDriver({ us, service }: StateWorld): DriverOf<'list'> {
  return {
    async make() {
      const { data } = await us.createList({
        name: 'Targets',
        definition: { schema_version: 'svc.list.v1', subject_type: 'business', rule: { kind: 'all' } },
        columns: [{ name: 'Notes', value_type: 'text' }],
      })
      const list_id = data.id
      const [column] = data.columns
      const member_id = await addBusiness(service, { name: 'Glacier', publication_status: 'published' })
      const read = async () => (await us.getList({ list_id })).data
      const named = async () => ({ list_id, expected_version: (await read()).version })
      const set = (status: string) => () =>
        service.sql('update lists set lifecycle_status = $2, version = version + 1 where id = $1', [
          list_id,
          status,
        ])
      return {
        async look() {
          const { lifecycle_status, version } = await read()
          return { state: lifecycle_status, revision: version }
        },
        moves: {
          update: async () => us.updateList({ ...(await named()), name: `Targets ${randomUUID()}` }),
          set_value: async () =>
            us.setListEntryValue({
              ...(await named()),
              member_id,
              column_id: String(column?.column_id),
              value: { value_type: 'text', value: 'Met twice.' },
            }),
          archive: async () => us.archiveList(await named()),
          restore: async () => us.restoreList(await named()),
          restrict: set('restricted'),
          lift_restriction: set('active'),
        },
      }
    },
  }
}
