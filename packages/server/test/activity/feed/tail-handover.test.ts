import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOtherNode } from '../../harness/other-node.ts'
import { proofRuns } from '../../harness/proof.ts'
import { eventually } from '../../harness/eventually.ts'
import { startActivity, type Activity } from '../activity-fixture.ts'
import { openStream, type EventReader } from '../event-reader.ts'
import { watchReads, type WatchedReads } from '../watched-reads.ts'

let activity: Activity
let reads: WatchedReads
let other: Awaited<ReturnType<typeof startOtherNode>>
before(async () => {
  activity = await startActivity({ heartbeat: 150 })
  reads = watchReads(activity.service.database.readers)
  other = await startOtherNode(activity.service)
})
after(async () => {
  await other.close()
  await activity.close()
})

const open: EventReader[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})
async function follow(search = ''): Promise<EventReader> {
  const stream = await openStream(activity, headers(), search)
  open.push(stream)
  return stream
}

const headers = () => ({ authorization: `Bearer ${activity.olivia.token}` })

/** The ids of the events after a position, in order. */
const happenedAfter = async (position: string) =>
  (
    await activity.service.sql<{ id: string }>(
      `select id from events where workspace_id = $1 and position > $2 and feed = 'activity' order by position`,
      [activity.workspace_id, position],
    )
  ).map(({ id }) => id)

/** The end of the feed for Olivia, found from a cursor on. */
async function end(from?: string | null): Promise<string> {
  for (let cursor = from ?? undefined; ;) {
    const page = await activity.us.listEventChanges({ cursor, limit: 100 })
    cursor = page.cursor ?? undefined
    if (!page.has_more) return cursor ?? assert.fail('The feed is empty.')
  }
}

describe('a follower that changes between the feed tail and its own reads', () => {
  it('receives every event exactly once while eight clients write, on two nodes', async () => {
    const rooms = await Promise.all(Array.from({ length: 8 }, () => activity.room()))
    const start = await end()
    const state = { isWriting: true }
    const changes = proofRuns({ full: 15, short: 4 })

    async function write(room_id: string): Promise<void> {
      for (let revision = 1; revision <= changes; revision++)
        await activity.us.updateRoom({ room_id, expected_revision: revision, title: `Title ${revision}` })
    }
    /** Disconnects after a number of events each time, and resumes. */
    async function comeAndGo(base_url: string, patience: number): Promise<string[]> {
      const seen: string[] = []
      let last = start
      while (state.isWriting || (await end(last)) !== last) {
        const at = { ...activity, service: { ...activity.service, base_url } }
        const stream = await openStream(at, { ...headers(), 'last-event-id': last })
        for (let i = 0; i < patience; i++) {
          const block = await Promise.race([stream.next(), sleep(400)])
          if (!block) break
          seen.push(block.data?.id ?? '')
          last = block.id ?? last
        }
        stream.close()
      }
      return seen
    }
    async function poll(base_url: string, limit: number): Promise<string[]> {
      const client = activity.service.client({
        base_url,
        access_token: activity.olivia.token,
        workspace_id: activity.workspace_id,
      })
      const seen: string[] = []
      let cursor: string | null = start
      while (state.isWriting || (await end(cursor)) !== cursor) {
        const page: Awaited<ReturnType<typeof client.listEventChanges>> = await client.listEventChanges({
          cursor,
          limit,
          wait_seconds: 1,
        })
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.cursor
      }
      return seen
    }
    const here = activity.service.base_url
    const following = [
      ...[1, 3, 10, 25, 1000].flatMap(patience => [
        comeAndGo(here, patience),
        comeAndGo(other.base_url, patience),
      ]),
      ...[1, 2, 100].map(limit => poll(here, limit)),
    ]
    await Promise.all(rooms.map(write))
    state.isWriting = false
    const expected = await happenedAfter(activity.positionOf(start))
    assert.equal(expected.length, 8 * changes)
    for (const seen of await Promise.all(following)) assert.deepEqual(seen, expected)
  })

  it('receives events that the tail read during its own check', async () => {
    const room_id = await activity.room()
    const stream = await follow()
    await stream.next('comment')
    // One request waits all the time, without heartbeats.
    const companion = activity.us.listEventChanges({
      cursor: await end(),
      types: ['room.archived'],
      wait_seconds: 15,
    })
    await sleep(300)
    const reading = reads.hold('room_visibilities')
    const event = await activity.append({ room_id })
    await eventually(reading.isHeld)
    // While the tail cannot check standing, each stream checks its own at the next heartbeat.
    const judging = reads.hold('standing')
    await eventually(judging.isHeld)
    reading.letGo()
    await sleep(200)
    judging.letGo()
    assert.equal((await stream.next()).data?.id, event)
    const archived = await activity.append({ room_id, type: 'room.archived' })
    assert.deepEqual(
      (await companion).data.map(({ id }) => id),
      [archived],
    )
  })

  it('receives events that were committed during a delivery to others', async () => {
    const room_id = await activity.room()
    const [one, another] = [await follow(), await follow()]
    for (const stream of [one, another]) await stream.next('comment')
    const reading = reads.hold('room_visibilities')
    const first = await activity.append({ room_id })
    await eventually(reading.isHeld)
    const second = await activity.append({ room_id })
    const late = await follow(`?cursor=${await end()}`)
    await late.next('comment')
    reading.letGo()
    for (const stream of [one, another]) {
      assert.equal((await stream.next()).data?.id, first)
      assert.equal((await stream.next()).data?.id, second)
    }
    const third = await activity.append({ room_id })
    for (const stream of [one, another, late]) assert.equal((await stream.next()).data?.id, third)
  })

  it('receives everything after a pause in reading, without blocking others', async () => {
    const room_id = await activity.room()
    const start = await end()
    const { hostname, port } = new URL(activity.service.base_url)
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    socket.on('data', chunk => void (text += chunk.toString('latin1')))
    socket.write(
      `GET /v1/events/stream HTTP/1.1\r\nHost: here\r\nSVC-Workspace-Id: ${activity.workspace_id}\r\nAuthorization: ${headers().authorization}\r\n\r\n`,
    )
    await eventually(() => text.includes('nothing new'))
    socket.pause()
    const quick = await follow()
    await quick.next('comment')
    for (let i = 0; i < 6; i++) {
      await activity.service.sql(
        `with counter as (
           update feed_positions set last_position = last_position + 1000 where workspace_id = $1 returning last_position - 1000 as before
         )
         insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, data, command_id, ordinal)
         select $1, before + i, 'evt_' || lpad((before + i)::text, 26, '0'), 'room.updated', 'activity', now(),
           '{"type": "system", "user_id": null, "name": null, "via": null}', '{"type": "room", "id": "x", "name": null}', $2,
           jsonb_build_object('text', repeat('x', 1500)), gen_random_uuid(), 0
         from counter, generate_series(1, 1000) i`,
        [activity.workspace_id, room_id],
      )
      await eventually(() => quick.blocks.filter(({ data }) => data).length === (i + 1) * 1000)
    }
    const expected = await happenedAfter(activity.positionOf(start))
    assert.deepEqual(
      quick.blocks.flatMap(({ data }) => data?.id ?? []),
      expected,
    )
    assert.ok(text.split('data: {').length < 6000, 'nothing was held back')
    socket.resume()
    const ids = () => [...text.matchAll(/data: \{"id":"(evt_\w+)"/g)].map(match => match[1])
    await eventually(() => ids().length >= expected.length)
    assert.deepEqual(ids(), expected)
    socket.destroy()
  })
})
