import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusinesses } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { makeTypedList, type TypedList } from './entry-fixture.ts'
import { insertValues } from './entry-values.ts'

let world: ListWorld
let list: TypedList
before(async () => {
  world = await makeListWorld()
  list = await makeTypedList(world)
  await list.member('b', { text: 'B', number: 2, boolean: true, date: '2026-01-02' })
  await list.member('C', { text: 'a', number: 10, boolean: false, date: '2025-12-31' })
  await list.member('Ａ', { text: 'A', number: -1, boolean: true, date: '2026-01-02' })
  await list.member('d')
  await list.member('e')
})
after(() => world.close())

const us = () => world.as(world.people.member)

describe('GET /v1/lists/{list_id}/entries?sort=', () => {
  for (const limit of [1, 2, 100]) {
    it(`sorts by the value, then by ID, those without a value last, ${limit} a page`, async () => {
      const { columns } = list
      const sorted = (sort: string) => list.names({ sort, limit })
      assert.deepEqual(await sorted(columns.number), ['Ａ', 'b', 'C', 'd', 'e'])
      assert.deepEqual(await sorted(`-${columns.number}`), ['C', 'b', 'Ａ', 'd', 'e'])
      // Texts by their folded form, then as they are.
      assert.deepEqual(await sorted(columns.text), ['Ａ', 'C', 'b', 'd', 'e'])
      assert.deepEqual(await sorted(`-${columns.text.toUpperCase()}`), ['b', 'C', 'Ａ', 'd', 'e'])
      // False is before true.
      assert.deepEqual(await sorted(columns.boolean), ['C', 'b', 'Ａ', 'd', 'e'])
      assert.deepEqual(await sorted(`-${columns.boolean}`), ['b', 'Ａ', 'C', 'd', 'e'])
      assert.deepEqual(await sorted(columns.date), ['C', 'b', 'Ａ', 'd', 'e'])
      assert.deepEqual(await sorted(`-${columns.date}`), ['b', 'Ａ', 'C', 'd', 'e'])
    })

    it(`sorts by the folded name, also of drafts, ${limit} a page`, async () => {
      const drafts = await makeTypedList(world)
      for (const name of ['b', 'A']) await drafts.override(await world.linked({ name }), 'include')
      for (const name of ['Ａ', 'C', 'a']) await drafts.member(name)
      assert.deepEqual(await drafts.names({ sort: 'name', limit }), ['A', 'Ａ', 'a', 'b', 'C'])
      assert.deepEqual(await drafts.names({ sort: '-name', limit }), ['C', 'b', 'A', 'Ａ', 'a'])
    })
  }

  it('shows the same entries as without it', async () => {
    const asked = { list_id: list.list_id, fields: ['status', 'name'] as const }
    const [sorted, unsorted] = [
      await us().listListEntries({ ...asked, fields: [...asked.fields], sort: '-name' }),
      await us().listListEntries({ ...asked, fields: [...asked.fields] }),
    ]
    const byId = sorted.data.toSorted((a, b) => (a.member_id < b.member_id ? -1 : 1))
    assert.deepEqual(byId, unsorted.data)
    assert.equal(sorted.version, unsorted.version)
  })

  it('pages through texts that begin alike, and through the longest texts', async () => {
    const long = await makeTypedList(world)
    const names = ['1', '2', '3', '4']
    for (const name of names) await long.member(name, { text: '\u0001😀'.repeat(2500) + name })
    for (const sort of [long.columns.text, `-${long.columns.text}`])
      assert.deepEqual(await long.names({ sort, limit: 1 }), names)
    const named = await makeTypedList(world)
    const many = ['ﷺ'.repeat(200), '語"'.repeat(100), `${'ﷺ'.repeat(200)}b`]
    for (const name of many) await named.member(name)
    assert.deepEqual(new Set(await named.names({ sort: 'name', limit: 1 })), new Set(many))
  })

  it('shows each entry once that is there all the time, while others change', async () => {
    const changing = await makeTypedList(world)
    const ids: string[] = []
    for (const number of [1, 2, 3, 4, 5, 6]) ids.push(await changing.member(String(number), { number }))
    const sort = changing.columns.number
    const first = await us().listListEntries({ list_id: changing.list_id, sort, limit: 2 })
    // The last entry of the page moves to the end, and the first one of the next page is no member any more.
    await world.service.sql('update list_values set number_value = 9 where member_id = $1', [ids[1]])
    await world.service.sql('delete from list_overrides where member_id = $1', [ids[2]])
    const { data } = await us().listListEntries({
      list_id: changing.list_id,
      sort,
      cursor: String(first.page.cursor),
    })
    assert.deepEqual(
      data.map(entry => entry.subject.name),
      ['4', '5', '6', '2'],
    )
  })

  it('is refused with a column that the List does not have', async () => {
    const other = await makeTypedList(world)
    for (const sort of [other.columns.number, `-${crypto.randomUUID()}`]) {
      const { errors } = await refused(
        us().listListEntries({ list_id: list.list_id, sort }),
        'validation_error',
      )
      assert.deepEqual([errors[0]?.pointer, errors[0]?.code], ['/sort', 'unknown'])
    }
    for (const sort of ['x', '--name', 'name ', ''])
      await refused(us().listListEntries({ list_id: list.list_id, sort }), 'validation_error')
  })

  it('refuses to sort more than 10,000 members, and tells how many there are', async () => {
    const { service, workspace_id } = world
    const many = await makeTypedList(world, where('state', 'eq', 'AK'))
    const { list_id, columns } = many
    const ids = await addBusinesses(
      service,
      Array.from({ length: 10_001 }, (_, i) => ({ name: `Harbor ${i}`, locations: [{ state: 'AK' }] })),
    )
    await service.sql('analyze')
    const values = ids.slice(0, 10_000).map((member_id, value) => ({
      member_id,
      column_id: columns.number,
      value_type: 'number' as const,
      value,
    }))
    await insertValues(service, { workspace_id, list_id }, values)
    for (const sort of ['name', `-${columns.number}`]) {
      const { detail } = await refused(us().listListEntries({ list_id, sort }), 'unprocessable_content')
      // Counting ends early on a slow machine.
      assert.match(
        detail,
        /^At most 10,000 members can be sorted, and there are (?:10,001|more than 10,000)\. /,
      )
    }
    // A filter that leaves 10,000 of them makes them sortable.
    const { data } = await us().listListEntries({
      list_id,
      sort: `-${columns.number}`,
      filter: many.filter('number', 'is_set'),
      limit: 1,
    })
    assert.equal(data[0]?.member_id, ids[9999])
    assert.equal((await us().listListEntries({ list_id, limit: 1 })).data.length, 1)
  })
})

describe('a cursor of entries', () => {
  const refusedCursor = async (asked: object, cursor: string) => {
    const { errors } = await refused(
      us().listListEntries({ list_id: list.list_id, ...asked, cursor }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(({ in: place, pointer, code }) => [place, pointer, code]),
      [['query', '/cursor', 'format']],
    )
  }
  const cursorOf = async (asked: object, list_id = list.list_id) =>
    String((await us().listListEntries({ list_id, limit: 1, ...asked })).page.cursor)

  it('without sort is the ID of a Business, and nothing else', async () => {
    assert.match(await cursorOf({}), /^biz_/)
    for (const cursor of [
      'x',
      'biz_',
      'biz_01JD8Q5W3RZXKT4M2N6P7V9Y0',
      "'",
      await cursorOf({ sort: 'name' }),
    ])
      await refusedCursor({}, cursor)
  })

  it('with sort belongs to the List, the filter and the sort', async () => {
    const sort = list.columns.number
    const filter = list.filter('number', 'is_set')
    const cursor = await cursorOf({ sort, filter })
    const spaced = JSON.stringify(JSON.parse(filter), null, 1)
    assert.equal(
      (await us().listListEntries({ list_id: list.list_id, sort, filter: spaced, cursor })).data.length,
      2,
    )
    await refusedCursor({ sort }, cursor)
    await refusedCursor({ sort: `-${sort}`, filter }, cursor)
    await refusedCursor({ sort: 'name', filter }, cursor)
    await refusedCursor({ sort, filter: list.filter('number', 'gt', 0) }, cursor)
    await refusedCursor({ filter }, cursor)
    await refusedCursor({ sort, filter }, await cursorOf({}))
    const other = await makeTypedList(world)
    for (const name of ['a', 'b']) await other.member(name)
    await refusedCursor({ sort: 'name' }, await cursorOf({ sort: 'name' }, other.list_id))
  })

  it('with sort cannot be altered', async () => {
    const sort = list.columns.number
    const cursor = await cursorOf({ sort })
    const [place = '', hash = ''] = cursor.split('.')
    const forged = Buffer.from(JSON.stringify({ key: 0, id: 'biz_0' })).toString('base64url')
    for (const altered of [
      `${forged}.${hash}`,
      `${place}.${hash.replace(/^./, letter => (letter === 'A' ? 'B' : 'A'))}`,
      place,
      `${cursor}A`,
      `.${hash}`,
      forged,
      'x'.repeat(4000),
    ])
      await refusedCursor({ sort }, altered)
  })

  it('with sort contains nothing but what the page showed', async () => {
    const page = await us().listListEntries({ list_id: list.list_id, sort: list.columns.number, limit: 1 })
    const [place = ''] = String(page.page.cursor).split('.')
    const [entry] = page.data
    assert.deepEqual(JSON.parse(Buffer.from(place, 'base64url').toString()), {
      key: entry?.values.find(one => one.column_id === list.columns.number)?.value.value,
      id: entry?.member_id,
    })
  })
})
