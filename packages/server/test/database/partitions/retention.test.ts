import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { startMaintainingPartitions } from '../../../src/database/partitions/maintain-partitions.ts'
import { connectOwner } from '../../../src/database/database.ts'
import { isLockTimeout } from '../../../src/database/faults.ts'
import { eventually } from '../../harness/eventually.ts'
import { refused } from '../../harness/refused.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { rowChanges } from '../../harness/transactions/row-changes.ts'
import { asOwner, beginPeriod, forEver, maintain, partitionsOf, passDays } from './periods.ts'

const month = /^-?\d{4}-\d\d-01 00:00:00\+00$/

describe('the partitions of commands, receipts and events', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  const services: TestService[] = []
  beforeEach(async () => {
    service = await startTestService()
    services.push(service)
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor', olivia)
  })
  after(() => Promise.all(services.map(one => one.close())))

  const openRoom = (idempotency_key: string = randomUUID()) =>
    olivia.client.createRoom({ title: 'A Room' }, { idempotency_key, workspace_id })
  const tables = async () =>
    (
      await service.sql<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'svc'::regnamespace and relkind = 'r' order by 1`,
      )
    ).map(({ name }) => name)
  const allChanges = async () => (await olivia.client.listEventChanges({ limit: 100 }, { workspace_id })).data

  it('are created for the next month, once, by whichever node comes first', async () => {
    const runs = await Promise.allSettled([maintain(service), maintain(service), maintain(service)])
    const created = runs.flatMap(run => (run.status === 'fulfilled' ? run.value.created : []))
    assert.deepEqual(created, [2])
    for (const run of runs) assert.ok(run.status === 'fulfilled' || isLockTimeout(run.reason))
    assert.deepEqual(await maintain(service), { created: [], dropped: [] })
    const [period] = await service.sql<{ begins: string; ahead: boolean }>(
      `select (starts_at at time zone 'UTC')::text || '+00' as begins,
              starts_at > now() and starts_at < now() + interval '32 days' as ahead
       from history_periods where number = 2`,
    )
    assert.match(String(period?.begins), month)
    assert.equal(period?.ahead, true)
    await openRoom()
    assert.equal((await service.sql('select from commands_2')).length, 0)
  })

  it('are dropped when all their keys have expired; receipts and events stay', async () => {
    const [key, fresh] = [randomUUID(), randomUUID()]
    const first = await openRoom(key)
    await beginPeriod(service)
    await passDays(service, 30)
    await openRoom(fresh)
    assert.deepEqual((await maintain(service)).dropped, [])
    await passDays(service, 2)
    const before = await tables()
    await rowChanges(service)
    assert.deepEqual((await maintain(service)).dropped, ['commands_1'])
    assert.deepEqual(
      await tables(),
      before.filter(table => table !== 'commands_1'),
    )
    assert.ok(before.includes('commands_1'))
    const changes = await rowChanges(service)
    assert.deepEqual(
      changes.filter(change => !change.endsWith(' history_periods')),
      [],
    )
    assert.deepEqual((await maintain(service)).dropped, [])
    assert.equal((await openRoom(fresh)).idempotent_replay, true)
    const again = await openRoom(key)
    assert.equal(again.idempotent_replay, false)
    assert.notEqual(again.room.room_id, first.room.room_id)
    assert.equal((await allChanges()).length, 3)
  })

  it('of keys that are kept for ever are not dropped', async () => {
    const key = randomUUID()
    const create = () => olivia.client.createWorkspace({ name: 'Kept' }, { idempotency_key: key })
    const { workspace } = await create()
    for (let period = 0; period < 3; period++) {
      await beginPeriod(service)
      await passDays(service, 400)
    }
    const { dropped } = await maintain(service, { event_days: 31, receipt_days: 31 })
    assert.ok(dropped.includes('commands_1') && dropped.includes('receipts_1'))
    const again = await create()
    assert.deepEqual([again.idempotent_replay, again.workspace.id], [true, workspace.id])
    assert.deepEqual(await partitionsOf(service, 'commands'), ['commands_0', 'commands_4', 'commands_5'])
  })

  it('stay as long as one key in them has not expired', async () => {
    const key = randomUUID()
    await openRoom(key)
    await beginPeriod(service)
    await passDays(service, 100)
    await service.sql(
      `update commands set expires_at = now() + interval '1 hour' where idempotency_key = $1`,
      [key],
    )
    assert.deepEqual((await maintain(service, { event_days: null, receipt_days: 31 })).dropped, [
      'receipts_1',
    ])
    assert.deepEqual(await partitionsOf(service, 'commands'), [
      'commands_0',
      'commands_1',
      'commands_2',
      'commands_3',
    ])
  })

  it('of events are dropped after the retention; a cursor from before is refused, and others go on', async () => {
    await openRoom()
    const { cursor: old } = await olivia.client.listEventChanges({}, { workspace_id })
    await beginPeriod(service)
    await passDays(service, 100)
    const kept = await openRoom()
    const { cursor: newer } = await olivia.client.listEventChanges({}, { workspace_id })
    const last = await openRoom()
    assert.ok(old && newer)
    assert.deepEqual((await maintain(service, { event_days: 101, receipt_days: null })).dropped, [
      'commands_1',
    ])
    assert.equal((await allChanges()).length, 3)
    assert.deepEqual((await maintain(service, { event_days: 99, receipt_days: null })).dropped, ['events_1'])

    const roomsOf = (events: readonly { subject: { id: string } }[]) => events.map(event => event.subject.id)
    assert.deepEqual(roomsOf(await allChanges()), [kept.room.room_id, last.room.room_id])
    const on = await olivia.client.listEventChanges({ cursor: newer }, { workspace_id })
    assert.deepEqual(roomsOf(on.data), [last.room.room_id])
    const problem = await refused(
      olivia.client.listEventChanges({ cursor: old }, { workspace_id }),
      'validation_error',
    )
    assert.match(problem.detail, /older than the events that are kept/)
    const stream = await service.request(`/v1/events/stream`, {
      token: olivia.token,
      headers: { 'svc-workspace-id': workspace_id, 'last-event-id': old },
    })
    assert.deepEqual([stream.status, stream.body.code], [400, 'validation_error'])
    const newest = await olivia.client.listEvents({ limit: 100 }, { workspace_id })
    assert.deepEqual(roomsOf(newest.data), [last.room.room_id, kept.room.room_id])
    const past = await olivia.client.listEvents({ limit: 100, after: old }, { workspace_id })
    assert.deepEqual([past.data, past.has_more], [[], false])
    assert.equal((await service.sql('select from receipts')).length, 4)
  })

  it('are created beside running changes, which do not wait for them, nor they for the changes', async () => {
    const change = new pg.Client({ ...service.testDatabase.address, options: '-c search_path=svc' })
    await change.connect()
    try {
      await change.query('begin')
      for (const table of ['commands', 'receipts', 'events'])
        await change.query(
          `delete from ${table} where false; insert into ${table} select * from ${table} where false`,
        )
      await asOwner(service, async owner => {
        await owner.query(`begin; set local lock_timeout = '200ms'`)
        await owner.query(`select add_history_period(2, now() + interval '1 day')`)
        // The creation is not committed yet.
        assert.equal((await openRoom()).idempotent_replay, false)
        assert.equal((await allChanges()).length, 1)
        await owner.query('commit')
      })
    } finally {
      await change.end()
    }
  })

  it('are not dropped while something reads them; changes wait only for the lock timeout meanwhile', async () => {
    await beginPeriod(service)
    await passDays(service, 100)
    const reading = new pg.Client({ ...service.testDatabase.address, options: '-c search_path=svc' })
    await reading.connect()
    try {
      await reading.query('begin; select from commands limit 1')
      const [dropping, ...times] = await Promise.all([
        maintain(service).catch((error: unknown) => error),
        ...Array.from({ length: 5 }, async () => {
          const start = performance.now()
          await openRoom()
          return performance.now() - start
        }),
      ])
      assert.ok(isLockTimeout(dropping))
      assert.ok(Math.max(...times) < 2000, `${Math.max(...times)} ms`)
    } finally {
      await reading.end()
    }
    assert.deepEqual((await maintain(service)).dropped, ['commands_1'])
  })

  it('are maintained by a running service, which says what it did and goes on after a failure', async () => {
    await beginPeriod(service)
    await passDays(service, 100)
    const lines: [object, string][] = []
    const note = (details: object, message: string) => void lines.push([details, message])
    let isDown = true
    const maintaining = startMaintainingPartitions({
      connectOwner: () =>
        isDown
          ? Promise.reject(new Error('The database is down.'))
          : connectOwner(service.testDatabase.address),
      retention: forEver,
      log: { info: note, warn: note },
      pauseMilliseconds: 20,
    })
    try {
      await eventually(async () => lines.length > 0)
      assert.match(String(lines[0]?.[1]), /could not be maintained/)
      isDown = false
      await eventually(async () => lines.some(([details]) => 'dropped' in details))
      assert.deepEqual(lines.at(-1)?.[0], { created: [3], dropped: ['commands_1'] })
    } finally {
      await maintaining.stop()
    }
  })
})
