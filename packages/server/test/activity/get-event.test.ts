import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../harness/refused.ts'
import { startActivity, type Activity } from './activity-fixture.ts'

let activity: Activity
before(async () => void (activity = await startActivity()))
after(() => activity.close())

describe('GET /v1/events/{event_id}', () => {
  it('returns the event as the list does', async () => {
    const room_id = await activity.room()
    const [listed] = (await activity.us.listEvents({ room_id })).data
    const { data, request_id } = await activity.us.getEvent({ event_id: listed?.id ?? '' })
    assert.deepEqual(data, listed)
    assert.match(request_id, /^req_/)
  })

  it('answers 404 for unknown, hidden and audit events alike', async () => {
    const hidden = await activity.append({ room_id: await activity.room(activity.mia) })
    const room_id = await activity.room()
    const audit = await activity.append({ room_id, feed: 'audit' })
    const nowhere = await activity.append({ room_id: null })
    const details = new Set<string>()
    for (const event_id of [newId('evt'), hidden, audit, nowhere])
      details.add((await refused(activity.us.getEvent({ event_id }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })

  it('is visible exactly while its Room is', async () => {
    const room_id = await activity.room()
    const event_id = await activity.append({ room_id })
    const gus = activity.as(activity.gus)
    await refused(gus.getEvent({ event_id }), 'forbidden')
    await activity.invite(room_id, activity.gus)
    assert.equal((await gus.getEvent({ event_id })).data.mine, false)
    await activity.invite(await activity.room(), activity.gus)
    await activity.expel(room_id, activity.gus)
    await refused(gus.getEvent({ event_id }), 'not_found')
  })

  it('can be read in an archived Room', async () => {
    const room_id = await activity.room()
    await activity.us.archiveRoom({ room_id, expected_revision: 1 })
    const { data } = await activity.us.listEvents({ room_id })
    assert.equal(data[0]?.type, 'room.archived')
    assert.equal((await activity.us.getEvent({ event_id: data[0]?.id ?? '' })).data.type, 'room.archived')
  })
})
