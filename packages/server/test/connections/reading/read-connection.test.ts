import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import type { PluginOutcome } from '../../../src/plugins/plugin.ts'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { someApp } from '../../harness/test-app.ts'
import { hostileTexts } from '../../hostile/hostile-text.ts'
import { makeConnectionWorld, type ConnectionWorld, type Key } from '../connection-fixture.ts'

const told: PluginOutcome = { outcome: 'succeeded', output: { orders: [1, 2] } }

describe('reading from a shared connection', () => {
  let world: ConnectionWorld
  before(async () => (world = await makeConnectionWorld()))
  after(() => world.close())
  afterEach(() => world.app.answers(() => told))

  const read = (key: Key, over: object = {}, person: Person = world.people.member) =>
    // A retry would wait as long as the answer says.
    world.service
      .client({ access_token: person.token, workspace_id: world.workspace_id, attempts: 1 })
      .readConnection({ ...key, operation: 'look', arguments: {}, ...over })
  const fresh = async () => world.share(await world.room())
  const readsIn = async (room_id: string) =>
    (await world.eventsOf(room_id)).filter(type => type === 'connection.read').length

  /** What the app answers, once the test has done something meanwhile. */
  const meanwhile = (work: () => Promise<unknown>, outcome: PluginOutcome = told) =>
    world.app.answers(async () => {
      await work()
      return outcome
    })

  it('answers what the app answers, and an event tells the Room and the sharer', async () => {
    const { as, people, room, invite } = world
    const room_id = await room()
    await invite(room_id, people.guest, 'view')
    const key = await world.share(room_id)
    const asked = { operation: 'look', arguments: { path: '/orders', deep: [{ a: null }] } }
    world.app.answers(call => ({ outcome: 'succeeded', output: { saw: call.arguments } }))
    const { data } = await read(key, asked, people.guest)
    assert.deepEqual(data, {
      connection_id: key.connection_id,
      operation: 'look',
      output: { saw: asked.arguments },
      read_at: data.read_at,
    })
    const call = world.app.calls.at(-1)
    assert.deepEqual(
      [call?.operation, call?.arguments, call?.config, call?.idempotency_key],
      ['look', asked.arguments, {}, null],
    )
    const { data: events } = await as(people.member).listEvents({ about: 'me', types: ['connection.read'] })
    const [event] = events.filter(one => one.room.id === room_id)
    assert.deepEqual(
      [event?.actor.user_id, event?.about?.user_id, event?.subject, event?.data],
      [
        people.guest.user_id,
        people.member.user_id,
        { type: 'connection', id: key.connection_id, name: 'Order system' },
        { operation: 'look' },
      ],
    )
  })

  it('is possible by an API key with connections:use, in an archived Room too, and ignores an Idempotency-Key', async () => {
    const { as, people, workspace_id, service } = world
    const key = await fresh()
    await as(people.member).archiveRoom({ room_id: key.room_id, expected_revision: 1 })
    const byKey = await world.key(people.member, ['connections:use'])
    const { data } = await byKey.readConnection({ ...key, operation: 'look', arguments: {} })
    assert.deepEqual(data.output, { orders: [1, 2] })
    const { secret } = await service.apiKey(workspace_id, people.member, ['connections:read'])
    const weak = service.client({ api_key: secret, workspace_id })
    const problem = await refused(
      weak.readConnection({ ...key, operation: 'look', arguments: {} }),
      'forbidden',
    )
    assert.equal(problem.required_permission, 'connections:use')
    for (let times = 0; times < 2; times++)
      await service.request(`/v1/rooms/${key.room_id}/connections/${key.connection_id}/read`, {
        method: 'POST',
        token: people.member.token,
        headers: {
          'svc-workspace-id': workspace_id,
          'idempotency-key': 'the-same-for-both',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ operation: 'look', arguments: {} }),
      })
    assert.equal(await readsIn(key.room_id), 3)
  })

  it('gives an output of any JSON type as it is', async () => {
    const key = await fresh()
    const deep = JSON.parse('[[[[[{"a":[{}]}]]]]]') as unknown
    for (const output of [
      null,
      0,
      -1.5e-7,
      'text',
      '',
      true,
      [],
      {},
      deep,
      { '': 1, __proto_: 2 },
      ...hostileTexts,
    ]) {
      if (typeof output === 'string' && (!output.isWellFormed() || output.includes('\u0000'))) continue
      world.app.answers(() => ({ outcome: 'succeeded', output }))
      assert.deepEqual((await read(key)).data.output, output)
    }
    world.app.answers(() => ({ outcome: 'succeeded', output: undefined }))
    assert.equal((await read(key)).data.output, null)
  })

  it('is refused without asking the app: for other operations, wrong arguments, and if it is not live', async () => {
    const key = await fresh()
    const strict = await world.share(key.room_id, world.people.member, { requires_approval: ['look'] })
    const calls = world.app.calls.length
    const pointersOf = async (over: object) =>
      (await refused(read(key, over), 'validation_error')).errors.map(one => `${one.pointer} ${one.code}`)
    assert.deepEqual(await pointersOf({ operation: 'peek' }), ['/operation unknown'])
    assert.deepEqual(await pointersOf({ operation: 'constructor' }), ['/operation unknown'])
    assert.deepEqual(await pointersOf({ operation: 'NO' }), ['/operation format'])
    assert.deepEqual(await pointersOf({ arguments: { wrong: 1 } }), ['/arguments/wrong format'])
    assert.deepEqual(await pointersOf({ arguments: { long: 'é'.repeat(32_768) } }), ['/arguments too_long'])
    assert.deepEqual(await pointersOf({ arguments: [] }), ['/arguments type'])
    assert.deepEqual(await pointersOf({ arguments: null }), ['/arguments type'])
    await refused(read(key, { operation: 'change' }), 'forbidden')
    await refused(read(strict), 'forbidden')
    for (const status of ['paused', 'error', 'stopped'] as const) {
      await world.save(key, status)
      assert.equal((await refused(read(key), 'state_conflict')).current_status, status)
    }
    assert.equal(world.app.calls.length, calls)
    assert.equal(await readsIn(key.room_id), 0)
  })

  it('answers 404 for what is absent, hidden or of another Room, with one text', async () => {
    const { people, room } = world
    const key = await fresh()
    const calls = world.app.calls.length
    const details = new Set<string>()
    const elsewhere = await room()
    for (const call of [
      () => read(key, {}, people.owner),
      () => read({ ...key, room_id: elsewhere }),
      () => read({ ...key, connection_id: randomUUID() }),
    ])
      details.add((await refused(call(), 'not_found')).detail)
    assert.equal(details.size, 1)
    await refused(read(key, {}, people.rival), 'forbidden')
    assert.equal(world.app.calls.length, calls)
  })

  it('judges again before it answers: after lost access, a pause, a stop or the end of a membership', async () => {
    const { as, people, service, invite } = world
    const key = await fresh()
    const participant = await invite(key.room_id, people.admin, 'edit')
    meanwhile(() => as(people.member).pauseConnection(key))
    assert.equal((await refused(read(key, {}, people.admin), 'state_conflict')).current_status, 'paused')
    await as(people.member).resumeConnection(key)
    meanwhile(() =>
      as(people.member).revokeParticipant({ room_id: key.room_id, participant_id: participant }),
    )
    await refused(read(key, {}, people.admin), 'not_found')
    const max = service.person('Max')
    const membership_id = await service.join(world.workspace_id, max, 'member')
    await invite(key.room_id, max, 'view')
    meanwhile(() => as(people.owner).removeMembership({ membership_id }))
    await refused(read(key, {}, max), 'forbidden')
    meanwhile(() => as(people.member).stopConnection(key))
    assert.equal((await refused(read(key), 'state_conflict')).current_status, 'stopped')
    assert.equal(await readsIn(key.room_id), 0)
  })

  it('tells what came of a call that failed, and whoever lost their access learns nothing', async () => {
    const { as, people, invite } = world
    const key = await fresh()
    const participant_id = await invite(key.room_id, people.admin, 'view')
    const failing = (outcome: 'refused' | 'invalid_answer' | 'unreachable' | 'outcome_unknown') => {
      world.app.answers(() => ({ outcome, detail: `It was ${outcome}.` }))
      return read(key, {}, people.admin)
    }
    assert.equal((await refused(failing('refused'), 'unprocessable_content')).detail, 'It was refused.')
    await refused(failing('invalid_answer'), 'unprocessable_content')
    const details = [
      await refused(failing('unreachable'), 'unavailable'),
      await refused(failing('outcome_unknown'), 'unavailable'),
    ]
    assert.equal(details[0]?.detail, details[1]?.detail)
    meanwhile(() => as(people.member).revokeParticipant({ room_id: key.room_id, participant_id }), {
      outcome: 'refused',
      detail: 'It is a secret.',
    })
    await refused(read(key, {}, people.admin), 'not_found')
    assert.equal((await world.seen(key, people.member))?.status, 'live')
    assert.equal(await readsIn(key.room_id), 0)
  })

  it('makes a connection an error that the app refuses, with one event, until its sharer reconnects it', async () => {
    const { as, people } = world
    const key = await fresh()
    world.app.answers(() => ({ outcome: 'access_refused', detail: 'No.' }))
    const both = await Promise.all([read(key), read(key)].map(call => refused(call, 'state_conflict')))
    for (const problem of both) assert.equal(problem.current_status, 'error')
    const { data } = await as(people.member).listEvents({
      room_id: key.room_id,
      types: ['connection.failed'],
    })
    assert.deepEqual(
      data.map(({ actor, subject }) => [actor.type, subject.id]),
      [['system', key.connection_id]],
    )
    await as(people.member).reconnectConnection(key)
    world.app.answers(() => told)
    assert.deepEqual((await read(key)).data.output, { orders: [1, 2] })
  })

  it('does not give what a plugin must not answer', async () => {
    const key = await fresh()
    const circular: unknown[] = []
    circular.push(circular)
    let deep: unknown = 1
    for (let depth = 0; depth < 40; depth++) deep = [deep]
    const outputs = [
      'x'.repeat(64 * 1024 + 1),
      circular,
      deep,
      { a: Number.POSITIVE_INFINITY },
      [() => 1],
      10n,
      new Date(),
      new Map(),
      'half \ud800',
      { 'nul\u0000': 1 },
      ['nul\u0000'],
    ]
    for (const output of outputs) {
      world.app.answers(() => ({ outcome: 'succeeded', output }))
      await refused(read(key), 'unprocessable_content')
    }
    world.app.answers(() => Promise.reject(new Error('canary-of-the-plugin')))
    const { detail } = await refused(read(key), 'unavailable')
    assert.ok(!detail.includes('canary'))
  })

  it('keeps nothing busy while the app is slow', async () => {
    const key = await fresh()
    const { promise, resolve } = Promise.withResolvers<void>()
    meanwhile(() => promise)
    const calls = world.app.calls.length
    // More than the service has slots and connections to its database.
    const { token: access_token } = world.people.member
    const patient = world.service.client({ access_token, workspace_id: world.workspace_id, attempts: 10 })
    const look = { operation: 'look', arguments: {} }
    const slow: ReturnType<typeof read>[] = []
    // Some at a time, because a change does not wait for long for its turn.
    while (slow.length < 60) {
      slow.push(...Array.from({ length: 15 }, () => patient.readConnection({ ...key, ...look })))
      while (world.app.calls.length < calls + slow.length) await new Promise(setImmediate)
    }
    const [row] = await world.service.sql(
      `select count(*)::integer as busy from pg_stat_activity where datname = current_database() and state like 'idle in%'`,
    )
    assert.equal(row?.['busy'], 0)
    await world.as(world.people.owner).listRooms({})
    await world.as(world.people.owner).createRoom({ title: 'Meanwhile' })
    resolve()
    await Promise.all(slow)
    assert.equal(await readsIn(key.room_id), slow.length)
  })

  it('is of the Workspace of the Room alone', async () => {
    const { people, service } = world
    const key = await fresh()
    const elsewhere = await service.workspace('Elsewhere', people.member)
    const client = service.client({ access_token: people.member.token, workspace_id: elsewhere })
    await refused(client.readConnection({ ...key, operation: 'look', arguments: {} }), 'not_found')
    await refused(client.listConnections({ room_id: key.room_id }), 'not_found')
    await refused(client.shareConnection({ room_id: key.room_id, ...someApp }), 'not_found')
    await refused(client.pauseConnection(key), 'not_found')
  })

  it('is refused if the service has not the plugin any more', async () => {
    const key = await fresh()
    await world.service.sql(`update room_connections set plugin = 'gone' where id = $1`, [key.connection_id])
    await refused(read(key), 'unprocessable_content')
  })
})
