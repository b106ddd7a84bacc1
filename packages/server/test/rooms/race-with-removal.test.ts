import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventually } from '../harness/eventually.ts'
import { holdLock, lockWaits } from '../harness/lock-waits.ts'
import { refused } from '../harness/refused.ts'
import type { Person } from '../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from './room-fixture.ts'

/** The race that docs/how-a-request-runs.md explains. */
describe('changes of a Room by Anna and Ben, whom the owner removes meanwhile', () => {
  let world: RoomWorld
  let room_id: string
  let anna: Person
  let ben: Person
  let membership_id: string
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())

  beforeEach(async () => {
    room_id = await world.room('Sale')
    ;[anna, ben] = [world.service.person('Anna'), world.service.person('Ben')]
    await world.service.join(world.workspace_id, anna, 'member')
    membership_id = await world.service.join(world.workspace_id, ben, 'member')
    for (const person of [anna, ben]) await world.invite(room_id, person, 'full_access')
  })

  const once = (person: Person) =>
    world.service.client({ access_token: person.token, workspace_id: world.workspace_id, attempts: 1 })
  const rename = (person: Person, title: string, options: { idempotency_key?: string } = {}) =>
    once(person).updateRoom({ room_id, expected_revision: 1, title }, options)
  const remove = () => once(world.people.owner).removeMembership({ membership_id })
  const waiting = (count: number) => eventually(async () => (await lockWaits(world.service)) === count)
  const hold = (...lock: ['room' | 'member', string]) =>
    holdLock(world.service, world.workspace_id, lock, lock[0] === 'room' ? 'alone' : 'shared')

  async function current(): Promise<[string, number]> {
    const { room } = await world.as(anna).getRoom({ room_id })
    return [room.title, room.revision]
  }

  it('one of the two is made; the other is told the revision that there is now', async () => {
    const release = await hold('room', room_id)
    const first = rename(anna, 'of Anna')
    await waiting(1)
    const second = refused(rename(ben, 'of Ben'), 'revision_conflict')
    await waiting(2)
    await release()
    await first
    assert.equal((await second).current, 2)
    assert.deepEqual(await current(), ['of Anna', 2])
  })

  it('a change that waits for the Room is made before the removal; then nobody gets its answer again', async () => {
    const release = await hold('room', room_id)
    const change = rename(ben, 'of Ben', { idempotency_key: 'of-ben-before' })
    await waiting(1)
    const removal = remove()
    await waiting(2)
    await release()
    await change
    await removal
    assert.deepEqual(await current(), ['of Ben', 2])
    await refused(rename(ben, 'of Ben', { idempotency_key: 'of-ben-before' }), 'forbidden')
  })

  it('a change behind the removal is refused after it, and does not wait for the Room', async () => {
    await rename(ben, 'Sale')
    const [release, releaseRoom] = [await hold('member', ben.user_id), await hold('room', room_id)]
    try {
      const removal = remove()
      await waiting(1)
      const change = refused(rename(ben, 'of Ben', { idempotency_key: 'of-ben-after' }), 'forbidden')
      await waiting(2)
      await release()
      await removal
      await change
    } finally {
      await releaseRoom()
    }
    await refused(rename(ben, 'of Ben', { idempotency_key: 'of-ben-after' }), 'forbidden')
    assert.deepEqual(await current(), ['Sale', 1])
  })
})
