import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { createClient, type Client } from '@wbs/sdk'
import { startOtherNode } from '../harness/other-node.ts'
import { refused } from '../harness/refused.ts'
import { startActivity, type Activity } from './activity-fixture.ts'

let activity: Activity
let us: Client
let room_id: string
/** The end of the feed before a test. */
let start: string
before(async () => void (activity = await startActivity()))
after(() => activity.close())
beforeEach(async () => {
  us = activity.us
  room_id = await activity.room()
  start = await end()
})

/** The end of the feed. */
async function end(client = us): Promise<string> {
  let cursor: string | undefined
  for (;;) {
    const page = await client.listEventChanges({ cursor, limit: 100 })
    cursor = page.cursor
    if (!page.has_more) return cursor
  }
}

const ids = (page: { data: readonly { id: string }[] }) => page.data.map(event => event.id)

describe('GET /v1/events/changes', () => {
  it('returns events oldest first, each as the list does', async () => {
    const appended = [await activity.append({ room_id }), await activity.append({ room_id })]
    const first = await us.listEventChanges({ limit: 1 })
    assert.equal(first.data[0]?.type, 'room.created')
    assert.equal(first.has_more, true)
    const page = await us.listEventChanges({ cursor: start })
    assert.deepEqual(ids(page), appended)
    assert.equal(page.has_more, false)
    assert.deepEqual(page.data.toReversed(), (await us.listEvents({ room_id, limit: 2 })).data)
    assert.match(page.request_id, /^req_/)
  })

  it('returns a cursor also before the first event, from which all of them follow', async () => {
    const { service, olivia } = activity
    const workspace_id = await service.workspace('New', olivia)
    const client = service.client({ access_token: olivia.token, workspace_id })
    const empty = await client.listEventChanges({})
    assert.deepEqual([empty.data, empty.has_more], [[], false])
    assert.match(empty.cursor, /^[1-9][0-9]{0,17}$/)
    const waiting = client.listEventChanges({ cursor: empty.cursor, wait_seconds: 20 })
    const { room } = await client.createRoom({ title: 'First' })
    const pages = [await waiting, await client.listEventChanges({ cursor: empty.cursor })]
    for (const { data } of pages)
      assert.deepEqual(
        data.map(event => [event.type, event.room?.id]),
        [['room.created', room.room_id]],
      )
    // Others who see nothing get the same cursor, whatever has happened.
    const other = service.person('Other')
    await service.join(workspace_id, other, 'viewer')
    const theirs = service.client({ access_token: other.token, workspace_id })
    for (const wait_seconds of [0, 1])
      assert.equal((await theirs.listEventChanges({ wait_seconds })).cursor, empty.cursor)
  })

  it('returns a cursor that does not depend on hidden events', async () => {
    const mias = await activity.room(activity.mia)
    await activity.append({ room_id: mias })
    await activity.append({ room_id, feed: 'audit' })
    const page = await us.listEventChanges({ cursor: start })
    assert.deepEqual([page.data, page.cursor, page.has_more], [[], start, false])
    const event = await activity.append({ room_id })
    const next = await us.listEventChanges({ cursor: start })
    assert.deepEqual(ids(next), [event])
    assert.notEqual(next.cursor, start)
    const again = await us.listEventChanges({ cursor: next.cursor })
    assert.deepEqual([again.data, again.cursor, again.has_more], [[], next.cursor, false])
  })

  it('moves the cursor past visible events of other types', async () => {
    await activity.append({ room_id })
    const page = await us.listEventChanges({ cursor: start, types: ['room.archived'] })
    assert.deepEqual([page.data, page.has_more], [[], false])
    assert.equal(page.cursor, await end())
    assert.notEqual(page.cursor, start)
  })

  it('filters by Room, by types and by groups of types', async () => {
    const other = await activity.room()
    const updated = await activity.append({ room_id })
    await activity.append({ room_id: other })
    const added = await activity.append({ room_id, type: 'attachment.added' })
    const of = async (input: object) => ids(await us.listEventChanges({ cursor: start, ...input }))
    assert.deepEqual(await of({ room_id }), [updated, added])
    assert.deepEqual(await of({ room_id, types: ['attachment.*'] }), [added])
    assert.deepEqual(await of({ types: ['attachment.added'] }), [added])
    assert.equal((await of({ types: ['room.updated'] })).length, 2)
    assert.deepEqual(await of({ room_id, types: ['room.archived'] }), [])
    assert.equal((await us.listEventChanges({ cursor: start, room_id })).cursor, await end())
    await refused(us.listEventChanges({ room_id: newId('rom') }), 'not_found')
    await refused(us.listEventChanges({ room_id: await activity.room(activity.mia) }), 'not_found')
  })

  it('continues after many excluded events, in one Room and in all', async () => {
    await activity.service.sql(
      `with counter as (
         update feed_positions set last_position = last_position + 2500 where workspace_id = $1 returning last_position - 2500 as before
       )
       insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, command_id, ordinal)
       select $1, before + i, 'evt_' || lpad(i::text, 26, '0'), 'room.archived', 'activity', now(), '{}', '{}', $2, gen_random_uuid(), 0
       from counter, generate_series(1, 2500) i`,
      [activity.workspace_id, room_id],
    )
    const last = await activity.append({ room_id, type: 'room.restored' })
    for (const input of [{}, { room_id }]) {
      let cursor: string | null = start
      const looks: [number, boolean][] = []
      for (let more = true; more;) {
        const page: Awaited<ReturnType<Client['listEventChanges']>> = await us.listEventChanges({
          ...input,
          cursor,
          types: ['room.restored'],
        })
        assert.notEqual(page.cursor, cursor)
        looks.push([page.data.length, page.has_more])
        if (page.data.length > 0) assert.deepEqual(ids(page), [last])
        cursor = page.cursor
        more = page.has_more
      }
      assert.deepEqual(looks.pop(), [1, false])
      assert.ok(looks.length > 0 && looks.length < 12, String(looks.length))
      for (const look of looks) assert.deepEqual(look, [0, true])
    }
    await activity.service.sql(`delete from events where actor = '{}'`)
  })

  it('treats a position past the end as the end, so that no later event is missed', async () => {
    await activity.append({ room_id: await activity.room(activity.mia) })
    const pastTheEnd = activity.cursorAt(2 ** 39)
    const page = await us.listEventChanges({ cursor: pastTheEnd })
    assert.deepEqual([page.data, page.cursor, page.has_more], [[], start, false])
    const event = await activity.append({ room_id })
    assert.deepEqual(ids(await us.listEventChanges({ cursor: page.cursor })), [event])
    const waited = await us.listEventChanges({ cursor: pastTheEnd, wait_seconds: 1 })
    assert.deepEqual([waited.data, waited.cursor], [[], await end()])
  })

  it('refuses invalid cursors, and waits of more than 30 seconds', async () => {
    const fault = async (search: string) => {
      const { body } = await activity.service.request(`/v1/events/changes?${search}`, {
        token: activity.olivia.token,
        headers: { 'svc-workspace-id': activity.workspace_id },
      })
      return body.errors?.map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`)
    }
    for (const cursor of ['0', '01', '-1', '1'.repeat(19), 'x', '1,2', start + '%20'])
      assert.deepEqual(await fault(`cursor=${cursor}`), ['/cursor format'], cursor)
    // A plain position, and a cursor of another Workspace: neither is a cursor of this one.
    for (const cursor of ['1', '999999999999999999', activity.cursorAt(1, activity.sams)])
      assert.deepEqual(await fault(`cursor=${cursor}`), ['/cursor format'], cursor)
    for (const wait of ['31', '-1'])
      assert.deepEqual(await fault(`wait_seconds=${wait}`), ['/wait_seconds out_of_range'])
    assert.deepEqual(await fault('wait_seconds=1.5'), ['/wait_seconds type'])
    assert.deepEqual(await fault('business_id=x'), ['/business_id unknown'])
  })

  it('returns every event exactly once while eight clients write into three Rooms', async () => {
    const rooms = [room_id, await activity.room(), await activity.room()]
    const { cursor: from } = await us.listEventChanges({ cursor: await end() })
    const written: string[] = []
    let writing = true
    const seen: string[] = []
    const poll = async () => {
      let cursor = from
      for (;;) {
        const wasWriting = writing
        const page = await us.listEventChanges({ cursor, limit: 7 })
        seen.push(...ids(page))
        cursor = page.cursor
        if (!page.has_more && !wasWriting) return
      }
    }
    const write = async (writer: number) => {
      for (let i = 0; i < 25; i++) {
        const of = rooms[(writer + i) % 3] as string
        const attached = await us
          .updateRoom({
            room_id: of,
            expected_revision: (await us.getRoom({ room_id: of })).room.revision,
            title: `By ${writer}, ${i}`,
          })
          .catch(() => null)
        if (attached) written.push(attached.action_receipt.command_id)
      }
    }
    const polling = poll()
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    writing = false
    await polling
    const rows = await activity.service.sql<{ id: string; command_id: string }>(
      'select id, command_id from events where workspace_id = $1 and position > $2 order by position',
      [activity.workspace_id, activity.positionOf(from)],
    )
    assert.deepEqual(
      seen,
      rows.map(row => row.id),
    )
    assert.ok(written.length > 20)
    assert.deepEqual(new Set(rows.map(row => row.command_id)), new Set(written))
  })
})

describe('GET /v1/events/changes, with time to wait', () => {
  it('answers as soon as there is a visible event, and not for a hidden one', async () => {
    const mias = await activity.room(activity.mia)
    const asked = performance.now()
    const waiting = us.listEventChanges({ cursor: await end(), wait_seconds: 20 })
    await activity.append({ room_id: mias })
    await new Promise(resolve => setTimeout(resolve, 400))
    const happened = performance.now()
    const event = await activity.append({ room_id })
    const page = await waiting
    assert.deepEqual(ids(page), [event])
    assert.ok(performance.now() - happened < 2000 && happened - asked > 300)
  })

  it('answers with as many events as were asked for, and leaves the others for the next request', async () => {
    const other = await activity.room()
    const waiting = us.listEventChanges({ cursor: await end(), wait_seconds: 20, limit: 1 })
    await new Promise(resolve => setTimeout(resolve, 400))
    // One change with two events, so that both come at once.
    await us.updateRoom({ room_id: other, expected_revision: 1, title: 'Sale', general_access: 'workspace' })
    const first = await waiting
    const second = await us.listEventChanges({ cursor: first.cursor })
    const types = [first, second].map(({ data }) => data.map(event => event.type))
    assert.deepEqual(types, [['room.updated'], ['room.access_changed']])
    assert.deepEqual([first.has_more, second.has_more], [true, false])
  })

  it('answers an empty page when the time is up, without revealing hidden events', async () => {
    const cursor = await end()
    const asked = performance.now()
    const waiting = us.listEventChanges({ cursor, wait_seconds: 1 })
    await activity.append({ room_id, feed: 'audit' })
    const page = await waiting
    const took = performance.now() - asked
    assert.deepEqual([page.data, page.cursor, page.has_more], [[], cursor, false])
    assert.ok(took > 950 && took < 4000, String(took))
  })

  it('does not wait if there are events already', async () => {
    await activity.append({ room_id })
    const asked = performance.now()
    assert.equal((await us.listEventChanges({ cursor: start, wait_seconds: 30 })).data.length, 1)
    assert.ok(performance.now() - asked < 5000)
  })

  it('receives events of other nodes', async () => {
    const other = await startOtherNode(activity.service)
    try {
      const waiting = us.listEventChanges({ cursor: start, wait_seconds: 20 })
      const there = createClient({
        base_url: other.base_url,
        access_token: activity.olivia.token,
        workspace_id: activity.workspace_id,
      })
      await there.updateRoom({ room_id, expected_revision: 1, title: 'From elsewhere' })
      assert.equal((await waiting).data[0]?.type, 'room.updated')
    } finally {
      await other.close()
    }
  })

  it('refuses a caller who has lost the Room, or all standing, while waiting', async () => {
    const gus = activity.as(activity.gus)
    await activity.invite(room_id, activity.gus)
    const second = await activity.room()
    await activity.invite(second, activity.gus)
    const ofRoom = refused(gus.listEventChanges({ cursor: start, room_id, wait_seconds: 20 }), 'not_found')
    await new Promise(resolve => setTimeout(resolve, 200))
    await activity.expel(room_id, activity.gus)
    await activity.append({ room_id })
    await ofRoom
    const ofAll = refused(gus.listEventChanges({ cursor: await end(), wait_seconds: 20 }), 'forbidden')
    await new Promise(resolve => setTimeout(resolve, 200))
    await activity.expel(second, activity.gus)
    await activity.append({ room_id })
    await ofAll
  })

  it('waits longer than the idle timeout of a connection, without blocking others', async () => {
    // 450 of them would take all slots of reads.
    const cursor = await end()
    const waiting = Array.from({ length: 450 }, () => us.listEventChanges({ cursor, wait_seconds: 25 }))
    const settled = Promise.allSettled(waiting)
    await new Promise(resolve => setTimeout(resolve, 21_000))
    assert.equal((await us.getRoom({ room_id })).room.room_id, room_id)
    const event = await activity.append({ room_id })
    for (const outcome of await settled) {
      assert.equal(outcome.status, 'fulfilled', String((outcome as PromiseRejectedResult).reason))
      assert.deepEqual(ids((outcome as PromiseFulfilledResult<{ data: { id: string }[] }>).value), [event])
    }
  })
})
