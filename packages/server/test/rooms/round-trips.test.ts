import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { startFaultProxy, type FaultProxy } from '../harness/postgres/fault-proxy.ts'
import { withinRoundTrips } from '../harness/round-trips.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from './room-fixture.ts'

describe('the round trips of a change of a Room', () => {
  let proxy: FaultProxy
  let world: RoomWorld
  let key: Client
  before(async () => {
    proxy = await startFaultProxy()
    world = await makeRoomWorld()
    const { service, workspace_id, people } = world
    const { secret } = await service.apiKey(workspace_id, people.member, [
      'rooms:read',
      'rooms:write',
      'rooms:share',
    ])
    key = service.client({ api_key: secret, workspace_id })
  })
  after(async () => {
    await world.close()
    await proxy.close()
  })

  const callers: [who: string, client: () => Client][] = [
    ['an API key', () => key],
    ['a guest', () => world.as(world.people.guest)],
  ]
  for (const [who, client] of callers) {
    it(`by ${who} whose standing is remembered: twice`, async () => {
      const room_id = await openToBoth()
      await retitle(client(), room_id, 1)
      await withinRoundTrips(proxy, 2, () => retitle(client(), room_id, 2))
    })

    it(`by ${who} who invites, and sends the invitation again: three times`, async () => {
      const room_id = await openToBoth()
      const invite = () => client().inviteParticipant({ room_id, email: someAddress(), access_level: 'view' })
      const { participant } = await invite()
      await withinRoundTrips(proxy, 3, invite)
      const { participant_id } = participant
      await withinRoundTrips(proxy, 3, () => client().resendInvitation({ room_id, participant_id }))
    })
  }

  async function openToBoth(): Promise<string> {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'full_access')
    return room_id
  }

  const retitle = (client: Client, room_id: string, expected_revision: number) =>
    client.updateRoom({ room_id, expected_revision, title: `Title ${randomUUID()}` })
})
