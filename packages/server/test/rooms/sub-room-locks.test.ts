import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { write } from '../../src/database/statement.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { eventually } from '../harness/eventually.ts'
import { refused } from '../harness/refused.ts'
import { makeRoomWorld, whileOpen, type RoomWorld } from './room-fixture.ts'

describe('while a sub-room is locked by a change', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())
  const us = () => world.as(world.people.member)

  async function subRoom(): Promise<{ parent_room_id: string; room_id: string }> {
    const parent_room_id = await world.room()
    const { room } = await us().createRoom({ title: 'Financials', parent_room_id })
    return { parent_room_id, room_id: room.room_id }
  }

  it('archiving its parent waits', async () => {
    const { parent_room_id, room_id } = await subRoom()
    const archived = await whileOpen(world, room_id, async () => {
      const archiving = us().archiveRoom({ room_id: parent_room_id, expected_revision: 1 })
      await eventually(async () => (await lockWaits(world.service)) === 1)
      return { archiving, ended: await Promise.race([archiving.then(() => true), sleep(100, false)]) }
    })
    assert.equal(archived.ended, false)
    assert.equal((await archived.archiving).room.status, 'archived')
    await refused(us().updateRoom({ room_id, expected_revision: 1, title: 'Later' }), 'state_conflict')
  })

  it('another sub-room of the same parent can be changed', async () => {
    const { parent_room_id, room_id } = await subRoom()
    const { room: other } = await us().createRoom({ title: 'Contracts', parent_room_id })
    const { room } = await whileOpen(world, room_id, () =>
      us().updateRoom({ room_id: other.room_id, expected_revision: 1, title: 'Leases' }),
    )
    assert.equal(room.title, 'Leases')
  })

  it('a change that waited for the archiving of its parent is refused', async () => {
    const { parent_room_id, room_id } = await subRoom()
    const outcome = await whileOpen(world, parent_room_id, async tx => {
      const changing = us().updateRoom({ room_id, expected_revision: 1, title: 'Too late' })
      const settled = changing.then(
        () => 'changed',
        () => 'refused',
      )
      await eventually(async () => (await lockWaits(world.service)) === 1)
      await tx.run(archive, { workspace_id: world.workspace_id, room_id: parent_room_id })
      return { settled }
    })
    assert.equal(await outcome.settled, 'refused')
  })

  it('a request for a Room that the caller cannot see does not wait', async () => {
    const room_id = await world.room()
    await whileOpen(world, room_id, () =>
      refused(
        world
          .as(world.people.viewer)
          .inviteParticipant({ room_id, email: 'zoe@example.com', access_level: 'view' }),
        'forbidden',
      ),
    )
    await whileOpen(world, room_id, () =>
      refused(
        world.as(world.people.admin).updateRoom({ room_id, expected_revision: 1, title: 'Mine' }),
        'not_found',
      ),
    )
  })
})

const archive = write(
  'test_room_archive',
  `update rooms set status = 'archived', archived_at = now() where workspace_id = :workspace_id and id = :room_id`,
)
