import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { scopes } from '@wbs/contract/scopes'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../room-fixture.ts'

describe('POST /v1/rooms/{room_id}/break-glass', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())
  const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
  const reason = 'Its manager left the firm today.'
  const breakIn = (room_id: string, name: keyof RoomWorld['people'] = 'owner') =>
    client(name).breakGlass({ room_id, reason })

  it('gives the owner access to a hidden Room, with an event that names them and the reason', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    await refused(client('owner').getRoom({ room_id }), 'not_found')
    const { participant, action_receipt } = await breakIn(room_id)
    assert.deepEqual(
      [participant.user_id, participant.access_level, participant.status, participant.expires_at],
      [world.people.owner.user_id, 'full_access', 'active', null],
    )
    assert.deepEqual([action_receipt.action, action_receipt.changed], ['break_glass', ['status']])
    assert.equal((await client('owner').getRoom({ room_id })).room.access_level, 'full_access')
    for (const witness of ['guest', 'member'] as const) {
      const [event] = (await client(witness).listEvents({ room_id })).data
      assert.equal(event?.type, 'participant.joined')
      assert.equal(event.actor.user_id, world.people.owner.user_id)
      assert.deepEqual(event.data, { access_level: 'full_access', break_glass: { reason } })
    }
  })

  it('recovers a Room without managers, also an archived one', async () => {
    const { admin } = world.people
    const room_id = (await world.as(admin).createRoom({ title: 'Left behind' })).room.room_id
    await client('admin').archiveRoom({ room_id, expected_revision: 1 })
    const { data } = await client('owner').listTeamMembers()
    const gone = data.find(member => member.user_id === admin.user_id)
    await client('owner').removeMembership({ membership_id: gone?.id ?? '' })
    await breakIn(room_id)
    const { room } = await client('owner').restoreRoom({ room_id, expected_revision: 2 })
    assert.equal(room.status, 'active')
    await world.service.join(world.workspace_id, admin, 'admin')
  })

  it('raises the level of the owner without an end date, and changes nothing if they have that already', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.owner, 'view')
    await world.service.sql(
      `update room_participants set expires_at = now() + interval '1 hour' where id = $1`,
      [participant_id],
    )
    const { participant, action_receipt } = await breakIn(room_id)
    assert.deepEqual(
      [participant.participant_id, participant.access_level, participant.expires_at],
      [participant_id, 'full_access', null],
    )
    assert.deepEqual(action_receipt.changed, ['access_level', 'expires_at'])
    const events = await world.eventsOf(room_id)
    assert.equal(events.at(-1), 'participant.access_changed')
    const again = await breakIn(room_id)
    assert.deepEqual([again.participant, again.action_receipt.changed], [participant, []])
    assert.deepEqual(await world.eventsOf(room_id), events)
  })

  it('takes effect once for several concurrent requests, with one event', async () => {
    const room_id = await world.room()
    const answers = await Promise.all(Array.from({ length: 6 }, () => breakIn(room_id)))
    assert.equal(new Set(answers.map(({ participant }) => participant.participant_id)).size, 1)
    assert.deepEqual(answers.map(({ action_receipt }) => action_receipt.changed.join()).sort(), [
      '',
      '',
      '',
      '',
      '',
      'status',
    ])
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'participant.joined'])
  })

  it('names only the fields that changed', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.owner, 'edit')
    assert.deepEqual((await breakIn(room_id)).action_receipt.changed, ['access_level'])
  })

  it('restores access that had expired', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.owner, 'edit')
    await world.service.sql('update room_participants set expires_at = now() where id = $1', [participant_id])
    const { participant } = await breakIn(room_id)
    assert.deepEqual([participant.status, participant.expires_at], ['active', null])
    assert.equal((await client('owner').getRoom({ room_id })).room.access_level, 'full_access')
  })

  it('restores access that had ended with an earlier membership', async () => {
    const olga = world.service.person('Olga')
    const membership_id = await world.service.join(world.workspace_id, olga, 'member')
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, olga, 'full_access')
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    await world.service.join(world.workspace_id, olga, 'owner')
    await refused(world.as(olga).getRoom({ room_id }), 'not_found')
    const { participant, action_receipt } = await world.as(olga).breakGlass({ room_id, reason })
    assert.deepEqual([participant.participant_id, participant.status], [participant_id, 'active'])
    assert.deepEqual(action_receipt.changed, ['status'])
    assert.equal((await world.as(olga).getRoom({ room_id })).room.access_level, 'full_access')
  })

  it('refuses everybody but owners in person, without revealing the Room', async () => {
    const room_id = await world.room()
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.owner, scopes)
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    for (const named of [room_id, newId('rom')]) {
      await refused(key.breakGlass({ room_id: named, reason }), 'forbidden')
      for (const name of ['admin', 'member', 'viewer', 'guest'] as const)
        await refused(breakIn(named, name), 'forbidden')
    }
    assert.deepEqual(await world.eventsOf(room_id), ['room.created'])
  })

  it('answers 404 for a Room of another Workspace', async () => {
    const theirs = await world.service.workspace('Theirs', world.people.rival)
    const them = world.service.client({ access_token: world.people.rival.token, workspace_id: theirs })
    const { room } = await them.createRoom({ title: 'Of others' })
    await refused(breakIn(room.room_id), 'not_found')
  })

  it('requires a reason, and creates one event however often it is sent', async () => {
    const room_id = await world.room()
    for (const none of ['', '  ', undefined, 'x'.repeat(2001)]) {
      const { errors } = await refused(
        client('owner').breakGlass({ room_id, reason: none as string }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(error => error.pointer),
        ['/reason'],
      )
    }
    const options = { idempotency_key: randomUUID() }
    const first = await client('owner').breakGlass({ room_id, reason }, options)
    const again = await client('owner').breakGlass({ room_id, reason }, options)
    assert.deepEqual([again.idempotent_replay, again.participant], [true, first.participant])
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'participant.joined'])
  })
})
