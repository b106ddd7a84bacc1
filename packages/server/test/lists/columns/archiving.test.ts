import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)

/** A new List with text columns of these names, and the ids of its columns. */
async function listWith(...names: string[]) {
  const columns = names.map(name => ({ name, value_type: 'text' as const }))
  const list = await world.list({ kind: 'all' }, columns)
  return { list_id: list.id, ids: list.columns.map(column => column.column_id) }
}

const columnsOf = async (list_id: string, include_archived = false) =>
  (await member().getList({ list_id, include_archived })).data.columns
const namesOf = async (list_id: string) => (await columnsOf(list_id)).map(column => column.name)

/** Adds columns to a List directly. */
const insertColumns = (list_id: string, count: number, { archived }: { archived: boolean }) =>
  world.service.sql(
    `insert into list_columns (workspace_id, list_id, id, name, value_type, position, created_at, archived_at)
     select $1, $2, gen_random_uuid(), 'Column', 'text', case when not $4 then present + i - 1 end, now(),
       case when $4 then now() end
     from generate_series(1, $3::integer) i,
       (select count(position)::integer as present from list_columns where list_id = $2) columns`,
    [world.workspace_id, list_id, count, archived],
  )

describe('POST /v1/lists/{list_id}/columns/{column_id}/archive', () => {
  it('hides the column and closes the gap', async () => {
    const { list_id, ids } = await listWith('A', 'B', 'C')
    const column_id = String(ids[1])
    const { data, action_receipt } = await member().archiveListColumn({
      list_id,
      column_id,
      expected_version: 1,
    })
    assert.deepEqual(data, { list_id, version: 2, column_id, archived: true })
    assert.equal(action_receipt.operation, 'archive_list_column')
    assert.deepEqual(action_receipt.resource, { type: 'list_column', id: column_id })
    assert.deepEqual(
      (await columnsOf(list_id)).map(column => [column.name, column.position]),
      [
        ['A', 0],
        ['C', 1],
      ],
    )
    const [a, c, archived] = await columnsOf(list_id, true)
    assert.deepEqual([a?.archived_at, c?.archived_at], [null, null])
    assert.deepEqual([archived?.name, archived?.position], ['B', null])
    assert.equal(archived?.archived_at, action_receipt.occurred_at)
  })

  it('changes nothing, and makes no version, for an archived column with the right version', async () => {
    const { list_id, ids } = await listWith('A')
    const named = { list_id, column_id: String(ids[0]) }
    await member().archiveListColumn({ ...named, expected_version: 1 })
    const { data, action_receipt } = await member().archiveListColumn({ ...named, expected_version: 2 })
    assert.deepEqual([data.version, data.archived, action_receipt.changed], [2, true, []])
    const { expected, current } = await refused(
      member().archiveListColumn({ ...named, expected_version: 1 }),
      'revision_conflict',
    )
    assert.deepEqual([expected, current], [1, 2])
  })
})

describe('POST /v1/lists/{list_id}/columns/{column_id}/restore', () => {
  it('makes the column the last one', async () => {
    const { list_id, ids } = await listWith('A', 'B', 'C')
    const named = { list_id, column_id: String(ids[0]) }
    await member().archiveListColumn({ ...named, expected_version: 1 })
    const { data, action_receipt } = await member().restoreListColumn({ ...named, expected_version: 2 })
    assert.deepEqual(data, { ...named, name: 'A', value_type: 'text', position: 2, version: 3 })
    assert.equal(action_receipt.operation, 'restore_list_column')
    assert.deepEqual(await namesOf(list_id), ['B', 'C', 'A'])
    assert.ok((await columnsOf(list_id, true)).every(column => column.archived_at === null))
  })

  it('answers 409 for a column that is not archived, and for a stale version', async () => {
    const { list_id, ids } = await listWith('A')
    const named = { list_id, column_id: String(ids[0]) }
    const { current_status } = await refused(
      member().restoreListColumn({ ...named, expected_version: 1 }),
      'state_conflict',
    )
    assert.equal(current_status, 'active')
    await member().archiveListColumn({ ...named, expected_version: 1 })
    const conflict = await refused(
      member().restoreListColumn({ ...named, expected_version: 1 }),
      'revision_conflict',
    )
    assert.deepEqual([conflict.expected, conflict.current, conflict.changed_fields], [1, 2, ['archived']])
  })
})

describe('the columns of a List', () => {
  it('are at most 100 that are not archived', async () => {
    const { list_id, ids } = await listWith('A', 'B')
    const column_id = String(ids[0])
    await member().archiveListColumn({ list_id, column_id, expected_version: 1 })
    await insertColumns(list_id, 98, { archived: false })
    const add = (expected_version: number) =>
      member().createListColumn({ list_id, name: 'One more', value_type: 'text', expected_version })
    assert.equal((await add(2)).data.position, 99)
    await refused(add(3), 'limit_reached')
    await refused(member().restoreListColumn({ list_id, column_id, expected_version: 3 }), 'limit_reached')
    await member().archiveListColumn({ list_id, column_id: String(ids[1]), expected_version: 3 })
    const restored = await member().restoreListColumn({ list_id, column_id, expected_version: 4 })
    assert.equal(restored.data.position, 99)
    assert.equal((await columnsOf(list_id)).length, 100)
  })

  it('are at most 1,000 with archived ones, which can still be restored', async () => {
    const { list_id, ids } = await listWith('A')
    const column_id = String(ids[0])
    await member().archiveListColumn({ list_id, column_id, expected_version: 1 })
    await insertColumns(list_id, 998, { archived: true })
    const add = (expected_version: number) =>
      member().createListColumn({ list_id, name: 'One more', value_type: 'text', expected_version })
    await add(2)
    assert.equal((await columnsOf(list_id, true)).length, 1_000)
    await refused(add(3), 'limit_reached')
    await member().restoreListColumn({ list_id, column_id, expected_version: 3 })
    assert.deepEqual(await namesOf(list_id), ['One more', 'A'])
  })

  it('can be changed in an archived and in a restricted List, which keeps its status', async () => {
    for (const status of ['archived', 'restricted'] as const) {
      const { list_id, ids } = await listWith('A', 'B')
      await world.service.sql(
        `update lists set lifecycle_status = $2, archived_at = case when $2 = 'archived' then now() end where id = $1`,
        [list_id, status],
      )
      const named = { list_id, column_id: String(ids[0]) }
      await member().createListColumn({ list_id, name: 'C', value_type: 'text', expected_version: 1 })
      await member().updateListColumn({ ...named, position: 2, expected_version: 2 })
      await member().archiveListColumn({ ...named, expected_version: 3 })
      await member().restoreListColumn({ ...named, expected_version: 4 })
      const { data } = await member().getList({ list_id })
      assert.deepEqual([data.lifecycle_status, data.version], [status, 5])
      assert.deepEqual(
        data.columns.map(column => column.name),
        ['B', 'C', 'A'],
      )
    }
  })
})

describe('a column that the List does not have', () => {
  it('is 404: absent, of another List, the nil UUID and the max UUID', async () => {
    const { list_id } = await listWith('A')
    const other = await listWith('B')
    for (const column_id of [
      crypto.randomUUID(),
      String(other.ids[0]),
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ]) {
      const named = { list_id, column_id, expected_version: 1 }
      await refused(member().updateListColumn({ ...named, name: 'Z' }), 'not_found')
      await refused(member().archiveListColumn(named), 'not_found')
      await refused(member().restoreListColumn(named), 'not_found')
    }
    assert.deepEqual(await namesOf(other.list_id), ['B'])
    const { errors } = await refused(
      member().archiveListColumn({ list_id, column_id: 'A', expected_version: 1 }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(error => error.pointer),
      ['/column_id'],
    )
  })
})

describe('a change of a column', () => {
  it('finds a column by its id in upper case', async () => {
    const { list_id, ids } = await listWith('A')
    const column_id = String(ids[0])
    const { data } = await member().archiveListColumn({
      list_id,
      column_id: column_id.toUpperCase(),
      expected_version: 1,
    })
    assert.equal(data.column_id, column_id)
  })

  it('requires lists:write, and a List that the caller can see', async () => {
    const { list_id, ids } = await listWith('A')
    const named = { list_id, column_id: String(ids[0]), expected_version: 1 }
    const stranger = world.service.person('Sam')
    const elsewhere = await world.service.workspace('Elsewhere', stranger)
    const outside = world.service.client({ access_token: stranger.token, workspace_id: elsewhere })
    const reader = await world.withKey(['lists:read'])
    for (const [client, code] of [
      [world.as(world.people.viewer), 'forbidden'],
      [reader, 'forbidden'],
      [outside, 'not_found'],
    ] as const) {
      const added = { list_id, name: 'B', value_type: 'text', expected_version: 1 } as const
      await refused(client.createListColumn(added), code)
      await refused(client.updateListColumn({ ...named, name: 'B' }), code)
      await refused(client.archiveListColumn(named), code)
      await refused(client.restoreListColumn(named), code)
    }
    assert.deepEqual(await namesOf(list_id), ['A'])
  })

  it('is an audit event of the List, and changes nothing in the feed', async () => {
    const { list_id, ids } = await listWith('A')
    const column_id = String(ids[0])
    const named = { list_id, column_id }
    await member().updateListColumn({ ...named, name: 'B', expected_version: 1 })
    await member().updateListColumn({ ...named, name: 'B', expected_version: 2 })
    await member().archiveListColumn({ ...named, expected_version: 2 })
    await member().archiveListColumn({ ...named, expected_version: 3 })
    await member().restoreListColumn({ ...named, expected_version: 3 })
    const events = await world.service.sql(
      `select type, feed, data from events where subject->>'id' = $1 order by position`,
      [list_id],
    )
    const data = { column_id, column_name: 'B', value_type: 'text' }
    assert.deepEqual(events, [
      { type: 'list.created', feed: 'audit', data: {} },
      { type: 'list.column_updated', feed: 'audit', data: { ...data, changed: ['name'] } },
      { type: 'list.column_archived', feed: 'audit', data },
      { type: 'list.column_restored', feed: 'audit', data },
    ])
    assert.deepEqual((await member().listEvents({})).data, [])
  })
})
