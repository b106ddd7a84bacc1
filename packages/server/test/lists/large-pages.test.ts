import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { definitionOf, makeListWorld, where, type ListWorld } from './list-fixture.ts'

/** A page ends with the item that exceeds this many bytes. */
const mebibyte = 1024 * 1024

describe('pages of large items', () => {
  let world: ListWorld
  before(async () => void (world = await makeListWorld()))
  after(() => world.close())
  const us = () => world.as(world.people.member)

  it('of Lists have fewer than limit, and all of them follow', async () => {
    const rule = where(
      'name',
      'in',
      Array.from({ length: 31 }, () => 'x'.repeat(2048)),
    )
    const { id: first } = await world.list(rule)
    const made = await Promise.all(Array.from({ length: 39 }, () => world.list(rule)))
    const ids: string[] = [first, ...made.map(({ id }) => id)].toSorted()
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const { data, page } = await us().listLists({ limit: 40, ...(cursor && { cursor }) })
      pages.push(data.map(({ id }) => id))
      assert.equal(page.has_more, page.cursor !== null)
      cursor = page.cursor
    } while (cursor !== null)
    assert.deepEqual(pages.flat(), ids)
    assert.ok(JSON.stringify(rule).length * (pages[0]?.length ?? 40) < 1.1 * mebibyte, `${pages[0]?.length}`)
    assert.ok(pages.length < 5, `${pages.length}`)
    const { data } = await us().listLists({ limit: 3 })
    assert.deepEqual(
      data.map(({ id }) => id),
      ids.slice(0, 3),
    )
  })

  describe('of entries', () => {
    const texts = 40
    let list_id: string
    let columns: string[]
    let members: string[]
    before(async () => {
      const ids = await Promise.all(
        Array.from({ length: 8 }, (_, i) => world.business({ name: `Dock ${i}` })),
      )
      members = ids
      const list = await world.list(
        where('name', 'starts_with', 'Dock'),
        Array.from({ length: texts }, (_, i) => ({ name: `Note ${i}`, value_type: 'text' as const })),
      )
      list_id = list.id
      columns = list.columns.map(({ column_id }) => column_id)
      await world.service.sql(
        `insert into list_values (workspace_id, list_id, member_id, column_id, text_value, text_folded)
         select $1, $2, m.id, c.id, repeat('x', 10000), repeat('x', 10000)
         from unnest($3::text[]) m (id), unnest($4::uuid[]) c (id)`,
        [world.workspace_id, list_id, members, columns],
      )
    })

    const pagesOf = async (asked: object) => {
      const pages: { id: string; bytes: number }[][] = []
      let cursor: string | null = null
      do {
        const { data, page } = await us().listListEntries({
          list_id,
          limit: 100,
          ...asked,
          ...(cursor !== null && { cursor }),
        })
        pages.push(data.map(one => ({ id: one.member_id, bytes: JSON.stringify(one).length })))
        cursor = page.cursor
      } while (cursor !== null)
      return pages
    }

    for (const sort of [undefined, '-name', 'first column'])
      it(`have fewer than limit, and all of them follow, sorted by ${sort ?? 'ID'}`, async () => {
        const pages = await pagesOf(sort ? { sort: sort === '-name' ? sort : columns[0] } : {})
        const found = pages.flat().map(({ id }) => id)
        assert.deepEqual(found, sort === '-name' ? members.toReversed() : members.toSorted())
        for (const page of pages)
          assert.ok(page.reduce((sum, { bytes }) => sum + bytes, 0) < (1 + 0.5) * mebibyte)
        assert.ok(pages.length <= 4, `${pages.length}`)
      })

    it('have all of them if few columns are asked for', async () => {
      const pages = await pagesOf({ column_ids: columns.slice(0, 2) })
      assert.deepEqual(
        pages.map(page => page.length),
        [8],
      )
    })

    it('have at least one, however long its texts are', async () => {
      await world.service.sql(`update list_values set text_value = repeat('é', 10000) where list_id = $1`, [
        list_id,
      ])
      const pages = await pagesOf({})
      assert.deepEqual(
        pages.flat().map(({ id }) => id),
        members.toSorted(),
      )
    })

    it('shorten the sample of a preview', async () => {
      const definition = definitionOf(where('name', 'starts_with', 'Dock'))
      const { data } = await us().previewList({ definition, list_id })
      assert.equal(data.matched, 8)
      assert.ok(data.sample.length > 0 && data.sample.length < 8, `${data.sample.length}`)
    })
  })
})
