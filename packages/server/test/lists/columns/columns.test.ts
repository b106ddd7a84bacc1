import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const all = { kind: 'all' }

/** A new List with text columns of these names, and the ids of its columns. */
async function listWith(...names: string[]) {
  const { id, columns } = await world.list(
    all,
    names.map(name => ({ name, value_type: 'text' })),
  )
  return { list_id: id, ids: columns.map(column => column.column_id) }
}

/** The columns as the List shows them, and its version. */
async function shownIn(list_id: string) {
  const { data } = await member().getList({ list_id })
  for (const [i, { position }] of data.columns.entries()) assert.equal(position, i)
  return { names: data.columns.map(column => column.name), version: data.version }
}

describe('POST /v1/lists/{list_id}/columns', () => {
  it('adds the column as the last one, with a receipt and the new version', async () => {
    const { list_id } = await listWith('A')
    const { data, action_receipt, idempotent_replay } = await member().createListColumn({
      list_id,
      name: ' Owner age ',
      value_type: 'number',
      expected_version: 1,
    })
    const { column_id, ...rest } = data
    assert.deepEqual(rest, { name: 'Owner age', value_type: 'number', position: 1, list_id, version: 2 })
    assert.equal(action_receipt.operation, 'create_list_column')
    assert.deepEqual(action_receipt.resource, { type: 'list_column', id: column_id })
    assert.equal(idempotent_replay, false)
    assert.deepEqual(await shownIn(list_id), { names: ['A', 'Owner age'], version: 2 })
  })

  it('answers 201 with the version as ETag', async () => {
    const { list_id } = await listWith()
    const answer = await world.service.request(`/v1/lists/${list_id}/columns`, {
      method: 'POST',
      token: world.people.member.token,
      headers: {
        'svc-workspace-id': world.workspace_id,
        'idempotency-key': crypto.randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'A', value_type: 'date', expected_version: 1 }),
    })
    assert.deepEqual([answer.status, answer.headers.get('etag'), answer.body.data.version], [201, '"v2"', 2])
  })

  it('takes every type of values, two columns with one name, and the version of each answer for the next', async () => {
    const { list_id } = await listWith()
    let expected_version = 1
    for (const value_type of ['text', 'number', 'boolean', 'date', 'date'] as const) {
      const { data } = await member().createListColumn({
        list_id,
        name: 'Same',
        value_type,
        expected_version,
      })
      assert.equal(data.version, expected_version + 1)
      expected_version = data.version
    }
    assert.deepEqual(await shownIn(list_id), { names: Array(5).fill('Same'), version: 6 })
  })

  it('answers 400 for wrong input, with a pointer to it', async () => {
    const { list_id } = await listWith()
    const valid = { list_id, name: 'A', value_type: 'text', expected_version: 1 }
    for (const [input, pointer, code] of [
      [{ name: '' }, '/name', 'too_short'],
      [{ name: ' ' }, '/name', 'too_short'],
      [{ name: 'a\nb' }, '/name', 'format'],
      [{ name: 'x'.repeat(201) }, '/name', 'too_long'],
      [{ name: null }, '/name', 'type'],
      [{ value_type: 'money' }, '/value_type', 'unknown'],
      [{ expected_version: undefined }, '/expected_version', 'required'],
      [{ expected_version: '1' }, '/expected_version', 'type'],
      [{ position: 0 }, '/position', 'unknown'],
    ] as const) {
      const { errors } = await refused(
        member().createListColumn({ ...valid, ...input } as never),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(error => [error.pointer, error.code]),
        [[pointer, code]],
      )
    }
    assert.equal((await shownIn(list_id)).version, 1)
  })

  it('answers 409 for a stale version, and says which it has now', async () => {
    const { list_id } = await listWith('A')
    for (const expected_version of [0, 2, 2 ** 31 - 1]) {
      const conflict = await refused(
        member().createListColumn({ list_id, name: 'B', value_type: 'text', expected_version }),
        'revision_conflict',
      )
      assert.deepEqual(
        [conflict.expected, conflict.current, conflict.changed_fields],
        [expected_version, 1, ['columns']],
      )
    }
    assert.deepEqual(await shownIn(list_id), { names: ['A'], version: 1 })
  })

  it('lets one of several writers with the same version win', async () => {
    const { list_id } = await listWith()
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) =>
        member().createListColumn({ list_id, name: `C${i}`, value_type: 'text', expected_version: 1 }),
      ),
    )
    assert.equal(made.filter(one => one.status === 'fulfilled').length, 1)
    const { names, version } = await shownIn(list_id)
    assert.deepEqual([names.length, version], [1, 2])
  })
})

describe('PATCH /v1/lists/{list_id}/columns/{column_id}', () => {
  it('renames a column and keeps its position', async () => {
    const { list_id, ids } = await listWith('A', 'B')
    const { data, action_receipt } = await member().updateListColumn({
      list_id,
      column_id: String(ids[0]),
      name: 'Z',
      expected_version: 1,
    })
    assert.deepEqual(data, {
      column_id: ids[0],
      name: 'Z',
      value_type: 'text',
      position: 0,
      list_id,
      version: 2,
    })
    assert.deepEqual(action_receipt.changed, ['name'])
    assert.deepEqual(await shownIn(list_id), { names: ['Z', 'B'], version: 2 })
  })

  it('moves a column, and the others make room', async () => {
    const { list_id, ids } = await listWith('A', 'B', 'C', 'D')
    const [first, , , last] = ids.map(String)
    const move = async (column_id: unknown, position: number, expected_version: number) =>
      (await member().updateListColumn({ list_id, column_id: String(column_id), position, expected_version }))
        .data.position
    assert.equal(await move(first, 2, 1), 2)
    assert.deepEqual((await shownIn(list_id)).names, ['B', 'C', 'A', 'D'])
    assert.equal(await move(last, 0, 2), 0)
    assert.deepEqual((await shownIn(list_id)).names, ['D', 'B', 'C', 'A'])
    assert.equal(await move(last, 99, 3), 3)
    assert.deepEqual(await shownIn(list_id), { names: ['B', 'C', 'A', 'D'], version: 4 })
  })

  it('changes nothing, and makes no version, if nothing is different', async () => {
    const { list_id, ids } = await listWith('A', 'B')
    for (const changes of [{ name: 'B' }, { position: 1 }, { position: 50 }, { name: ' B ', position: 1 }]) {
      const { data, action_receipt } = await member().updateListColumn({
        list_id,
        column_id: String(ids[1]),
        expected_version: 1,
        ...changes,
      })
      assert.deepEqual([data.name, data.position, data.version], ['B', 1, 1])
      assert.deepEqual(action_receipt.changed, [])
    }
    assert.equal((await shownIn(list_id)).version, 1)
  })

  it('answers 400 for nothing to change, a type, and a position that none can have', async () => {
    const { list_id, ids } = await listWith('A')
    for (const [input, pointer, code] of [
      [{}, '', 'required'],
      [{ value_type: 'number' }, '', 'required'],
      [{ position: -1 }, '/position', 'out_of_range'],
      [{ position: 100 }, '/position', 'out_of_range'],
      [{ position: 0.5 }, '/position', 'type'],
      [{ name: null }, '/name', 'type'],
      [{ name: 'x', position: null }, '/position', 'type'],
    ] as const) {
      const change = { list_id, column_id: String(ids[0]), expected_version: 1, ...input }
      const { errors } = await refused(member().updateListColumn(change as never), 'validation_error')
      assert.ok(
        errors.some(error => error.pointer === pointer && error.code === code),
        JSON.stringify(errors),
      )
    }
  })

  it('answers 409 for a stale version with the fields that would change', async () => {
    const { list_id, ids } = await listWith('A', 'B')
    const column_id = String(ids[0])
    await member().updateListColumn({ list_id, column_id, name: 'Z', expected_version: 1 })
    for (const [changes, fields] of [
      [{ name: 'Y', position: 1 }, ['name', 'position']],
      [{ name: 'Z', position: 1 }, ['position']],
      [{ name: 'Z' }, []],
    ] as const) {
      const conflict = await refused(
        member().updateListColumn({ list_id, column_id, expected_version: 1, ...changes }),
        'revision_conflict',
      )
      assert.deepEqual([conflict.expected, conflict.current, conflict.changed_fields], [1, 2, fields])
    }
  })

  it('answers 409 for an archived column, whatever the version', async () => {
    const { list_id, ids } = await listWith('A', 'B')
    const column_id = String(ids[0])
    await member().archiveListColumn({ list_id, column_id, expected_version: 1 })
    for (const expected_version of [1, 2]) {
      const { current_status } = await refused(
        member().updateListColumn({ list_id, column_id, name: 'Z', expected_version }),
        'state_conflict',
      )
      assert.equal(current_status, 'archived')
    }
  })
})
