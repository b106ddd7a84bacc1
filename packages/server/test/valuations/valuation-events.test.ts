import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../harness/eventually.ts'
import { makeValuationWorld, type HistoryEvent, type ValuationWorld } from './valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

const roomAbout = async (business_id: `biz_${string}`, parent_room_id?: string) =>
  (
    await member().createRoom({
      title: 'Sale of the bakery',
      business_id,
      ...(parent_room_id !== undefined && { parent_room_id }),
    })
  ).room.room_id
const ofType = (history: HistoryEvent[], type: string) => history.filter(one => one.type === type)

describe('what happens to a valuation of a Business', () => {
  it('is told in each active Room of the Business and its sub-rooms, and not in the audit log', async () => {
    const business_id = await world.business()
    const room = await roomAbout(business_id)
    const sub = await roomAbout(business_id, room)
    const archived = await roomAbout(business_id)
    await member().archiveRoom({ room_id: archived, expected_revision: 1 })
    await roomAbout(await world.business('Other'))
    const { valuation_id } = await world.completed({ business_id })
    await member().reviseValuation({ valuation_id, expected_revision: 1 })
    const history = await world.historyOf(valuation_id)
    for (const type of ['valuation.completed', 'valuation.superseded']) {
      const told = ofType(history, type)
      assert.deepEqual(new Set(told.map(one => one.room_id)), new Set([room, sub]), type)
      assert.equal(told.length, 2)
      for (const { feed, subject, data } of told) {
        assert.equal(feed, 'activity')
        assert.equal(subject.name, 'Corner Bakery')
        assert.deepEqual(data, { engagement_type: 'indicative' })
      }
    }
    assert.deepEqual(
      ofType(history, 'valuation.created').map(one => [one.feed, one.room_id]),
      [['audit', null]],
    )
  })

  it('is read by the guests of the Room, with who did it and without a figure', async () => {
    const business_id = await world.business()
    const room_id = await roomAbout(business_id)
    await world.invite(room_id, world.people.guest, 'view')
    const { valuation_id, conclusion } = await world.completed({ business_id })
    const { data } = await world.client('guest').listEvents({ room_id, types: ['valuation.completed'] })
    const [event] = data
    assert.ok(event && data.length === 1)
    assert.equal(event.subject?.id, valuation_id)
    assert.equal(event.actor?.user_id, world.people.member.user_id)
    const amount = conclusion?.point.amount ?? assert.fail('It has no conclusion.')
    assert.ok(!JSON.stringify(data).includes(amount.slice(0, -3)))
  })

  it('is told in the audit log if the Business has no active Room', async () => {
    const business_id = await world.business()
    const { valuation_id } = await world.completed({ business_id })
    const [completed] = ofType(await world.historyOf(valuation_id), 'valuation.completed')
    assert.deepEqual([completed?.feed, completed?.room_id], ['audit', null])
  })

  it('is told once in each of very many Rooms, the first hundred at once', async () => {
    const business_id = await world.business()
    const count = 2300
    await world.service.sql(
      `insert into rooms (workspace_id, id, business_id, title, general_access, created_by, created_at, updated_at)
       select $1, 'rom_1' || lpad(i::text, 25, '0'), $2, 'A Room', 'invited_only', $3, now(), now()
       from generate_series(1, $4::integer) i`,
      [world.workspace_id, business_id, world.people.member.user_id, count],
    )
    const { valuation_id } = await world.completed({ business_id })
    const told = async () =>
      world.service.sql<{ room_id: string; actor: { type: string } }>(
        `select room_id, actor from events where workspace_id = $1 and subject ->> 'id' = $2 and type = 'valuation.completed'
         order by room_id`,
        [world.workspace_id, valuation_id],
      )
    const events = await eventually(async () => {
      const found = await told()
      return found.length >= count ? found : undefined
    })
    assert.equal(events.length, count)
    assert.equal(new Set(events.map(one => one.room_id)).size, count)
    const byPerson = events.filter(one => one.actor.type === 'person')
    assert.deepEqual(byPerson, events.slice(0, 100))
    assert.ok(events.slice(100).every(one => one.actor.type === 'system'))
  })

  it('is in the receipt and in the events of the same request, each once', async () => {
    const key = { idempotency_key: randomUUID() }
    const { valuation_id } = await world.draft()
    for (let i = 0; i < 2; i++) await member().runValuation({ valuation_id, expected_revision: 1 }, key)
    const [counts] = await world.service.sql<{ receipts: number; events: number }>(
      `select count(distinct r.receipt_id)::integer as receipts, count(e.id)::integer as events
       from receipts r join events e on e.workspace_id = r.workspace_id and e.command_id = r.command_id
       where r.resource_id = $1 and r.operation = 'run_valuation'`,
      [valuation_id],
    )
    assert.deepEqual(counts, { receipts: 1, events: 1 })
  })
})
