import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectionStatuses } from '@wbs/contract/connections/connections'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { makeConnectionWorld, type ConnectionWorld } from '../connection-fixture.ts'

describe('the list of the connections of a Room', () => {
  let world: ConnectionWorld
  before(async () => (world = await makeConnectionWorld()))
  after(() => world.close())

  const list = (room_id: string, over: object = {}, person: Person = world.people.member) =>
    world.as(person).listConnections({ room_id, ...over })
  const idsOf = (page: Awaited<ReturnType<typeof list>>) => page.data.map(one => one.connection_id)

  it('has all of them by id, page by page, and those of no other Room', async () => {
    const room_id = await world.room()
    await world.share(await world.room())
    const shared = []
    for (let at = 0; at < 5; at++) shared.push((await world.share(room_id)).connection_id)
    const found: string[] = []
    let cursor: string | undefined
    for (;;) {
      const page = await list(room_id, { limit: 2, ...(cursor && { cursor }) })
      found.push(...idsOf(page))
      assert.equal(page.page.has_more, found.length < 5)
      assert.equal(page.page.cursor, page.page.has_more ? found.at(-1) : null)
      if (!page.page.cursor) break
      cursor = page.page.cursor
    }
    assert.deepEqual(found, shared.toSorted())
  })

  it('has those with a status, and their pages', async () => {
    const room_id = await world.room()
    const byStatus = new Map<string, string[]>()
    for (const status of [...connectionStatuses, ...connectionStatuses]) {
      const key = await world.share(room_id)
      await world.save(key, status)
      byStatus.set(status, [...(byStatus.get(status) ?? []), key.connection_id])
    }
    for (const [status, ids] of byStatus) {
      assert.deepEqual(idsOf(await list(room_id, { status })), ids.toSorted())
      const first = await list(room_id, { status, limit: 1 })
      const second = await list(room_id, { status, limit: 1, cursor: first.page.cursor })
      assert.deepEqual([...idsOf(first), ...idsOf(second)], ids.toSorted())
      assert.equal(second.page.has_more, false)
    }
    assert.equal((await list(room_id)).data.length, 8)
  })

  it('is the same for guests and viewers of the Room, and hidden from others', async () => {
    const { people, room, invite } = world
    const room_id = await room()
    const { connection_id } = await world.share(room_id)
    await invite(room_id, people.guest, 'view')
    await invite(room_id, people.viewer, 'view')
    for (const person of [people.guest, people.viewer]) {
      const { data } = await list(room_id, {}, person)
      assert.deepEqual(
        data.map(one => [one.connection_id, one.mine, one.can_stop]),
        [[connection_id, false, false]],
      )
    }
    const details = new Set<string>()
    for (const hidden of [() => list(room_id, {}, people.owner), () => list(`rom_${'0'.repeat(26)}`)])
      details.add((await refused(hidden(), 'not_found')).detail)
    assert.equal(details.size, 1)
    await refused(list(room_id, {}, people.rival), 'forbidden')
  })

  it('does not show the settings of the plugin', async () => {
    const room_id = await world.room()
    await world.share(room_id, world.people.member, { config: { canary: 'cfg-canary-7261' } })
    assert.ok(!JSON.stringify(await list(room_id)).includes('cfg-canary'))
  })

  it('refuses a filter or a cursor that is not valid', async () => {
    const room_id = await world.room()
    for (const over of [{ status: 'gone' }, { status: '' }, { cursor: 'x' }, { limit: 101 }, { limit: 0 }])
      await refused(list(room_id, over), 'validation_error')
  })
})
