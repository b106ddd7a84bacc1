import { ProblemError } from '@wbs/sdk'
import { enterRoom } from '../../harness/rooms.ts'
import type { DriverOf } from './driver.ts'
import type { StateWorld } from './state-world.ts'
import { succeeded } from './test-app.ts'

/** A connection to the test's app in a Room of its own, with the steps that drivers have in common. */
async function share({ us, app }: StateWorld) {
  const { room_id } = (await us.createRoom({ title: 'Sale of Glacier' })).room
  const { data } = await us.shareConnection({
    room_id,
    kind: 'app',
    plugin: 'test_app',
    label: 'Orders',
    config: {},
    allowed_operations: ['look', 'change'],
    requires_approval: ['change'],
  })
  const named = { room_id, connection_id: data.connection_id }
  return {
    room_id,
    async status() {
      const { data: all } = await us.listConnections({ room_id })
      return String(all[0]?.status) as 'live'
    },
    read: () => us.readConnection({ ...named, operation: 'look', arguments: {} }),
    /** Requests a change of the app, which needs an approval. */
    request: (client = us) =>
      client.requestApproval({ ...named, operation: 'change', arguments: { order: 7 } }),
    pause: () => us.pauseConnection(named),
    /** Whatever its status is now. */
    async pauseIfLive() {
      if ((await this.status()) === 'live') await this.pause()
    },
    resume: () => us.resumeConnection(named),
    stop: () => us.stopConnection(named),
    reconnect: () => us.reconnectConnection(named),
    /** Does something while the app refuses what it is asked for, or the connection as such. */
    async whileRefused(outcome: 'refused' | 'access_refused', work: () => Promise<unknown>) {
      app.answers = { outcome, detail: 'The app does not do it.' }
      await work().finally(() => (app.answers = succeeded))
    },
  }
}

export function connectionDriver(world: StateWorld): DriverOf<'connection'> {
  return {
    async make() {
      const connection = await share(world)
      return {
        look: async () => ({ state: await connection.status() }),
        moves: {
          read: connection.read,
          request: () => connection.request(),
          pause: connection.pause,
          resume: connection.resume,
          stop: connection.stop,
          fail: () =>
            connection.whileRefused('access_refused', async () => {
              await connection.read().catch((error: unknown) => {
                if (!(error instanceof ProblemError)) throw error
              })
            }),
          reconnect: connection.reconnect,
        },
      }
    },
  }
}

export function approvalDriver(world: StateWorld): DriverOf<'approval'> {
  const { us, service, workspace_id } = world
  return {
    async make() {
      const connection = await share(world)
      const requester = await world.somebody()
      const { room_id } = connection
      const participant_id = await enterRoom(service, { workspace_id, room_id }, requester, 'edit')
      const { approval_id, arguments_sha256 } = (await connection.request(world.as(requester))).data
      const read = async () => (await us.getApproval({ approval_id })).data
      const named = async () => ({ approval_id, expected_revision: (await read()).revision })
      const approve = async () => us.approveApproval({ ...(await named()), arguments_sha256 })
      const execute = () => world.run('execute_approval', { workspace_id, approval_id })
      const isIn = async (status: string) => (await read()).status === status
      return {
        async look() {
          const { status, held_for, revision } = await read()
          return { state: held_for === 'resume' ? 'held' : status, revision }
        },
        moves: {
          approve,
          async approve_while_paused() {
            if (await isIn('pending')) await connection.pause()
            return approve()
          },
          decline: async () => us.declineApproval(await named()),
          cancel: async () => us.cancelApproval(await named()),
          async expire() {
            await service.sql(`update approvals set expires_at = now() - interval '1 second' where id = $1`, [
              approval_id,
            ])
            await world.run('expire_approval', { workspace_id, approval_id })
          },
          async hold() {
            if (await isIn('approved')) await connection.pauseIfLive()
            await execute()
          },
          async resume() {
            await connection.pauseIfLive()
            await connection.resume()
          },
          stop: () => connection.stop(),
          async lose_authority() {
            await us.revokeParticipant({ room_id, participant_id })
            await execute()
          },
          execute,
          fail: () => connection.whileRefused('refused', execute),
        },
      }
    },
  }
}
