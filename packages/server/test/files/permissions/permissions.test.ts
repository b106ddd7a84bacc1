import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import { lockWaits } from '../../harness/lock-waits.ts'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { eventually } from '../../harness/eventually.ts'
import { whileOpen } from '../../rooms/room-fixture.ts'
import { makeRoomFileWorld, type RoomFileWorld } from '../room-files/room-file-fixture.ts'

let world: RoomFileWorld
before(async () => (world = await makeRoomFileWorld()))
after(() => world.close())
const us = () => world.as(world.people.member)

/** A Room with a File, the guest, the rival and the admin as participants. */
async function deal() {
  const { guest, rival, admin } = world.people
  const room_id = await world.room()
  await world.invite(room_id, guest, 'view')
  await world.invite(room_id, rival, 'edit')
  await world.invite(room_id, admin, 'full_access')
  return { room_id, room_file_id: await world.attached(room_id) }
}

const levels = async (room_file_id: string) => {
  const { guest, rival, admin, member } = world.people
  return Promise.all([guest, rival, admin, member].map(person => world.levelOn(person, room_file_id)))
}

const end = (room_id: string, person: Person) =>
  world.service.sql(
    `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2 and status = 'active'`,
    [room_id, person.user_id],
  )

describe('set_room_file_permission', () => {
  it('restricts the File to those with a permission and those with full access, and counts who loses it', async () => {
    const { guest, member } = world.people
    const { room_id, room_file_id } = await deal()
    assert.deepEqual(await levels(room_file_id), ['view', 'edit', 'full_access', 'full_access'])
    const answer = await us().setRoomFilePermission({
      room_file_id,
      user_id: guest.user_id,
      access_level: 'edit',
    })
    const { permission, affected_participants, action_receipt } = answer
    assert.equal(affected_participants, 1)
    assert.deepEqual(
      [permission.room_file_id, permission.user_id, permission.access_level, permission.status],
      [room_file_id, guest.user_id, 'edit', 'active'],
    )
    assert.deepEqual(action_receipt.resource, {
      type: 'room_file_permission',
      id: permission.permission_id,
    })
    assert.deepEqual(await levels(room_file_id), ['edit', null, 'full_access', 'full_access'])
    const { room_file } = await us().getRoomFile({ room_file_id })
    assert.deepEqual([room_file.access_mode, room_file.revision], ['restricted', 2])
    const { data } = await world.as(guest).listEvents({ room_id, limit: 1 })
    assert.deepEqual(
      [data[0]?.type, data[0]?.about?.user_id, data[0]?.subject.id, data[0]?.data],
      ['file.permission_set', guest.user_id, room_file.file.file_id, { access_level: 'edit' }],
    )
    // The next one takes nothing from anybody.
    const second = await us().setRoomFilePermission({
      room_file_id,
      user_id: member.user_id,
      access_level: 'view',
    })
    assert.equal(second.affected_participants, 0)
    assert.equal((await us().getRoomFile({ room_file_id })).room_file.revision, 2)
    // Full access to the Room stays full access.
    assert.equal(await world.levelOn(member, room_file_id), 'full_access')
  })

  it('replaces the permission of the user', async () => {
    const { guest } = world.people
    const { room_id, room_file_id } = await deal()
    const first = await world.grant(room_file_id, guest, 'view')
    const second = await world.grant(room_file_id, guest, 'full_access')
    assert.equal(first, second)
    assert.equal(await world.levelOn(guest, room_file_id), 'full_access')
    const { data } = await us().listRoomFilePermissions({ room_file_id })
    assert.deepEqual(
      data.map(one => [one.user_id, one.access_level]),
      [[guest.user_id, 'full_access']],
    )
    // The same again changes nothing.
    await world.grant(room_file_id, guest, 'full_access')
    assert.deepEqual((await world.eventsOf(room_id)).slice(1), [
      'file.added_to_room',
      'file.permission_set',
      'file.permission_set',
    ])
  })

  it('refuses a user who cannot open the Room as it refuses an unknown one', async () => {
    const { viewer, owner } = world.people
    const { room_file_id } = await deal()
    const problems = []
    for (const user_id of [viewer.user_id, owner.user_id, crypto.randomUUID()]) {
      const call = us().setRoomFilePermission({ room_file_id, user_id, access_level: 'view' })
      const { errors } = await refused(call, 'validation_error')
      problems.push(errors)
    }
    assert.equal(problems[0]?.[0]?.pointer, '/user_id')
    assert.deepEqual(problems[1], problems[0])
    assert.deepEqual(problems[2], problems[0])
    assert.equal((await us().getRoomFile({ room_file_id })).room_file.access_mode, 'inherit_room')
  })

  it('requires full access to the File in the Room, by the Room or by a permission', async () => {
    const { guest, rival, admin, viewer } = world.people
    const { room_file_id } = await deal()
    const grantAs = (person: Person, to: Person) =>
      world.as(person).setRoomFilePermission({ room_file_id, user_id: to.user_id, access_level: 'view' })
    await refused(grantAs(rival, guest), 'forbidden')
    await refused(grantAs(viewer, guest), 'forbidden')
    await grantAs(admin, rival)
    await refused(grantAs(guest, rival), 'not_found')
    await world.grant(room_file_id, guest, 'full_access')
    await grantAs(guest, rival)
  })

  it('requires an active Room, and a File that is in it', async () => {
    const { guest } = world.people
    const { room_id, room_file_id } = await deal()
    const grant = () =>
      us().setRoomFilePermission({ room_file_id, user_id: guest.user_id, access_level: 'view' })
    await us().archiveRoomFile({ room_file_id, expected_revision: 1 })
    await refused(grant(), 'state_conflict')
    await us().restoreRoomFile({ room_file_id, expected_revision: 2 })
    await us().archiveRoom({ room_id, expected_revision: 1 })
    await refused(grant(), 'state_conflict')
  })

  it('grants a permission that ends with the participation, and does not come back with another one', async () => {
    const { guest } = world.people
    const { room_id, room_file_id } = await deal()
    const before = await world.grant(room_file_id, guest, 'edit')
    await end(room_id, guest)
    assert.equal(await world.levelOn(guest, room_file_id), null)
    assert.deepEqual((await us().listRoomFilePermissions({ room_file_id })).data, [])
    await world.invite(room_id, guest, 'view')
    assert.equal(await world.levelOn(guest, room_file_id), null)
    assert.deepEqual(await world.seen(guest, room_id), [])
    await refused(us().revokeRoomFilePermission({ room_file_id, permission_id: before }), 'state_conflict')
    assert.notEqual(await world.grant(room_file_id, guest, 'view'), before)
    assert.equal(await world.levelOn(guest, room_file_id), 'view')
    assert.deepEqual(await world.seen(guest, room_id), ['Memorandum.md'])
  })

  it('grants a member a permission that ends with the membership', async () => {
    const { viewer } = world.people
    const { room_id, room_file_id } = await deal()
    await us().updateRoom({
      room_id,
      expected_revision: 1,
      general_access: 'workspace',
      general_access_level: 'view',
    })
    await world.grant(room_file_id, viewer, 'edit')
    assert.equal(await world.levelOn(viewer, room_file_id), 'edit')
    assert.deepEqual(await world.seen(viewer, room_id), ['Memorandum.md'])
    // Without general access there is no Room, with it again there is the permission.
    await us().updateRoom({ room_id, expected_revision: 2, general_access: 'invited_only' })
    assert.equal(await world.levelOn(viewer, room_file_id), null)
    await us().updateRoom({
      room_id,
      expected_revision: 3,
      general_access: 'workspace',
      general_access_level: 'view',
    })
    assert.equal(await world.levelOn(viewer, room_file_id), 'edit')
    await world.service.sql(
      `update memberships set status = 'removed' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, viewer.user_id],
    )
    await world.service.join(world.workspace_id, viewer, 'viewer')
    assert.equal(await world.levelOn(viewer, room_file_id), null)
    assert.deepEqual(await world.seen(viewer, room_id), [])
  })

  it('grants at most 500 permissions on a File in a Room', async () => {
    const { guest } = world.people
    const { room_id, room_file_id } = await deal()
    await world.service.sql(
      `with person as (insert into users (id, issuer, subject) select gen_random_uuid(), 'elsewhere', gen_random_uuid()::text from generate_series(1, 500) returning id),
       part as (
         insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
         select $1, $2, gen_random_uuid(), id, true, 'view', 'active', now(), now() from person returning id, user_id
       )
       insert into room_file_permissions (workspace_id, id, room_file_id, room_id, index_path, user_id, access_level, participant_id, granted_by, created_at, updated_at)
       select $1, gen_random_uuid(), $3, $2, 'Memorandum.md', user_id, 'view', id, user_id, now(), now() from part`,
      [world.workspace_id, room_id, room_file_id],
    )
    const grant = () =>
      us().setRoomFilePermission({ room_file_id, user_id: guest.user_id, access_level: 'view' })
    await refused(grant(), 'limit_reached')
    const { data } = await us().listRoomFilePermissions({ room_file_id, limit: 1 })
    await us().revokeRoomFilePermission({ room_file_id, permission_id: String(data[0]?.permission_id) })
    await grant()
  })
})

describe('list_room_file_permissions', () => {
  it('lists the active ones with addresses, page by page, to those with full access', async () => {
    const { guest, rival, admin } = world.people
    const { room_file_id } = await deal()
    for (const person of [guest, rival, admin]) await world.grant(room_file_id, person, 'edit')
    const seen: unknown[] = []
    for await (const one of us().listRoomFilePermissions.each({ room_file_id, limit: 1 }))
      seen.push(one.email)
    assert.deepEqual(new Set(seen), new Set([guest.email, rival.email, admin.email]))
    await refused(world.as(guest).listRoomFilePermissions({ room_file_id }), 'forbidden')
    await refused(world.as(world.people.owner).listRoomFilePermissions({ room_file_id }), 'not_found')
  })

  it('shows guests with full access to the File no other guests, if the Room hides them from each other', async () => {
    const { guest, rival, admin } = world.people
    const { room_id, room_file_id } = await deal()
    await world.grant(room_file_id, guest, 'full_access')
    const ofRival = await world.grant(room_file_id, rival, 'view')
    await world.grant(room_file_id, admin, 'view')
    await us().updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
    const { data } = await world.as(guest).listRoomFilePermissions({ room_file_id })
    assert.deepEqual(new Set(data.map(one => one.email)), new Set([guest.email, admin.email]))
    const named = { room_file_id, permission_id: ofRival }
    await refused(world.as(guest).revokeRoomFilePermission(named), 'not_found')
    const set = (user_id: string) =>
      world.as(guest).setRoomFilePermission({ room_file_id, user_id, access_level: 'edit' })
    await refused(set(rival.user_id), 'validation_error')
    await set(admin.user_id)
    assert.equal(await world.levelOn(rival, room_file_id), 'view')
  })
})

describe('revoke_room_file_permission', () => {
  it('takes the File away at once, and leaves it restricted', async () => {
    const { guest } = world.people
    const { room_id, room_file_id } = await deal()
    const permission_id = await world.grant(room_file_id, guest, 'edit')
    const { permission } = await us().revokeRoomFilePermission({ room_file_id, permission_id })
    assert.equal(permission.status, 'revoked')
    assert.deepEqual(await levels(room_file_id), [null, null, 'full_access', 'full_access'])
    assert.equal((await us().getRoomFile({ room_file_id })).room_file.access_mode, 'restricted')
    const { data } = await us().listEvents({ room_id, limit: 1 })
    assert.deepEqual([data[0]?.type, data[0]?.about?.user_id], ['file.permission_revoked', guest.user_id])
    await refused(us().revokeRoomFilePermission({ room_file_id, permission_id }), 'state_conflict')
  })

  it('takes access away in an archived Room too', async () => {
    const { guest } = world.people
    const { room_id, room_file_id } = await deal()
    const permission_id = await world.grant(room_file_id, guest)
    await us().archiveRoom({ room_id, expected_revision: 1 })
    await us().revokeRoomFilePermission({ room_file_id, permission_id })
    assert.equal(await world.levelOn(guest, room_file_id), null)
  })

  it('answers 404 for a permission that there is not, or on another File', async () => {
    const { guest, rival } = world.people
    const [one, other] = [await deal(), await deal()]
    const permission_id = await world.grant(one.room_file_id, guest)
    for (const named of [
      { room_file_id: one.room_file_id, permission_id: crypto.randomUUID() },
      { room_file_id: other.room_file_id, permission_id },
    ])
      await refused(us().revokeRoomFilePermission(named), 'not_found')
    await refused(
      world.as(rival).revokeRoomFilePermission({ room_file_id: one.room_file_id, permission_id }),
      'not_found',
    )
    await refused(
      world.as(rival).revokeRoomFilePermission({ room_file_id: other.room_file_id, permission_id }),
      'forbidden',
    )
  })

  it('ends before a change that waited for it, which then finds nothing', async () => {
    const { guest } = world.people
    const { room_id, room_file_id } = await deal()
    const permission_id = await world.grant(room_file_id, guest, 'edit')
    const change = await whileOpen(world, room_id, async () => {
      const outcome = world
        .as(guest)
        .updateRoomFile({ room_file_id, expected_revision: 2, index_path: 'Late.md' })
        .then(
          () => 'done',
          (error: unknown) => (isProblem(error, 'not_found') ? 'not_found' : error),
        )
      await eventually(async () => (await lockWaits(world.service)) === 1)
      await world.service.sql(`update room_file_permissions set status = 'revoked' where id = $1`, [
        permission_id,
      ])
      return { outcome }
    })
    assert.equal(await change.outcome, 'not_found')
    assert.equal((await us().getRoomFile({ room_file_id })).room_file.index_path, 'Memorandum.md')
  })
})
