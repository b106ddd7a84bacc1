import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startActivity, type Activity } from './activity-fixture.ts'
import { eventRequests } from './event-requests.ts'

let activity: Activity
let requests: ReturnType<typeof eventRequests>
let room_id: string
before(async () => {
  activity = await startActivity()
  requests = eventRequests(activity)
})
after(() => activity.close())
beforeEach(async () => {
  room_id = await activity.room()
})

describe('GET /v1/events by type and time', () => {
  it('filters by types and groups of types, repeated or separated by commas', async () => {
    const updated = await activity.append({ room_id })
    const added = await activity.append({ room_id, type: 'attachment.added' })
    const removed = await activity.append({ room_id, type: 'attachment.removed' })
    const created = (await requests.list({ room_id })).at(-1) as string
    assert.deepEqual(await requests.list({ room_id, types: ['room.created'] }), [created])
    assert.deepEqual(await requests.list({ room_id, types: ['room.*'] }), [updated, created])
    assert.deepEqual(await requests.list({ room_id, types: ['attachment.*', 'room.created'] }), [
      removed,
      added,
      created,
    ])
    const repeated = await requests.get(
      `room_id=${room_id}&types=room.updated&types=attachment.added,room.created`,
    )
    assert.deepEqual(
      repeated.body.data.map((event: { id: string }) => event.id),
      [added, updated, created],
    )
  })

  it('accepts types that have no events yet', async () => {
    await activity.append({ room_id })
    for (const types of ['file.version_added', 'file.*', 'task.completed,goal.*', 'valuation.*,approval.*'])
      assert.deepEqual((await requests.get(`room_id=${room_id}&types=${types}`)).body.data, [], types)
    const { body } = await requests.get(`room_id=${room_id}&types=file.version_add`)
    assert.equal(body.errors[0].suggestion, 'file.version_added')
  })

  it('refuses unknown types, and suggests the nearest one', async () => {
    const { body } = await requests.get(`room_id=${room_id}&types=room.creatd,attachment.added`)
    assert.deepEqual(
      body.errors.map((error: object) => ({ ...error, detail: '' })),
      [{ in: 'query', pointer: '/types/0', code: 'unknown', detail: '', suggestion: 'room.created' }],
    )
    const wildcard = await requests.get(`room_id=${room_id}&types=rooms.*`)
    assert.equal(wildcard.body.errors[0].suggestion, 'room.*')
    for (const types of [
      '*',
      'room',
      'room.',
      '.*',
      '*.created',
      'room.*.*',
      'workspace.created',
      'room.created,',
    ])
      assert.match((await requests.faults(`types=${types}`)).join(), /^\/types(\/\d+)? unknown$/, types)
    assert.deepEqual(await requests.faults('types='), ['/types too_short'])
    const many = Array.from({ length: 21 }, (_, i) => `room.x${i}`).join(',')
    assert.ok((await requests.faults(`types=${many}`)).includes('/types too_long'))
    // Separated by commas, repeated, or both.
    const twenty = Array.from({ length: 20 }, () => 'room.*').join(',')
    assert.equal((await requests.get(`room_id=${room_id}&types=${twenty}`)).status, 200)
    for (const search of [`${twenty},room.*`, `${twenty}&types=room.*`, `room.*&types=${twenty}`])
      assert.deepEqual(await requests.faults(`types=${search}`), ['/types too_long'])
    assert.deepEqual(await requests.faults('types=room.*,room.*&types=rooms.*'), ['/types/2 unknown'])
  })

  it('filters by time, inclusive, with any UTC offset', async () => {
    await activity.append({ room_id, occurred_at: '2031-05-01T10:00:00.000Z' })
    const at = await activity.append({ room_id, occurred_at: '2031-05-01T12:00:00.250Z' })
    const later = await activity.append({ room_id, occurred_at: '2031-05-01T12:00:00.251Z' })
    for (const since of [
      '2031-05-01T12:00:00.250Z',
      '2031-05-01t12:00:00.250z',
      '2031-05-01 12:00:00.250 00:00',
      '2031-05-01T12:00:00.250000000%2B00:00',
      '2031-05-01T12:00:00.250+00:00',
      '2031-05-01T14:00:00.250+02:00',
      '2031-05-01T07:30:00.25-04:30',
      '2031-05-02T11:59:00.250+23:59',
    ]) {
      const { status, body } = await requests.get(`room_id=${room_id}&since=${since}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(
        body.data.map((event: { id: string }) => event.id),
        [later, at],
        since,
      )
    }
    assert.equal(
      (await requests.get(`room_id=${room_id}&since=2031-05-01T12:00:00.251Z`)).body.data.length,
      1,
    )
    assert.equal((await requests.get(`room_id=${room_id}&since=2031-04-30T23:59:60Z`)).body.data.length, 3)
    assert.equal((await requests.get(`room_id=${room_id}&since=0001-01-01T00:00:00Z`)).body.data.length, 4)
    assert.equal((await requests.get(`room_id=${room_id}&since=9999-12-31T23:59:59Z`)).body.data.length, 0)
  })

  it('refuses invalid times', async () => {
    for (const since of [
      'yesterday',
      '2031-05-01',
      '2031-05-01T12:00:00',
      '2031-02-30T12:00:00Z',
      '2031-05-01T25:00:00Z',
      '2031-05-01T12:00:00  00:00',
      '1763600000',
      '-1',
      '0000-12-31T23:59:59Z',
      '9999-12-31T23:59:59-00:01',
      '2031-05-01T12:00:00%2B24:00',
    ])
      assert.deepEqual(await requests.faults(`since=${since}`), ['/since format'], since)
    assert.deepEqual(await requests.faults(`since=2031-05-01T12:00:00.${'0'.repeat(20)}Z`), [
      '/since too_long',
    ])
  })
})
