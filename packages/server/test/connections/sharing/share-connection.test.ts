import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { scopes } from '@wbs/contract/scopes'
import { refused } from '../../harness/refused.ts'
import { someApp } from '../../harness/test-app.ts'
import { makeConnectionWorld, type ConnectionWorld } from '../connection-fixture.ts'

describe('sharing a connection', () => {
  let world: ConnectionWorld
  before(async () => (world = await makeConnectionWorld()))
  after(() => world.close())

  const pointersOf = async (call: Promise<unknown>) =>
    (await refused(call, 'validation_error')).errors.map(({ pointer, code }) => `${pointer} ${code}`)

  it('makes it live, with an event and a receipt that name it', async () => {
    const { as, people, room } = world
    const room_id = await room()
    const answer = await as(people.member).shareConnection({ room_id, ...someApp, label: '  Orders  ' })
    const { data, action_receipt, idempotent_replay } = answer
    assert.deepEqual(
      { ...data, connection_id: '', shared_at: '' },
      {
        connection_id: '',
        room_id,
        kind: 'app',
        plugin: 'test_app',
        origin: 'test:test_app',
        label: 'Orders',
        status: 'live',
        shared_by: { id: people.member.user_id, name: 'member' },
        shared_at: '',
        mine: true,
        can_stop: true,
        allowed_operations: ['look', 'change'],
        requires_approval: ['change'],
      },
    )
    assert.equal(idempotent_replay, false)
    assert.equal(action_receipt.action, 'share_connection')
    assert.deepEqual(action_receipt.resource, { type: 'connection', id: data.connection_id })
    assert.deepEqual(await world.seen({ room_id, connection_id: data.connection_id }, people.member), data)
    const { data: events } = await as(people.member).listEvents({ room_id, types: ['connection.*'] })
    assert.deepEqual(
      events.map(({ type, subject, data: of }) => ({ type, subject, data: of })),
      [
        {
          type: 'connection.shared',
          subject: { type: 'connection', id: data.connection_id, name: 'Orders' },
          data: { kind: 'app', plugin: 'test_app', origin: 'test:test_app' },
        },
      ],
    )
  })

  it('answers a repeated request with the first answer, once', async () => {
    const { as, people, room } = world
    const room_id = await room()
    const idempotency_key = randomUUID()
    const share = () => as(people.member).shareConnection({ room_id, ...someApp }, { idempotency_key })
    const [first, again] = [await share(), await share()]
    assert.deepEqual(again.data, first.data)
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'connection.shared'])
    assert.deepEqual(await world.savedIn(room_id), ['live'])
  })

  it('requires approval as the sharer says: of nothing, or of reading too', async () => {
    const room_id = await world.room()
    for (const requires_approval of [[], ['look'], ['change', 'look']]) {
      const key = await world.share(room_id, world.people.member, { requires_approval })
      assert.deepEqual((await world.seen(key, world.people.member))?.requires_approval, requires_approval)
    }
  })

  it('is for members with edit access and the permission, in person', async () => {
    const { as, people, room, invite } = world
    const room_id = await room()
    await refused(as(people.admin).shareConnection({ room_id, ...someApp }), 'not_found')
    await invite(room_id, people.admin, 'view')
    await refused(as(people.admin).shareConnection({ room_id, ...someApp }), 'forbidden')
    await invite(room_id, people.viewer, 'full_access')
    await invite(room_id, people.guest, 'full_access')
    for (const person of [people.viewer, people.guest]) {
      const problem = await refused(as(person).shareConnection({ room_id, ...someApp }), 'forbidden')
      assert.equal(problem.required_permission, 'connections:share')
    }
    const byKey = await world.key(people.member, scopes)
    await refused(byKey.shareConnection({ room_id, ...someApp }), 'forbidden')
    assert.deepEqual(await world.savedIn(room_id), [])
  })

  it('names the fault of a plugin, its kind, its settings and its operations', async () => {
    const { as, people, room } = world
    const room_id = await room()
    const share = (over: object) => as(people.member).shareConnection({ room_id, ...someApp, ...over })
    assert.deepEqual(await pointersOf(share({ plugin: 'another' })), ['/plugin unknown'])
    assert.deepEqual(await pointersOf(share({ plugin: 'constructor' })), ['/plugin unknown'])
    assert.deepEqual(await pointersOf(share({ kind: 'source' })), ['/kind conflict'])
    assert.deepEqual(await pointersOf(share({ config: { wrong: 1 } })), ['/config/wrong format'])
    assert.deepEqual(await pointersOf(share({ config: { long: 'x'.repeat(66_000) } })), ['/config too_long'])
    assert.deepEqual(await pointersOf(share({ allowed_operations: ['look', 'burn', 'to_string'] })), [
      '/allowed_operations/1 unknown',
      '/allowed_operations/2 unknown',
    ])
    assert.deepEqual(await pointersOf(share({ requires_approval: ['change', 'peek'] })), [
      '/requires_approval/1 unknown',
    ])
    assert.deepEqual(await pointersOf(share({ allowed_operations: [] })), ['/allowed_operations too_short'])
    assert.deepEqual(await pointersOf(share({ label: 'Two\nlines' })), ['/label format'])
    for (const field of ['plugin', 'kind', 'label', 'config'])
      await refused(share({ [field]: undefined }), 'validation_error')
    await refused(share({ source_connection_id: randomUUID() }), 'validation_error')
    assert.deepEqual(await world.savedIn(room_id), [])
  })

  it('tells who may not share nothing about plugins', async () => {
    const { as, people, room } = world
    const share = as(people.admin).shareConnection({ room_id: await room(), ...someApp, plugin: 'another' })
    await refused(share, 'not_found')
  })

  it('is refused in an archived Room', async () => {
    const { as, people, room } = world
    const room_id = await room()
    await as(people.member).archiveRoom({ room_id, expected_revision: 1 })
    const problem = await refused(
      as(people.member).shareConnection({ room_id, ...someApp }),
      'state_conflict',
    )
    assert.equal(problem.current_status, 'archived')
  })

  it('is refused in a Room with 50 connections that are not stopped, also for many at once', async () => {
    const { as, people, room, service } = world
    const room_id = await room()
    const { connection_id } = await world.share(room_id)
    await service.sql(
      `insert into room_connections (workspace_id, id, room_id, kind, plugin, origin, label, config, allowed_operations,
         status, shared_by, membership_id, participant_id, shared_at, updated_at)
       select workspace_id, gen_random_uuid(), room_id, kind, plugin, origin, label, config, allowed_operations,
         case when n > 46 then 'stopped' else 'live' end, shared_by, membership_id, participant_id, shared_at, updated_at
       from room_connections, generate_series(1, 60) n where id = $1`,
      [connection_id],
    )
    const asked = await Promise.allSettled(
      Array.from({ length: 6 }, () => as(people.member).shareConnection({ room_id, ...someApp })),
    )
    assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 3)
    await refused(as(people.member).shareConnection({ room_id, ...someApp }), 'limit_reached')
    await as(people.member).stopConnection({ room_id, connection_id })
    await world.share(room_id)
  })

  describe('from another Room', () => {
    it('shares the same app there, with operations of its own', async () => {
      const { as, people, room } = world
      const source = await world.share(await room('First'), people.member, { config: { of: 'the first' } })
      const room_id = await room('Second')
      const { data } = await as(people.member).shareConnection({
        room_id,
        source_connection_id: source.connection_id,
        allowed_operations: ['peek'],
      })
      assert.deepEqual(
        [data.plugin, data.origin, data.label, data.allowed_operations, data.requires_approval],
        ['test_app', 'test:test_app', 'Order system', ['peek'], []],
      )
      await as(people.member).readConnection({
        room_id,
        connection_id: data.connection_id,
        operation: 'peek',
        arguments: {},
      })
      assert.deepEqual(world.app.calls.at(-1)?.config, { of: 'the first' })
      const { data: named } = await as(people.member).shareConnection({
        room_id,
        source_connection_id: source.connection_id,
        label: 'Another name',
        allowed_operations: ['change'],
      })
      assert.deepEqual([named.label, named.requires_approval], ['Another name', ['change']])
    })

    it('answers 404 for one that is absent, hidden, of somebody else, of the same Room or stopped', async () => {
      const { as, people, room, invite } = world
      const room_id = await room('To')
      const from = await room('From')
      await invite(from, people.admin, 'edit')
      const stopped = await world.share(from)
      await as(people.member).stopConnection(stopped)
      const sources = [
        randomUUID(),
        (await world.share(from, people.admin)).connection_id,
        (await world.share(room_id)).connection_id,
        stopped.connection_id,
        (
          await world.share(
            (await as(people.admin).createRoom({ title: 'Hidden' })).room.room_id,
            people.admin,
          )
        ).connection_id,
      ]
      const details = new Set<string>()
      for (const source_connection_id of sources) {
        const shared = as(people.member).shareConnection({
          room_id,
          source_connection_id,
          allowed_operations: ['look'],
        })
        details.add((await refused(shared, 'not_found')).detail)
      }
      assert.equal(details.size, 1)
    })

    it('answers 404 once its sharer cannot see the other Room any more', async () => {
      const { as, people, room, invite, service } = world
      const from = await room('From')
      const participant = await invite(from, people.admin, 'edit')
      const { connection_id } = await world.share(from, people.admin)
      const { room: own } = await as(people.admin).createRoom({ title: 'Own' })
      await service.sql(`update room_participants set status = 'revoked' where id = $1`, [participant])
      const shared = as(people.admin).shareConnection({
        room_id: own.room_id,
        source_connection_id: connection_id,
        allowed_operations: ['look'],
      })
      await refused(shared, 'not_found')
    })

    it('is refused if the service can no longer reach the app', async () => {
      const { as, people, room, service } = world
      const source = await world.share(await room('From'))
      await service.sql(`update room_connections set config = '{"wrong": true}' where id = $1`, [
        source.connection_id,
      ])
      const shared = as(people.member).shareConnection({
        room_id: await room('To'),
        source_connection_id: source.connection_id,
        allowed_operations: ['look'],
      })
      assert.deepEqual(await pointersOf(shared), ['/source_connection_id conflict'])
    })
  })
})
