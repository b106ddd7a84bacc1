import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ConnectionStatus } from '@wbs/contract/connections/connections'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { makeConnectionWorld, type ConnectionWorld, type Key } from '../connection-fixture.ts'

describe('what its sharer may do decides on a connection at every use', () => {
  let world: ConnectionWorld
  before(async () => (world = await makeConnectionWorld()))
  after(() => world.close())

  /** A connection of the admin, who takes part in a Room of the member. */
  async function shared(level: 'edit' | 'full_access' = 'edit') {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.admin, level)
    return { ...(await world.share(room_id, world.people.admin)), participant_id }
  }

  const read = (key: Key, person: Person = world.people.member) =>
    world.as(person).readConnection({
      room_id: key.room_id,
      connection_id: key.connection_id,
      operation: 'look',
      arguments: {},
    })

  /** It has a status for everybody and every use, which is not saved. */
  async function assertStatus({ room_id, connection_id }: Key, status: ConnectionStatus) {
    const key = { room_id, connection_id }
    assert.equal((await world.seen(key, world.people.member))?.status, status)
    const { data } = await world.as(world.people.member).listConnections({ room_id, status })
    assert.deepEqual(
      data.map(one => one.connection_id),
      [connection_id],
    )
    if (status === 'live') assert.equal((await read(key)).data.operation, 'look')
    else assert.equal((await refused(read(key), 'state_conflict')).current_status, status)
    assert.deepEqual(await world.savedIn(room_id), ['live'])
  }

  const permissionsOf = (person: Person, permissions: object) =>
    world.service.sql('update memberships set permissions = $3 where workspace_id = $1 and user_id = $2', [
      world.workspace_id,
      person.user_id,
      JSON.stringify(permissions),
    ])

  it('paused while they have less than edit access, and live again afterwards', async () => {
    const key = await shared()
    const set = (access_level: 'view' | 'edit') =>
      world.as(world.people.member).updateParticipant({
        room_id: key.room_id,
        participant_id: key.participant_id,
        access_level,
      })
    await set('view')
    await assertStatus(key, 'paused')
    const problem = await refused(
      world
        .as(world.people.admin)
        .resumeConnection({ room_id: key.room_id, connection_id: key.connection_id }),
      'state_conflict',
    )
    assert.equal(problem.current_status, 'paused')
    await set('edit')
    await assertStatus(key, 'live')
  })

  it('paused while they have not the permission to share', async () => {
    const key = await shared()
    await permissionsOf(world.people.admin, { 'connections:share': false })
    await assertStatus(key, 'paused')
    await permissionsOf(world.people.admin, {})
    await assertStatus(key, 'live')
  })

  it('paused while the general access by which they came gives less', async () => {
    const room_id = await world.room()
    const general = (access: string, level: string | null) =>
      world.service.sql('update rooms set general_access = $2, general_access_level = $3 where id = $1', [
        room_id,
        access,
        level,
      ])
    await general('workspace', 'edit')
    const key = await world.share(room_id, world.people.admin)
    await assertStatus(key, 'live')
    await general('workspace', 'view')
    await assertStatus(key, 'paused')
    await general('invited_only', null)
    await assertStatus(key, 'paused')
  })

  it('paused for good if a manager pauses it meanwhile', async () => {
    const { participant_id, ...key } = await shared()
    const level = (access_level: 'view' | 'edit') =>
      world.service.sql('update room_participants set access_level = $2 where id = $1', [
        participant_id,
        access_level,
      ])
    await level('view')
    const { data } = await world.as(world.people.member).pauseConnection(key)
    assert.equal(data.status, 'paused')
    await level('edit')
    assert.equal((await world.seen(key, world.people.member))?.status, 'paused')
    const resumed = await world.as(world.people.admin).resumeConnection(key)
    assert.equal(resumed.data.status, 'live')
  })

  it('stopped once their participation has ended, though general access still gives them edit', async () => {
    const key = await shared()
    await world.service.sql(
      `update rooms set general_access = 'workspace', general_access_level = 'edit' where id = $1`,
      [key.room_id],
    )
    await assertStatus(key, 'live')
    await world.service.sql(
      `update room_participants set expires_at = now() - interval '1 second' where id = $1`,
      [key.participant_id],
    )
    await assertStatus(key, 'stopped')
    for (const move of ['pause', 'resume', 'stop', 'reconnect'] as const) {
      const { room_id, connection_id } = key
      const call = world.as(world.people.admin)[`${move}Connection`]({ room_id, connection_id })
      assert.equal((await refused(call, 'state_conflict')).current_status, 'stopped')
    }
  })

  it('stopped once their membership has ended, and not continued by a new one', async () => {
    const room_id = await world.room()
    const max = world.service.person('Max')
    const membership_id = await world.service.join(world.workspace_id, max, 'member')
    await world.invite(room_id, max, 'edit')
    const key = await world.share(room_id, max)
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    await assertStatus(key, 'stopped')
    await world.service.join(world.workspace_id, max, 'member')
    await world.service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2`,
      [room_id, max.user_id],
    )
    await world.invite(room_id, max, 'full_access')
    await assertStatus(key, 'stopped')
  })

  it('hidden from other guests of a Room that masks them, once the sharer is a guest too', async () => {
    const { as, people, room, invite, service } = world
    const room_id = await room()
    await as(people.member).updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
    await invite(room_id, people.guest, 'edit')
    const rex = service.person('Rex')
    const membership_id = await service.join(world.workspace_id, rex, 'member')
    await invite(room_id, rex, 'edit')
    const [ofMember, ofRex] = [await world.share(room_id), await world.share(room_id, rex)]
    assert.ok(await world.seen(ofRex, people.guest))
    await service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    assert.equal(await world.seen(ofRex, people.guest), undefined)
    assert.ok(await world.seen(ofMember, people.guest))
    assert.equal((await world.seen(ofRex, people.member))?.status, 'stopped')
    await refused(as(people.guest).pauseConnection(ofRex), 'not_found')
    await refused(read(ofRex, people.guest), 'not_found')
  })
})
