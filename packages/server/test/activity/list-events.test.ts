import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { startActivity, type Activity } from './activity-fixture.ts'
import { eventRequests } from './event-requests.ts'

let activity: Activity
let requests: ReturnType<typeof eventRequests>
let us: Client
let room_id: string
before(async () => {
  activity = await startActivity()
  requests = eventRequests(activity)
})
after(() => activity.close())
beforeEach(async () => {
  us = activity.us
  room_id = await activity.room()
})

describe('GET /v1/events', () => {
  it('returns the actor, the subject and the Room of each event, and whether it is the caller’s', async () => {
    await us.updateRoom({ room_id, expected_revision: 1, title: 'Renamed' })
    const { data, next_cursor, has_more, request_id } = await us.listEvents({ room_id })
    assert.deepEqual([next_cursor, has_more], [null, false])
    assert.match(request_id, /^req_/)
    assert.deepEqual(
      data.map(event => event.type),
      ['room.updated', 'room.created'],
    )
    const [, created] = data
    assert.match(created?.id ?? '', /^evt_/)
    assert.match(created?.occurred_at ?? '', /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.deepEqual(
      { ...created, id: '', occurred_at: '' },
      {
        id: '',
        type: 'room.created',
        occurred_at: '',
        room: { id: room_id, title: 'Renamed' },
        actor: { type: 'person', user_id: activity.olivia.user_id, name: 'Olivia', via: null },
        subject: { type: 'room', id: room_id, name: 'A Room' },
        about: null,
        data: {},
        mine: true,
      },
    )
  })

  it('names the key that acted for a person; for a key, me is its owner', async () => {
    const { secret, key_id } = await activity.service.apiKey(activity.workspace_id, activity.olivia, [
      'rooms:write',
      'events:read',
    ])
    const byKey = activity.service.client({ api_key: secret, workspace_id: activity.workspace_id })
    await byKey.updateRoom({ room_id, expected_revision: 1, title: 'By a key' })
    const { data } = await byKey.listEvents({ room_id, actor: 'me' })
    assert.equal(data.length, 2)
    assert.ok(data.every(event => event.mine))
    assert.deepEqual(data[0]?.actor, {
      type: 'person',
      user_id: activity.olivia.user_id,
      name: 'Olivia',
      via: { kind: 'api_key', name: 'A key', client_id: key_id },
    })
  })

  it('returns the events of all visible Rooms, and none outside Rooms', async () => {
    const other = await activity.room()
    const mias = await activity.room(activity.mia)
    await activity.append({ room_id, feed: 'audit' })
    await activity.append({ room_id: null })
    const { data } = await us.listEvents({ limit: 2 })
    assert.deepEqual(
      data.map(event => event.room.id),
      [other, room_id],
    )
    const theirs = await activity.as(activity.mia).listEvents({})
    assert.deepEqual(
      theirs.data.map(event => event.room.id),
      [mias],
    )
    assert.equal(theirs.data[0]?.mine, true)
  })

  it('filters by Room, and answers 404 for an unknown or hidden one', async () => {
    await activity.room()
    assert.equal((await requests.list({ room_id })).length, 1)
    const mias = await activity.room(activity.mia)
    const unseen = await refused(us.listEvents({ room_id: mias }), 'not_found')
    const absent = await refused(us.listEvents({ room_id: newId('rom') }), 'not_found')
    assert.equal(unseen.detail, absent.detail)
  })

  it('filters by Business: Rooms about it, and Rooms with it as an attachment', async () => {
    const business_id = await addBusiness(activity.service, { name: 'Pier' })
    const of = await activity.room(activity.olivia, { business_id })
    await us.attachRoomResource({ room_id, resource_type: 'business', resource_id: business_id })
    await activity.room(activity.olivia, {
      business_id: await addBusiness(activity.service, { name: 'Quay' }),
    })
    const { data } = await us.listEvents({ business_id })
    assert.deepEqual(
      data.map(event => [event.type, event.room.id]),
      [
        ['attachment.added', room_id],
        ['room.created', of],
        ['room.created', room_id],
      ],
    )
    await refused(us.listEvents({ business_id: newId('biz') }), 'not_found')
    const draft = await addBusiness(activity.service, { name: 'Draft', publication_status: 'draft' })
    await refused(us.listEvents({ business_id: draft }), 'not_found')
  })

  it('accepts a Room or a Business, not both', async () => {
    assert.deepEqual(await requests.faults(`room_id=${room_id}&business_id=${newId('biz')}`), [
      '/business_id conflict',
    ])
  })

  it('filters by actor: me, or a user id in any case', async () => {
    const { olivia, mia } = activity
    await activity.append({ room_id, actor: mia })
    await activity.append({ room_id, actor: null })
    assert.equal((await requests.list({ room_id })).length, 3)
    assert.equal((await requests.list({ room_id, actor: 'me' })).length, 1)
    assert.deepEqual(
      await requests.list({ room_id, actor: 'me' }),
      await requests.list({ room_id, actor: olivia.user_id.toUpperCase() }),
    )
    const [by] = (await us.listEvents({ room_id, actor: mia.user_id })).data
    assert.equal(by?.mine, false)
    const [, system] = (await us.listEvents({ room_id })).data.toReversed().slice(1)
    assert.deepEqual([system?.actor.type, system?.actor.user_id, system?.mine], ['system', null, false])
    for (const actor of ['ME', 'you', 'me,me', ''])
      assert.match((await requests.faults(`actor=${actor}`)).join(), /^\/actor (format|too_short)$/)
  })

  it('filters by events about the caller', async () => {
    const { olivia, mia } = activity
    const given = await activity.append({ room_id, actor: mia, about: olivia })
    const own = await activity.append({ room_id, actor: olivia, about: olivia })
    await activity.append({ room_id, actor: olivia, about: mia })
    await activity.append({ room_id, actor: mia, about: olivia, type: 'participant.access_changed' })
    assert.deepEqual(await requests.list({ room_id, about: 'me' }), [own, given])
    assert.deepEqual(await requests.list({ room_id, about: 'me', actor: mia.user_id }), [given])
    assert.deepEqual(await requests.faults(`about=${olivia.user_id}`), ['/about unknown'])
  })

  it('refuses malformed cursors, and those of other Workspaces', async () => {
    for (const after of [
      '0',
      '-1',
      '01',
      '1.0',
      '1e3',
      '+1',
      '0x1',
      'null',
      '９',
      '1'.repeat(19),
      '1;',
      'evt_1',
    ])
      assert.deepEqual(await requests.faults(`after=${encodeURIComponent(after)}`), ['/after format'], after)
    assert.deepEqual(await requests.faults('after=1&after=2'), ['/after conflict'])
    for (const after of ['1', '9'.repeat(18), activity.cursorAt(1, activity.sams)])
      assert.deepEqual(await requests.faults(`after=${after}`), ['/after format'], after)
    assert.equal((await requests.get(`room_id=${room_id}&after=${activity.cursorAt(1)}`)).body.data.length, 0)
    assert.equal(
      (await requests.get(`room_id=${room_id}&after=${activity.cursorAt(2 ** 40 - 1)}`)).body.data.length,
      1,
    )
  })

  it('returns 1 to 100 events a page, 20 by default', async () => {
    for (let i = 0; i < 21; i++) await activity.append({ room_id })
    assert.equal((await us.listEvents({ room_id })).data.length, 20)
    assert.equal((await us.listEvents({ room_id, limit: 1 })).data.length, 1)
    assert.equal((await us.listEvents({ room_id, limit: 100 })).data.length, 22)
    for (const limit of ['0', '101', '1.5', 'x'])
      assert.match((await requests.faults(`limit=${limit}`)).join(), /^\/limit (out_of_range|type)$/)
  })

  it('returns every older event exactly once over all pages while others are written', async () => {
    const rooms = [room_id, await activity.room(), await activity.room()]
    const expected: string[] = []
    for (let i = 0; i < 30; i++) expected.unshift(await activity.append({ room_id: rooms[i % 3] as string }))
    const seen: string[] = []
    let after: string | undefined
    for (;;) {
      const page = await us.listEvents({ after, limit: 7, types: ['room.updated'], actor: 'me' })
      seen.push(...page.data.map(event => event.id))
      await activity.append({ room_id })
      if (page.next_cursor === null) break
      assert.match(page.next_cursor, /^[1-9][0-9]{0,17}$/)
      after = page.next_cursor
    }
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter(id => expected.includes(id)),
      expected,
    )
    // Events written meanwhile are newer than the first page.
    assert.deepEqual(seen.slice(0, 30), expected)
  })

  it('has a next page if a filter excluded too many events, and finds the rest there', async () => {
    const rare = await activity.append({ room_id, type: 'room.restored' })
    await activity.service.sql(
      `insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, command_id, ordinal)
       select workspace_id, last_position + i, 'evt_' || lpad(i::text, 26, '0'), 'room.archived', 'activity', now(), '{}', '{}', $2, gen_random_uuid(), 0
       from feed_positions, generate_series(1, 25000) i where workspace_id = $1`,
      [activity.workspace_id, room_id],
    )
    const first = await us.listEvents({ room_id, types: ['room.restored'] })
    assert.deepEqual([first.data, first.has_more], [[], true])
    const second = await us.listEvents({ room_id, types: ['room.restored'], after: first.next_cursor ?? '' })
    assert.deepEqual([second.data.map(event => event.id), second.has_more], [[rare], false])
    await activity.service.sql(`delete from events where actor = '{}'`)
  })
})
