import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from '../../harness/service.ts'
import { startOtherNode } from '../../harness/other-node.ts'
import { eventually } from '../../harness/eventually.ts'
import { refused } from '../../harness/refused.ts'
import { startActivity, type Activity } from '../activity-fixture.ts'
import { openStream, type EventReader } from '../event-reader.ts'
import { watchReads, type WatchedReads } from '../watched-reads.ts'

let activity: Activity
let reads: WatchedReads
const open: EventReader[] = []
before(async () => {
  activity = await startActivity()
  reads = watchReads(activity.service.database.readers)
})
after(() => activity.close())
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

const token = (person: Person) => ({ authorization: `Bearer ${person.token}` })
async function follow(headers: Record<string, string>, search = '', at = activity): Promise<EventReader> {
  const stream = await openStream(at, headers, search)
  open.push(stream)
  assert.equal(stream.status, 200)
  await stream.next('comment')
  return stream
}
const told = ({ blocks }: EventReader) => blocks.flatMap(({ data }) => data?.id ?? [])

/** A Room that every member can see. */
async function sharedRoom(): Promise<string> {
  const room_id = await activity.room()
  await activity.us.updateRoom({
    room_id,
    expected_revision: 1,
    general_access: 'workspace',
    general_access_level: 'view',
  })
  return room_id
}

describe('of the waiting requests', () => {
  it('only those that an event concerns wake, and fifty take a few statements', async () => {
    const [shared, hidden] = [await sharedRoom(), await activity.room()]
    const members = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const member = activity.service.person(`Member ${i}`)
        await activity.service.join(activity.workspace_id, member, 'member')
        return member
      }),
    )
    const streams = await Promise.all(
      members.map((member, i) => follow(token(member), i < 25 ? '' : '?types=room.archived')),
    )
    const owner = await follow(token(activity.olivia))
    // The statements of their first reads are done.
    await eventually(async () => {
      const before = reads.names.length
      await sleep(300)
      return reads.names.length === before
    })
    const statementsUntil = async (room_id: string) => {
      reads.names.length = 0
      const event = await activity.append({ room_id })
      assert.equal((await owner.next()).data?.id, event)
      // Long enough for further statements to appear.
      await sleep(1500)
      return reads.names.length
    }
    const ofHidden = await statementsUntil(hidden)
    assert.ok(ofHidden > 0 && ofHidden < 10, reads.names.join())
    for (const one of streams) assert.deepEqual(told(one), [])
    const ofShared = await statementsUntil(shared)
    assert.ok(ofShared > 0 && ofShared < 10, reads.names.join())
    for (const [i, one] of streams.entries()) assert.equal(told(one).length, i < 25 ? 1 : 0)
  })

  it('those with a Room or types receive only these, on each node', async () => {
    const [one, other] = [await sharedRoom(), await sharedRoom()]
    const node = await startOtherNode(activity.service)
    try {
      const there = { ...activity, service: { ...activity.service, base_url: node.base_url } }
      const streams = []
      for (const at of [activity, there])
        for (const search of [
          `?room_id=${one}`,
          '?types=attachment.*',
          `?room_id=${other}&types=room.updated`,
        ])
          streams.push(await follow(token(activity.mia), search, at))
      const changed = await activity.append({ room_id: one })
      const added = await activity.append({ room_id: other, type: 'attachment.added' })
      const last = await activity.append({ room_id: other })
      const bothAdded = await activity.append({ room_id: one, type: 'attachment.removed' })
      const expected = [[changed, bothAdded], [added, bothAdded], [last]]
      for (const [i, stream] of streams.entries()) {
        const events = expected[i % 3] ?? []
        await eventually(() => told(stream).length >= events.length)
        assert.deepEqual(told(stream), events)
      }
    } finally {
      for (const stream of open.splice(0)) stream.close()
      await node.close()
    }
  })

  it('those of guests in a Room that hides other guests receive only visible events', async () => {
    const room_id = await activity.room()
    const { gus, greta, mia, olivia } = activity
    for (const guest of [gus, greta]) await activity.invite(room_id, guest)
    await activity.us.updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
    const [ofGus, ofGreta, ofOlivia] = [
      await follow(token(gus), `?room_id=${room_id}`),
      await follow(token(greta)),
      await follow(token(olivia)),
    ]
    const byGreta = await activity.append({ room_id, actor: greta })
    const aboutGus = await activity.append({ room_id, about: gus })
    const byMia = await activity.append({ room_id, actor: mia })
    for (const stream of [ofGus, ofGreta, ofOlivia]) await eventually(() => told(stream).includes(byMia))
    assert.deepEqual(told(ofGus), [aboutGus, byMia])
    assert.deepEqual(told(ofGreta), [byGreta, byMia])
    assert.deepEqual(told(ofOlivia), [byGreta, aboutGus, byMia])
    await activity.expel(room_id, gus)
    await activity.expel(room_id, greta)
  })

  it('none receives an event that was committed after its caller lost access', async () => {
    const { service, workspace_id, olivia, gus } = activity
    const room_id = await sharedRoom()
    const ways: [string, Record<string, string>, () => Promise<unknown>][] = []
    const guest = (name: string) => {
      const person = service.person(name)
      return [person, () => activity.invite(room_id, person)] as const
    }
    const [timed, inviteTimed] = guest('Timed')
    const [expelled, inviteExpelled] = guest('Expelled')
    for (const person of [timed, expelled])
      await service.sql('insert into users (id, issuer, subject) values ($1, $2, $3)', [
        person.user_id,
        service.issuer.issuer,
        person.subject,
      ])
    await inviteTimed()
    await inviteExpelled()
    const leaver = service.person('Leaver')
    await service.join(workspace_id, leaver, 'member')
    const key = await service.apiKey(workspace_id, olivia, ['events:read', 'rooms:read'])
    ways.push(
      [
        'a guest whose time is over',
        token(timed),
        () =>
          service.sql('update room_participants set expires_at = now() where user_id = $1', [timed.user_id]),
      ],
      ['a guest who was removed', token(expelled), () => activity.expel(room_id, expelled)],
      [
        'a member who was removed',
        token(leaver),
        () => service.sql(`update memberships set status = 'removed' where user_id = $1`, [leaver.user_id]),
      ],
      [
        'a key that was revoked',
        { 'x-svc-api-key': key.secret },
        () => service.sql('update api_keys set revoked_at = now() where id = $1', [key.key_id]),
      ],
    )
    const witness = await follow(token(olivia), `?room_id=${room_id}`)
    for (const [what, headers, takeAway] of ways) {
      const ofAll = await follow(headers)
      const ofRoom = await follow(headers, `?room_id=${room_id}`)
      const seen = await activity.append({ room_id })
      assert.equal((await ofAll.next()).data?.id, seen, what)
      assert.equal((await ofRoom.next()).data?.id, seen, what)
      await takeAway()
      const hidden = await activity.append({ room_id })
      await eventually(() => told(witness).includes(hidden))
      const ended = performance.now()
      await Promise.all([ofAll.ended, ofRoom.ended])
      assert.ok(performance.now() - ended < 10_000, `${what}: they end long before a heartbeat`)
      for (const stream of [ofAll, ofRoom]) assert.deepEqual(told(stream), [seen], what)
    }
    await activity.invite(room_id, gus)
    await activity.expel(room_id, gus)
  })

  it('none receives an event that was committed after its token expired', async () => {
    const { issuer } = activity.service
    const room_id = await sharedRoom()
    const seconds = Math.floor(Date.now() / 1000)
    // The service accepts tokens for 30 seconds after they expire.
    const brief = issuer.sign({
      ...issuer.claims(),
      sub: activity.mia.subject,
      iat: seconds - 100,
      exp: seconds - 24,
    })
    const witness = await follow(token(activity.mia))
    const stream = await follow({ authorization: `Bearer ${brief}` })
    const seen = await activity.append({ room_id })
    assert.equal((await stream.next()).data?.id, seen)
    await sleep((seconds + 6) * 1000 - Date.now())
    const hidden = await activity.append({ room_id })
    await eventually(() => told(witness).includes(hidden))
    await stream.ended
    assert.deepEqual(told(stream), [seen])
    assert.ok(Date.now() < (seconds + 14) * 1000, 'it ends long before a heartbeat')
  })

  it('one whose caller loses standing is refused soon, also without an event', async () => {
    const hidden = await activity.room()
    const leaver = activity.service.person('Leaver')
    await activity.service.join(activity.workspace_id, leaver, 'viewer')
    const stream = await follow(token(leaver))
    const { cursor } = await activity.us.listEventChanges({ limit: 1 })
    const asked = performance.now()
    const poll = refused(
      activity.as(leaver).listEventChanges({ cursor, types: ['room.archived'], wait_seconds: 30 }),
      'forbidden',
    )
    await sleep(300)
    await activity.service.sql(`update memberships set status = 'removed' where user_id = $1`, [
      leaver.user_id,
    ])
    await activity.append({ room_id: hidden, feed: 'audit' })
    await Promise.all([poll, stream.ended])
    assert.ok(performance.now() - asked < 10_000)
  })
})
