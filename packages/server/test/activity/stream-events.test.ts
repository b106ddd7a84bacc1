import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Person } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { startActivity, type Activity } from './activity-fixture.ts'
import { openStream, type EventReader } from './event-reader.ts'

let activity: Activity
let room_id: string
const open: EventReader[] = []
before(async () => void (activity = await startActivity({ heartbeat: 300 })))
after(() => activity.close())
beforeEach(async () => {
  for (const stream of open.splice(0)) stream.close()
  room_id = await activity.room()
})

const token = (person: Person) => ({ authorization: `Bearer ${person.token}` })
async function streamAs(headers: Record<string, string>, search = ''): Promise<EventReader> {
  const stream = await openStream(activity, headers, search)
  open.push(stream)
  return stream
}
const stream = (search = '', headers = {}) => streamAs({ ...token(activity.olivia), ...headers }, search)

describe('GET /v1/events/stream', () => {
  it('sends new events as Server-Sent Events, with the cursor as id', async () => {
    const { status, headers, next, blocks } = await stream()
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.match(headers.get('svc-request-id') ?? '', /^req_/)
    await next('comment')
    const { room } = await activity.us.updateRoom({
      room_id,
      expected_revision: 1,
      title: 'Renamed',
    })
    const block = await next()
    assert.deepEqual(block.data, (await activity.us.listEvents({ room_id })).data[0])
    assert.equal(room.revision, 2)
    assert.equal(blocks.filter(one => one.data).length, 1)
    const [before] = (await activity.us.listEventChanges({ cursor: blocks[1]?.id ?? '' })).data
    assert.equal(before?.id, block.data?.id)
  })

  it('continues from the cursor of a page of changes, and from Last-Event-ID', async () => {
    const first = await activity.append({ room_id })
    const second = await activity.append({ room_id })
    const begin = `?cursor=${activity.cursorAt(1)}&room_id=${room_id}`
    const all = await stream(begin)
    assert.equal((await all.next()).data?.type, 'room.created')
    const at = await all.next()
    assert.equal(at.data?.id, first)
    all.close()
    // Browsers reconnect with the address of the first request.
    const again = await stream(begin, { 'last-event-id': at.id ?? '' })
    assert.equal((await again.next()).data?.id, second)
    const third = await activity.append({ room_id })
    assert.equal((await again.next()).data?.id, third)
  })

  it('filters by Room, types and groups of types', async () => {
    const other = await activity.room()
    const { next } = await stream(`?room_id=${room_id}&types=attachment.*,room.archived`)
    await activity.append({ room_id: other, type: 'attachment.added' })
    await activity.append({ room_id })
    const added = await activity.append({ room_id, type: 'attachment.added' })
    assert.equal((await next()).data?.id, added)
  })

  it('sends heartbeats, whose ids do not reveal hidden events', async () => {
    const { next, blocks } = await stream()
    await next('comment')
    await activity.append({ room_id: await activity.room(activity.mia) })
    await activity.append({ room_id, feed: 'audit' })
    const asked = performance.now()
    await next('comment')
    await next('comment')
    assert.ok(performance.now() - asked < 5000)
    const seen = await activity.append({ room_id })
    const event = await next()
    assert.equal(event.data?.id, seen)
    await next('comment')
    const told = blocks.filter(block => block.comment !== undefined)
    assert.deepEqual(new Set(told.map(block => block.comment)), new Set(['nothing new']))
    assert.equal(new Set(told.slice(0, -1).map(block => block.id)).size, 1)
    assert.deepEqual(new Set(told.slice(-1).map(block => block.id)), new Set([event.id]))
    assert.notEqual(event.id, told[0]?.id)
  })

  it('moves the id of heartbeats past visible events of other types', async () => {
    const { next, blocks } = await stream('?types=room.archived')
    const first = await next('comment')
    await activity.append({ room_id })
    const later = await eventually(() =>
      blocks.find(block => block.id !== undefined && block.id !== first.id),
    )
    assert.deepEqual((await activity.us.listEventChanges({ cursor: later.id ?? '' })).data, [])
  })

  it('is refused like any other operation before it begins', async () => {
    const status = async (headers: Record<string, string>, search = '') => {
      const response = await activity.service.request(`/v1/events/stream${search}`, {
        headers: { 'svc-workspace-id': activity.workspace_id, ...headers },
      })
      return `${response.status} ${response.body?.code}`
    }
    const olivia = token(activity.olivia)
    assert.equal(await status({}), '401 unauthenticated')
    assert.equal(await status(token(activity.sam)), '403 forbidden')
    assert.equal(await status(olivia, `?room_id=${newId('rom')}`), '404 not_found')
    assert.equal(await status(olivia, `?room_id=${await activity.room(activity.mia)}`), '404 not_found')
    assert.equal(await status(olivia, '?cursor=0'), '400 validation_error')
    assert.equal(await status({ ...olivia, 'last-event-id': 'x' }), '400 validation_error')
    // A plain position, and an id of a stream in another Workspace.
    const errorsOf = async (headers: Record<string, string>, search = '') =>
      (
        await activity.service.request(`/v1/events/stream${search}`, {
          headers: { 'svc-workspace-id': activity.workspace_id, ...olivia, ...headers },
        })
      ).body?.errors?.map(
        (error: Record<string, string>) => `${error['in']} ${error['pointer']} ${error['code']}`,
      )
    for (const id of ['1', activity.cursorAt(1, activity.sams)]) {
      assert.deepEqual(await errorsOf({}, `?cursor=${id}`), ['query /cursor format'])
      assert.deepEqual(await errorsOf({ 'last-event-id': id }, `?cursor=${activity.cursorAt(1)}`), [
        'header /Last-Event-ID format',
      ])
    }
    assert.equal(await status({ ...olivia, accept: 'application/json' }), '406 not_acceptable')
  })

  it('ends when the Room is no longer visible', async () => {
    await activity.invite(room_id, activity.gus)
    await activity.invite(await activity.room(), activity.gus)
    const { ended, next, blocks } = await streamAs(token(activity.gus), `?room_id=${room_id}`)
    await next('comment')
    await activity.expel(room_id, activity.gus)
    await activity.append({ room_id })
    await ended
    assert.equal(blocks.filter(block => block.data).length, 0)
  })

  it('continues without a lost Room, and ends when standing is lost', async () => {
    const other = await activity.room()
    await activity.invite(room_id, activity.greta)
    await activity.invite(other, activity.greta)
    const { ended, next } = await streamAs(token(activity.greta))
    await next('comment')
    await activity.expel(room_id, activity.greta)
    await activity.append({ room_id })
    const event = await activity.append({ room_id: other })
    assert.equal((await next()).data?.id, event)
    await activity.expel(other, activity.greta)
    await ended
  })

  it('ends within a heartbeat when a member is removed, a key is revoked or a token expires', async () => {
    const { service, workspace_id, olivia } = activity
    const leaver = service.person('Leaver')
    await service.join(workspace_id, leaver, 'viewer')
    const key = await service.apiKey(workspace_id, olivia, ['events:read'])
    const seconds = Math.floor(Date.now() / 1000)
    // The service accepts tokens for 30 seconds after they expire.
    const brief = service.issuer.sign({
      ...service.issuer.claims(),
      sub: olivia.subject,
      iat: seconds - 100,
      exp: seconds - 27,
    })
    const streams = [
      await streamAs(token(leaver)),
      await streamAs({ 'x-svc-api-key': key.secret }),
      await streamAs({ authorization: `Bearer ${brief}` }),
    ]
    for (const one of streams) assert.equal(one.status, 200)
    await service.sql(`update memberships set status = 'removed' where user_id = $1`, [leaver.user_id])
    await service.sql('update api_keys set revoked_at = now() where id = $1', [key.key_id])
    await Promise.all(streams.map(one => one.ended))
    assert.ok(Date.now() / 1000 > seconds + 2)
  })

  it('sends many past events in order', async () => {
    await activity.service.sql(
      `with counter as (
         update feed_positions set last_position = last_position + 2000 where workspace_id = $1 returning last_position - 2000 as before
       )
       insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, data, command_id, ordinal)
       select $1, before + i, 'evt_' || lpad(i::text, 26, '0'), 'room.updated', 'activity', now(),
         '{"type": "system", "user_id": null, "name": null, "via": null}', '{"type": "room", "id": "x", "name": null}', $2,
         jsonb_build_object('text', repeat('x', 500)), gen_random_uuid(), 0
       from counter, generate_series(1, 2000) i`,
      [activity.workspace_id, room_id],
    )
    const search = `?cursor=${activity.cursorAt(1)}&room_id=${room_id}`
    const reader = await stream(search)
    assert.equal((await reader.next()).data?.type, 'room.created')
    for (let i = 1; i <= 2000; i++)
      assert.equal((await reader.next()).data?.id, `evt_${String(i).padStart(26, '0')}`)
    reader.close()
    await activity.service.sql(`delete from events where id like 'evt_000%'`)
  })
})

describe('a service with the usual heartbeats', () => {
  let usual: Activity
  before(async () => void (usual = await startActivity()))
  after(() => usual.close())

  it('has streams that take no slot from other requests', async () => {
    const room_id = await usual.room()
    const opened = () => openStream(usual, token(usual.olivia), `?room_id=${room_id}`)
    // A stream has a slot until it begins, so not all are opened at once.
    const many: EventReader[] = []
    while (many.length < 450) many.push(...(await Promise.all(Array.from({ length: 25 }, opened))))
    assert.ok(many.every(({ status }) => status === 200))
    const event = await usual.append({ room_id })
    assert.equal((await usual.us.getEvent({ event_id: event })).data.id, event)
    for (const stream of many) assert.equal((await stream.next()).data?.id, event)
  })
})

describe('a service that stops', () => {
  it('ends its streams and answers long polls at once', async () => {
    const stopping = await startActivity()
    const room = await stopping.room()
    const one = await openStream(stopping, token(stopping.olivia))
    await one.next('comment')
    const { cursor } = await stopping.us.listEventChanges({ limit: 100 })
    const waiting = stopping.us.listEventChanges({ cursor, room_id: room, wait_seconds: 30 })
    await new Promise(resolve => setTimeout(resolve, 300))
    const asked = performance.now()
    const closing = stopping.close()
    assert.deepEqual((await waiting).data, [])
    await one.ended
    await closing
    assert.ok(performance.now() - asked < 5000)
    assert.ok(!stopping.service.logged.some(line => line.includes('a request failed')))
  })
})
