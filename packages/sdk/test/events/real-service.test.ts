import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isProblem, type Client } from '@wbs/sdk'
import { startActivity, type Activity } from '../../../server/test/activity/activity-fixture.ts'
import { startOtherNode } from '../../../server/test/harness/other-node.ts'
import { take } from './streams.ts'

describe('client.events.follow over the service', () => {
  let activity: Activity
  let room_id: string
  before(async () => {
    activity = await startActivity({ heartbeat: 300 })
    room_id = await activity.room()
  })
  after(() => activity.close())

  it('yields what happens in a Room, and nothing of other Rooms and types', async () => {
    const cursor = await endOfFeed(activity.us)
    const feed = activity.us.events.follow({ room_id, types: ['room.updated'], cursor })
    const next = feed.next()
    await activity.room()
    await activity.us.updateRoom({ room_id, expected_revision: 1, title: 'Lease' })
    const { value } = await next
    assert.deepEqual(value, (await activity.us.listEvents({ room_id })).data[0])
    await feed.return?.()
  })

  it('continues where a program stopped, also after listEventChanges', async () => {
    const { us } = activity
    const list = us.listEventChanges.each({ room_id })
    let listed = 0
    for await (const event of list) listed += event.room.id === room_id ? 1 : 0
    assert.ok(listed > 0)
    const ids = [await activity.append({ room_id }), await activity.append({ room_id })]
    const feed = us.events.follow({ room_id, cursor: list.cursor })
    assert.deepEqual(await take(feed, 1), ids.slice(0, 1))
    await feed.return?.()
    ids.push(await activity.append({ room_id }))
    const again = us.events.follow({ room_id, cursor: feed.cursor })
    assert.deepEqual(await take(again, 2), ids.slice(1))
    await again.return?.()
  })

  it('ends with not_found when the Room is no longer visible, and with forbidden when standing is lost', async () => {
    const { gus } = activity
    const other = await activity.room()
    await activity.invite(room_id, gus)
    await activity.invite(other, gus)
    const cursor = await endOfFeed(activity.as(gus))
    const ofRoom = activity.as(gus).events.follow({ room_id, cursor })
    const ofAll = activity.as(gus).events.follow({ cursor })
    const [first, second] = [ofRoom.next(), ofAll.next()]
    await activity.expel(room_id, gus)
    await assert.rejects(first, error => isProblem(error, 'not_found'))
    const seen = await activity.append({ room_id: other })
    assert.equal((await second).value?.id, seen)
    const last = ofAll.next()
    await activity.expel(other, gus)
    await assert.rejects(last, error => isProblem(error, 'forbidden'))
  })

  it('loses no event and repeats none while nodes stop, and events happen when none runs', async () => {
    let node = await startOtherNode(activity.service)
    const cursor = await endOfFeed(activity.us)
    const feed = activity.service
      .client({
        access_token: activity.olivia.token,
        workspace_id: activity.workspace_id,
        // As a load balancer does: to the node that runs now.
        fetch: (input, init) => {
          const { pathname, search } = input as URL
          return fetch(node.base_url + pathname + search, init)
        },
      })
      .events.follow({ room_id, cursor })
    const ids: string[] = []
    const next = feed.next()
    const expected: string[] = []
    for (let round = 1; round <= 3; round++) {
      expected.push(await activity.append({ room_id }))
      await node.close()
      expected.push(await activity.append({ room_id }))
      node = await startOtherNode(activity.service)
      expected.push(await activity.append({ room_id }))
    }
    ids.push((await next).value?.id ?? '')
    ids.push(...(await take(feed, expected.length - 1)))
    assert.deepEqual(ids, expected)
    await feed.return?.()
    await node.close()
  })
})

/** Where a feed goes on that is to yield what happens from now on, even before its connection is open. */
async function endOfFeed(client: Client): Promise<string | null> {
  const events = client.listEventChanges.each()
  while (!(await events.next()).done) continue
  return events.cursor
}
