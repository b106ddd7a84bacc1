import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { hostileTexts, unstorableTexts } from '../hostile/hostile-text.ts'
import { refused } from '../harness/refused.ts'
import { definitionOf, makeListWorld, type ListWorld } from './list-fixture.ts'
import { listRequest } from './list-request.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())

/** A client in a Workspace of its own, with Lists of these names. */
async function clientWith(...names: string[]): Promise<Client> {
  const { service, people } = world
  const workspace_id = await service.workspace('Lists', people.owner)
  const client = service.client({ access_token: people.owner.token, workspace_id })
  for (const name of names) await client.createList({ name, definition: definitionOf({ kind: 'all' }) })
  return client
}

type Filter = Parameters<Client['listLists']>[0]
const namesOf = async (client: Client, filter: Filter) =>
  (await client.listLists(filter)).data.map(list => list.name)

describe('GET /v1/lists', () => {
  it('shows the Lists by id, page by page', async () => {
    const names = ['C', 'A', 'B', 'E', 'D']
    const client = await clientWith(...names)
    const found: string[] = []
    let cursor: string | undefined
    do {
      const { data, page } = await client.listLists({ limit: 2, ...(cursor && { cursor }) })
      assert.equal(page.has_more, page.cursor !== null)
      found.push(...data.map(list => list.name))
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual(found, names)
    assert.deepEqual((await client.listLists({ limit: 5 })).page, { cursor: null, has_more: false })
  })

  it('shows a List as it is read by its id, with archived columns only if asked', async () => {
    const client = await clientWith('A')
    const { data } = await client.listLists({})
    const list_id = data[0]?.id as never
    assert.deepEqual(data, [(await client.getList({ list_id })).data])
    await client.createListColumn({ list_id, name: 'Notes', value_type: 'text', expected_version: 1 })
    const [column] = (await client.listLists({})).data[0]?.columns ?? []
    assert.deepEqual([column?.name, column && 'archived_at' in column], ['Notes', false])
    await client.archiveListColumn({ list_id, column_id: String(column?.column_id), expected_version: 2 })
    assert.deepEqual((await client.listLists({})).data[0]?.columns, [])
    const archived = await client.listLists({ include_archived: true })
    assert.deepEqual(archived.data, [(await client.getList({ list_id, include_archived: true })).data])
    assert.equal(archived.data[0]?.columns.length, 1)
  })

  it('filters by status', async () => {
    const client = await clientWith('Active', 'Archived', 'Restricted')
    const [, archived, restricted] = (await client.listLists({})).data
    await client.archiveList({ list_id: archived?.id as never, expected_version: 1 })
    await world.service.sql(`update lists set lifecycle_status = 'restricted' where id = $1`, [
      restricted?.id,
    ])
    assert.deepEqual(await namesOf(client, { lifecycle_status: 'active' }), ['Active'])
    assert.deepEqual(await namesOf(client, { lifecycle_status: 'archived' }), ['Archived'])
    assert.deepEqual(await namesOf(client, { lifecycle_status: 'restricted' }), ['Restricted'])
    assert.deepEqual(await namesOf(client, {}), ['Active', 'Archived', 'Restricted'])
    assert.deepEqual(await namesOf(client, { lifecycle_status: 'active', name: 'arch' }), [])
  })

  it('filters by a part of the name, without regard to case, and pages through what matches', async () => {
    const client = await clientWith('HVAC Ohio', 'Roofing', 'hvac Indiana', 'Ｈvac ＆ Straße')
    for (const name of ['hvac', 'HVAC', ' Hvac ', 'ｈｖａｃ'])
      assert.deepEqual(await namesOf(client, { name }), ['HVAC Ohio', 'hvac Indiana', 'Ｈvac ＆ Straße'])
    assert.deepEqual(await namesOf(client, { name: 'STRASSE' }), ['Ｈvac ＆ Straße'])
    assert.deepEqual(await namesOf(client, { name: 'hvac ohio x' }), [])
    const { data, page } = await client.listLists({ name: 'hvac', limit: 1 })
    assert.deepEqual([data.length, page.has_more], [1, true])
    assert.deepEqual(await namesOf(client, { name: 'hvac', cursor: page.cursor as never }), [
      'hvac Indiana',
      'Ｈvac ＆ Straße',
    ])
  })

  it('takes %, _ and \\ in a name as they are', async () => {
    const client = await clientWith('100% sure', '100 sure', 'a_b', 'axb', 'a\\b', 'a\\%b')
    assert.deepEqual(await namesOf(client, { name: '%' }), ['100% sure', 'a\\%b'])
    assert.deepEqual(await namesOf(client, { name: '_' }), ['a_b'])
    assert.deepEqual(await namesOf(client, { name: '\\' }), ['a\\b', 'a\\%b'])
    assert.deepEqual(await namesOf(client, { name: '\\%' }), ['a\\%b'])
    assert.deepEqual(await namesOf(client, { name: 'a%b' }), [])
  })

  it('finds a List by any name that it may have', async () => {
    const client = await clientWith()
    const valid = hostileTexts.map(text => text.trim()).filter(text => /^[^\p{Cc}]{1,200}$/u.test(text))
    assert.ok(valid.length > 20)
    for (const name of valid) {
      const { data } = await client.createList({ name, definition: definitionOf({ kind: 'all' }) })
      assert.equal(data.name, name)
      const found = await client.listLists({ name, limit: 100 })
      // What has no visible character is in no name.
      const isBlank = /^\p{Default_Ignorable_Code_Point}*$/u.test(name)
      assert.equal(
        found.data.some(list => list.id === data.id),
        !isBlank,
        JSON.stringify(name),
      )
    }
  })

  it('answers 400 for filters, limits and cursors that none can have', async () => {
    const { id } = await world.list({ kind: 'all' })
    for (const [query, parameter] of [
      ['lifecycle_status=deleted', 'lifecycle_status'],
      ['name=', 'name'],
      ['name=%20', 'name'],
      [`name=${'x'.repeat(201)}`, 'name'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['cursor=next', 'cursor'],
      [`cursor=${id.replace('list', 'rom')}`, 'cursor'],
      ['include_archived=yes', 'include_archived'],
      ['status=active', 'status'],
    ]) {
      const { status, body } = await listRequest(world, 'GET', `?${query}`)
      assert.deepEqual([status, body.errors[0].pointer], [400, `/${parameter}`], query)
    }
    for (const name of unstorableTexts.filter(text => text.isWellFormed())) {
      const client = world.as(world.people.member)
      await refused(client.listLists({ name }), 'validation_error')
    }
  })
})
