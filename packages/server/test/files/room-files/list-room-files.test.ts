import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeRoomFileWorld, type RoomFileWorld } from './room-file-fixture.ts'

let world: RoomFileWorld
before(async () => (world = await makeRoomFileWorld()))
after(() => world.close())
const us = () => world.as(world.people.member)

describe('list_room_files', () => {
  it('lists what the reader can open, sorted by index_path, the same with pages of any size', async () => {
    const { people } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'view')
    await world.invite(room_id, people.rival, 'view')
    const paths = ['Tax/b.md', 'A.md', 'Tax/a.md', 'tax.md', 'Ünder.md', 'Tax.md', 'Tax/c/d.md', '😀.md']
    const ids = new Map<string, string>()
    for (const path of paths) ids.set(path, await world.attached(room_id, 'x.md', path))
    for (const path of ['A.md', 'Tax/b.md', '😀.md'])
      await world.grant(String(ids.get(path)), people.guest, 'edit')
    await world.grant(String(ids.get('Tax.md')), people.rival)
    const inOrder = paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    const hiddenFrom = { guest: ['Tax.md'], rival: ['A.md', 'Tax/b.md', '😀.md'], member: [] as string[] }
    for (const [name, hidden] of Object.entries(hiddenFrom))
      for (const limit of [1, 2, 3, 100])
        assert.deepEqual(
          await world.seen(people[name as 'guest'], room_id, { limit }),
          inOrder.filter(path => !hidden.includes(path)),
          `${name}, ${limit} a page`,
        )
    const { data } = await world.as(people.guest).listRoomFiles({ room_id })
    assert.deepEqual(
      data.map(one => [one.index_path, one.access_level, one.file.access_level]),
      inOrder
        .filter(path => path !== 'Tax.md')
        .map(path => {
          const level = ['A.md', 'Tax/b.md', '😀.md'].includes(path) ? 'edit' : 'view'
          return [path, level, level]
        }),
    )
    // One that everybody can open is shown as it is shown alone.
    for (const one of data)
      assert.deepEqual(
        one,
        (await world.as(people.guest).getRoomFile({ room_file_id: one.room_file_id })).room_file,
      )
  })

  it('lists Files at the same place one after the other', async () => {
    const { people } = world
    const room_id = await world.room()
    for (let i = 0; i < 5; i++) await world.attached(room_id, `${i}.md`, 'Same/place.md')
    const ids: string[] = []
    for await (const one of us().listRoomFiles.each({ room_id, limit: 2 })) ids.push(one.room_file_id)
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(new Set(ids).size, 5)
    assert.equal((await world.seen(people.member, room_id)).length, 5)
  })

  it('lists what is below a folder', async () => {
    const { people } = world
    const room_id = await world.room()
    for (const path of ['Tax', 'Tax/a.md', 'Tax/b/c.md', 'Tax0', 'Tax-a.md', 'tax/d.md', 'Tay/e.md'])
      await world.attached(room_id, 'x.md', path)
    assert.deepEqual(await world.seen(people.member, room_id, { under: 'Tax', limit: 1 }), [
      'Tax/a.md',
      'Tax/b/c.md',
    ])
    assert.deepEqual(await world.seen(people.member, room_id, { under: 'Tax/b' }), ['Tax/b/c.md'])
    assert.deepEqual(await world.seen(people.member, room_id, { under: 'Nothing' }), [])
  })

  it('lists archived ones on demand, to those who may edit them', async () => {
    const { people } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'view')
    await world.invite(room_id, people.rival, 'edit')
    const ids = Object.fromEntries(
      await Promise.all(['a', 'b', 'c', 'd'].map(async name => [name, await world.attached(room_id, name)])),
    ) as Record<string, string>
    await world.grant(String(ids['b']), people.guest, 'edit')
    await world.grant(String(ids['c']), people.guest, 'view')
    const revisions = { a: 1, b: 2, c: 2 }
    for (const [name, expected_revision] of Object.entries(revisions))
      await us().archiveRoomFile({ room_file_id: String(ids[name]), expected_revision })
    const archived = (name: 'guest' | 'rival' | 'member') =>
      world.seen(people[name], room_id, { status: 'archived', limit: 1 })
    assert.deepEqual(await archived('member'), ['a', 'b', 'c'])
    assert.deepEqual(await archived('rival'), ['a'])
    assert.deepEqual(await archived('guest'), ['b'])
    for (const name of ['member', 'rival', 'guest'] as const)
      assert.deepEqual(await world.seen(people[name], room_id), ['d'])
  })

  it('refuses a cursor of its own making, and takes one of another Room as what it is: a place', async () => {
    const room_id = await world.room()
    for (const path of ['a', 'b']) await world.attached(room_id, path)
    const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { page } = await us().listRoomFiles({ room_id, limit: 1 })
    const [path, id] = JSON.parse(Buffer.from(String(page.cursor), 'base64url').toString()) as string[]
    assert.equal(path, 'a')
    for (const cursor of [
      'x',
      cursorOf(null),
      cursorOf([path]),
      cursorOf([path, 'rfl_1']),
      cursorOf([1, id]),
      cursorOf([`\0`, id]),
      cursorOf([path, id, 1]),
      Buffer.from(` ["a","${id}"]`).toString('base64url'),
    ]) {
      const { errors } = await refused(us().listRoomFiles({ room_id, cursor }), 'validation_error')
      assert.equal(errors[0]?.pointer, '/cursor')
    }
    const other = await world.room()
    await world.attached(other, 'b')
    const { data } = await us().listRoomFiles({ room_id: other, cursor: String(page.cursor) })
    assert.deepEqual(
      data.map(one => one.index_path),
      ['b'],
    )
  })

  it('answers 404 for a Room that the reader cannot see', async () => {
    const room_id = await world.room()
    await world.attached(room_id)
    await refused(world.as(world.people.owner).listRoomFiles({ room_id }), 'not_found')
  })

  it('leads with no cursor to what is hidden, and ends no page early for it', async () => {
    const { people } = world
    const [bare, full] = [await world.room(), await world.room()]
    const shown = ['b', 'd', 'f']
    for (const room_id of [bare, full]) {
      await world.invite(room_id, people.guest, 'view')
      for (const path of shown) await world.attached(room_id, path)
    }
    for (const path of ['a', 'c', 'e', 'g', 'h'])
      await world.grant(await world.attached(full, path), people.member)
    const pagesOf = async (room_id: string) => {
      const pages: unknown[] = []
      for (let cursor: string | undefined, goesOn = true; goesOn;) {
        const { data, page } = await world.as(people.guest).listRoomFiles({ room_id, limit: 2, cursor })
        const place =
          page.cursor && (JSON.parse(Buffer.from(page.cursor, 'base64url').toString()) as string[])
        pages.push([data.map(one => one.index_path), place && place[0], page.has_more])
        if (place) assert.equal(place[1], data.at(-1)?.room_file_id)
        cursor = page.cursor ?? undefined
        goesOn = page.has_more
      }
      return pages
    }
    assert.deepEqual(await pagesOf(full), await pagesOf(bare))
  })
})
