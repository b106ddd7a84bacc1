import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { connectionMachine, connectionStatuses } from '@wbs/contract/connections/connections'
import { nextState } from '@wbs/contract/state-machine'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { makeConnectionWorld, type ConnectionWorld, type Key } from '../connection-fixture.ts'

const moves = ['pause', 'resume', 'stop', 'reconnect'] as const
type Move = (typeof moves)[number]

const events: Record<Move, string> = {
  pause: 'connection.paused',
  resume: 'connection.resumed',
  stop: 'connection.stopped',
  reconnect: 'connection.reconnected',
}

describe('a shared connection', () => {
  let world: ConnectionWorld
  before(async () => (world = await makeConnectionWorld()))
  after(() => world.close())

  const carryOut = (move: Move, key: Key, person: Person = world.people.member, options = {}) =>
    world.as(person)[`${move}Connection`](key, options)

  for (const move of moves)
    for (const status of connectionStatuses) {
      const next = nextState(connectionMachine, move, status)
      it(`that is ${status} is ${next ?? 'refused'} after ${move}`, async () => {
        const key = await world.share(await world.room())
        await world.save(key, status)
        const untouched = await world.eventsOf(key.room_id)
        if (!next) {
          const problem = await refused(carryOut(move, key), 'state_conflict')
          assert.equal(problem.current_status, status)
          assert.deepEqual(await world.savedIn(key.room_id), [status])
          assert.deepEqual(await world.eventsOf(key.room_id), untouched)
          return
        }
        const { data, action_receipt, idempotent_replay } = await carryOut(move, key)
        assert.deepEqual([data.status, idempotent_replay], [next, false])
        assert.equal(action_receipt.action, `${move}_connection`)
        assert.deepEqual(action_receipt.changed, ['status'])
        assert.deepEqual(await world.seen(key, world.people.member), data)
        assert.deepEqual(await world.eventsOf(key.room_id), [...untouched, events[move]])
      })
    }

  it('moves between live and paused, ends by stop, and comes back from an error by reconnect alone', () => {
    const { pause, resume, stop, reconnect } = connectionMachine.moves
    assert.deepEqual([pause, resume, reconnect], [{ live: 'paused' }, { paused: 'live' }, { error: 'live' }])
    // One that the app refuses must be stopped somehow, or it would count among those of the Room for ever.
    assert.deepEqual(stop, { live: 'stopped', paused: 'stopped', error: 'stopped' })
  })

  it('gives a repeated request the first answer, whatever happened since', async () => {
    const key = await world.share(await world.room())
    const idempotency_key = randomUUID()
    const first = await carryOut('pause', key, world.people.member, { idempotency_key })
    await carryOut('stop', key)
    const again = await carryOut('pause', key, world.people.member, { idempotency_key })
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    assert.equal((await world.seen(key, world.people.member))?.status, 'stopped')
  })

  it('is controlled by its sharer and those with full access, and reconnected by its sharer alone', async () => {
    const { people, room, invite } = world
    const room_id = await room()
    await invite(room_id, people.admin, 'edit')
    await invite(room_id, people.owner, 'full_access')
    await invite(room_id, people.guest, 'full_access')
    const key = await world.share(room_id, people.admin)
    assert.deepEqual(
      await Promise.all(
        [people.admin, people.owner, people.guest, people.member].map(async person => {
          const shown = await world.seen(key, person)
          return [shown?.mine, shown?.can_stop]
        }),
      ),
      [
        [true, true],
        [false, true],
        [false, true],
        [false, true],
      ],
    )
    for (const person of [people.admin, people.owner, people.guest]) {
      await carryOut('pause', key, person)
      await carryOut('resume', key, person)
    }
    await world.save(key, 'error')
    for (const person of [people.owner, people.guest])
      await refused(carryOut('reconnect', key, person), 'forbidden')
    await carryOut('reconnect', key, people.admin)
    await carryOut('stop', key, people.owner)
    assert.equal((await world.seen(key, people.admin))?.can_stop, false)
  })

  it('answers 403 to those with less, and 404 to those who cannot see it, whatever its status', async () => {
    const { people, room, invite } = world
    const room_id = await room()
    await invite(room_id, people.admin, 'edit')
    const key = await world.share(room_id)
    const elsewhere = { ...key, room_id: await room() }
    for (const status of connectionStatuses) {
      await world.save(key, status)
      for (const move of moves) {
        await refused(carryOut(move, key, people.admin), 'forbidden')
        await refused(carryOut(move, key, people.owner), 'not_found')
        await refused(carryOut(move, elsewhere), 'not_found')
        await refused(carryOut(move, { ...key, connection_id: randomUUID() }), 'not_found')
      }
    }
    assert.equal((await world.seen(key, people.admin))?.can_stop, false)
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'connection.shared'])
  })

  it('follows an API key of its sharer that may use connections', async () => {
    const { people, room } = world
    const key = await world.share(await room())
    const mayUse = await world.key(people.member, ['rooms:read', 'connections:read', 'connections:use'])
    const mayRead = await world.key(people.member, ['rooms:read', 'connections:read'])
    const { data } = await mayUse.pauseConnection(key)
    assert.deepEqual([data.status, data.mine, data.can_stop], ['paused', true, true])
    const problem = await refused(mayRead.resumeConnection(key), 'forbidden')
    assert.equal(problem.required_permission, 'connections:use')
    const shown = await mayRead.listConnections({ room_id: key.room_id })
    assert.equal(shown.data[0]?.can_stop, false)
  })

  it('can be paused and stopped in an archived Room, and not be resumed or reconnected', async () => {
    const { as, people, room } = world
    const room_id = await room()
    const [paused, failed] = [await world.share(room_id), await world.share(room_id)]
    await world.save(failed, 'error')
    await as(people.member).archiveRoom({ room_id, expected_revision: 1 })
    await carryOut('pause', paused)
    for (const [move, key] of [
      ['resume', paused],
      ['reconnect', failed],
    ] as const) {
      const problem = await refused(carryOut(move, key), 'state_conflict')
      assert.equal(problem.current_status, 'archived')
    }
    await carryOut('stop', paused)
    await carryOut('stop', failed)
  })

  it('ends in one status when many change it at once, and each change that counts has one event', async () => {
    const key = await world.share(await world.room())
    const all = [...moves, ...moves, ...moves].map(move => carryOut(move, key).catch(() => undefined))
    await Promise.all(all)
    assert.equal((await world.seen(key, world.people.member))?.status, 'stopped')
    const types = (await world.eventsOf(key.room_id)).slice(2)
    assert.equal(types.at(-1), 'connection.stopped')
    types
      .slice(0, -1)
      .forEach((type, at) => assert.equal(type, at % 2 === 0 ? 'connection.paused' : 'connection.resumed'))
  })

  it('cancels open approvals when it is stopped, and runs held ones when it is resumed', async () => {
    const { people, service } = world
    const [stopped, resumed] = [await world.share(await world.room()), await world.share(await world.room())]
    const insert = (key: Key, id: string, status: string, held: string | null) =>
      service.sql(
        `insert into approvals (workspace_id, id, room_id, connection_id, requested_by, asked_of_user_id, operation, summary,
           arguments, arguments_sha256, status, held_for, expires_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $5, 'change', 'Change it', '{}', repeat('0', 64), $6, $7, now() + interval '1 day', now(), now())`,
        [world.workspace_id, id, key.room_id, key.connection_id, people.member.user_id, status, held],
      )
    const ids = ['1', '2', '3'].map(one => `apr_${'0'.repeat(25)}${one}`)
    const [pending, held, waiting] = ids as [string, string, string]
    await insert(stopped, pending, 'pending', null)
    await insert(stopped, held, 'approved', 'resume')
    await world.save(resumed, 'paused')
    await insert(resumed, waiting, 'approved', 'resume')
    await carryOut('stop', stopped)
    await carryOut('resume', resumed)
    const rows = await service.sql(
      'select id, status, held_for from approvals where id = any ($1) order by id',
      [ids],
    )
    assert.deepEqual(rows.slice(0, 2), [
      { id: pending, status: 'canceled', held_for: null },
      { id: held, status: 'canceled', held_for: null },
    ])
    assert.equal(rows[2]?.['held_for'], null)
    assert.notEqual(rows[2]?.['status'], 'canceled')
    assert.deepEqual((await world.eventsOf(stopped.room_id)).slice(2), [
      'connection.stopped',
      'approval.canceled',
      'approval.canceled',
    ])
    const jobs = await service.sql(
      `select data ->> 'approval_id' as id from svc_jobs.job where name = 'execute_approval' and data ->> 'workspace_id' = $1`,
      [world.workspace_id],
    )
    assert.deepEqual(jobs, [{ id: waiting }])
  })

  it('runs what waited while its sharer could not share, by a resumption that is refused afterwards', async () => {
    const key = await world.share(await world.room())
    const id = `apr_${'0'.repeat(25)}4`
    const { people, service, workspace_id } = world
    await service.sql(
      `insert into approvals (workspace_id, id, room_id, connection_id, requested_by, asked_of_user_id, operation, summary,
         arguments, arguments_sha256, status, held_for, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $5, 'change', 'Change it', '{}', repeat('0', 64), 'approved', 'resume', now() + interval '1 day', now(), now())`,
      [workspace_id, id, key.room_id, key.connection_id, people.member.user_id],
    )
    const { data, action_receipt } = await carryOut('resume', key)
    assert.deepEqual([data.status, action_receipt.changed], ['live', []])
    const problem = await refused(carryOut('resume', key), 'state_conflict')
    assert.equal(problem.current_status, 'live')
    const jobs = await service.sql(
      `select count(*)::int as n from svc_jobs.job where name = 'execute_approval' and data ->> 'approval_id' = $1`,
      [id],
    )
    assert.deepEqual(jobs, [{ n: 1 }])
  })
})
