import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeRoomFileWorld, type RoomFileWorld } from '../../files/room-files/room-file-fixture.ts'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'

describe('get_room_access about a File in the Room', () => {
  let world: RoomFileWorld
  let room_id: string
  let room_file_id: string
  before(async () => {
    world = await makeRoomFileWorld()
    room_id = await world.room()
    room_file_id = await world.attached(room_id)
    await world.invite(room_id, world.people.guest, 'view')
    await world.invite(room_id, world.people.viewer, 'edit')
    await us().updateRoom({
      room_id,
      expected_revision: 1,
      general_access: 'workspace',
      general_access_level: 'view',
    })
  })
  after(() => world.close())
  const us = () => world.as(world.people.member)
  const explain = async ({ user_id }: Person) => {
    const { effective_level, reasons } = await us().getRoomAccess({ room_id, room_file_id, user_id })
    return [effective_level, ...reasons.map(one => [one.source, one.level, one.counts])]
  }

  it('names what gives access to a File that everybody in the Room can open', async () => {
    const { guest, viewer, rival } = world.people
    assert.deepEqual(await explain(guest), ['view', ['participant', 'view', true]])
    assert.deepEqual(await explain(viewer), [
      'edit',
      ['participant', 'edit', true],
      ['general_access_workspace', 'view', true],
    ])
    assert.deepEqual(await explain(rival), [null])
  })

  it('names what does not count for a restricted File', async () => {
    const { guest, viewer, member, admin, owner } = world.people
    await world.grant(room_file_id, guest, 'edit')
    const before = await world.grant(room_file_id, admin, 'view')
    assert.deepEqual(await explain(guest), [
      'edit',
      ['participant', 'view', false],
      ['permission', 'edit', true],
    ])
    assert.deepEqual(await explain(viewer), [
      null,
      ['participant', 'edit', false],
      ['general_access_workspace', 'view', false],
    ])
    assert.deepEqual(await explain(member), [
      'full_access',
      ['participant', 'full_access', true],
      ['general_access_workspace', 'view', false],
    ])
    const ofAdmin = ['view', ['general_access_workspace', 'view', false], ['permission', 'view', true]]
    assert.deepEqual(await explain(admin), ofAdmin)
    // Anybody may ask about themselves, if they can open the File.
    const own = await world.as(admin).getRoomAccess({ room_id, room_file_id })
    assert.equal(own.effective_level, 'view')
    await us().revokeRoomFilePermission({ room_file_id, permission_id: before })
    assert.deepEqual(await explain(admin), [null, ['general_access_workspace', 'view', false]])
    for (const person of [admin, owner, viewer])
      await refused(world.as(person).getRoomAccess({ room_id, room_file_id }), 'not_found')
  })

  it('gives the level that the File itself shows', async () => {
    for (const person of Object.values(world.people))
      assert.equal((await explain(person))[0], await world.levelOn(person, room_file_id))
  })

  it('answers 404 for a File of another Room, and 403 about others without full access', async () => {
    const { guest, member } = world.people
    const other = await world.room()
    await refused(us().getRoomAccess({ room_id: other, room_file_id }), 'not_found')
    await refused(
      world.as(guest).getRoomAccess({ room_id, room_file_id, user_id: member.user_id }),
      'forbidden',
    )
  })

  it('counts nothing for those who cannot open a File that has left the Room', async () => {
    const { guest, viewer } = world.people
    const second = await world.attached(room_id, 'Second.md')
    await us().archiveRoomFile({ room_file_id: second, expected_revision: 1 })
    const about = async ({ user_id }: Person) => {
      const { effective_level, reasons } = await us().getRoomAccess({
        room_id,
        room_file_id: second,
        user_id,
      })
      return [effective_level, reasons.some(reason => reason.counts)]
    }
    assert.deepEqual(await about(guest), [null, false])
    assert.deepEqual(await about(viewer), ['edit', true])
  })
})
