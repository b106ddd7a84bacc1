import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { startActivity, type Activity } from './activity-fixture.ts'

let activity: Activity
let us: Client
let room_id: string
before(async () => void (activity = await startActivity()))
after(() => activity.close())
beforeEach(async () => {
  us = activity.us
  room_id = await activity.room()
})

const list = async (input: Parameters<Client['listEvents']>[0], client = us) =>
  (await client.listEvents({ limit: 100, ...input })).data.map(event => event.id)
const fault = async (search: string) => {
  const { status, body } = await activity.service.request(`/v1/events?${search}`, {
    token: activity.olivia.token,
    headers: { 'svc-workspace-id': activity.workspace_id },
  })
  assert.equal(status, 400, search)
  assert.equal(body.code, 'validation_error')
  return body.errors.map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`)
}
const get = (search: string) =>
  activity.service.request(`/v1/events?room_id=${room_id}&${search}`, {
    token: activity.olivia.token,
    headers: { 'svc-workspace-id': activity.workspace_id },
  })

describe('GET /v1/events by type and time', () => {
  it('filters by types and groups of types, repeated or separated by commas', async () => {
    const updated = await activity.append({ room_id })
    const added = await activity.append({ room_id, type: 'attachment.added' })
    const removed = await activity.append({ room_id, type: 'attachment.removed' })
    const created = (await list({ room_id })).at(-1) as string
    assert.deepEqual(await list({ room_id, types: ['room.created'] }), [created])
    assert.deepEqual(await list({ room_id, types: ['room.*'] }), [updated, created])
    assert.deepEqual(await list({ room_id, types: ['attachment.*', 'room.created'] }), [
      removed,
      added,
      created,
    ])
    const repeated = await get('types=room.updated&types=attachment.added,room.created')
    assert.deepEqual(
      repeated.body.data.map((event: { id: string }) => event.id),
      [added, updated, created],
    )
  })

  it('accepts types that have no events yet', async () => {
    await activity.append({ room_id })
    for (const types of ['file.version_added', 'file.*', 'task.completed,goal.*', 'valuation.*,approval.*'])
      assert.deepEqual((await get(`types=${types}`)).body.data, [], types)
    const { body } = await get('types=file.version_add')
    assert.equal(body.errors[0].suggestion, 'file.version_added')
  })

  it('refuses unknown types, and suggests the nearest one', async () => {
    const { body } = await get('types=room.creatd,attachment.added')
    assert.deepEqual(
      body.errors.map((error: object) => ({ ...error, detail: '' })),
      [{ in: 'query', pointer: '/types/0', code: 'unknown', detail: '', suggestion: 'room.created' }],
    )
    const wildcard = await get('types=rooms.*')
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
      assert.match((await fault(`types=${types}`))[0], /^\/types(\/\d+)? unknown$/, types)
    assert.deepEqual(await fault('types='), ['/types too_short'])
    const many = Array.from({ length: 21 }, (_, i) => `room.x${i}`).join(',')
    assert.ok((await fault(`types=${many}`)).includes('/types too_long'))
    // Separated by commas, repeated, or both.
    const twenty = Array.from({ length: 20 }, () => 'room.*').join(',')
    assert.equal((await get(`types=${twenty}`)).status, 200)
    for (const search of [`${twenty},room.*`, `${twenty}&types=room.*`, `room.*&types=${twenty}`])
      assert.deepEqual(await fault(`types=${search}`), ['/types too_long'])
    assert.deepEqual(await fault('types=room.*,room.*&types=rooms.*'), ['/types/2 unknown'])
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
      const { status, body } = await get(`since=${since}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(
        body.data.map((event: { id: string }) => event.id),
        [later, at],
        since,
      )
    }
    assert.equal((await get('since=2031-05-01T12:00:00.251Z')).body.data.length, 1)
    assert.equal((await get('since=2031-04-30T23:59:60Z')).body.data.length, 3)
    assert.equal((await get('since=0001-01-01T00:00:00Z')).body.data.length, 4)
    assert.equal((await get('since=9999-12-31T23:59:59Z')).body.data.length, 0)
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
      assert.deepEqual(await fault(`since=${since}`), ['/since format'], since)
    assert.deepEqual(await fault(`since=2031-05-01T12:00:00.${'0'.repeat(20)}Z`), ['/since too_long'])
  })
})
