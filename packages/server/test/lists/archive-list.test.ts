import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../harness/refused.ts'
import { makeListWorld, type ListWorld } from './list-fixture.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const newList = () => world.list({ kind: 'all' }, [{ name: 'Notes', value_type: 'text' }])
const restrict = (list_id: string) =>
  world.service.sql(`update lists set lifecycle_status = 'restricted' where id = $1`, [list_id])

describe('POST /v1/lists/{list_id}/archive', () => {
  it('archives the List as a new version, and keeps everything in it', async () => {
    const before = await newList()
    const { data, action_receipt } = await member().archiveList({ list_id: before.id, expected_version: 1 })
    const at = action_receipt.occurred_at
    assert.deepEqual(data, {
      ...before,
      version: 2,
      lifecycle_status: 'archived',
      archived_at: at,
      updated_at: at,
    })
    assert.equal(action_receipt.operation, 'archive_list')
    assert.deepEqual(action_receipt.changed, ['lifecycle_status'])
    assert.deepEqual((await member().getList({ list_id: before.id })).data, data)
  })

  it('changes nothing, and makes no version, for an archived List with the right version', async () => {
    const { id: list_id } = await newList()
    const first = await member().archiveList({ list_id, expected_version: 1 })
    const { data, action_receipt } = await member().archiveList({ list_id, expected_version: 2 })
    assert.deepEqual([data, action_receipt.changed], [first.data, []])
    const { expected, current } = await refused(
      member().archiveList({ list_id, expected_version: 1 }),
      'revision_conflict',
    )
    assert.deepEqual([expected, current], [1, 2])
  })

  it('answers 409 for a stale version, and leaves the List active', async () => {
    const { id: list_id } = await newList()
    const conflict = await refused(
      member().archiveList({ list_id, expected_version: 2 }),
      'revision_conflict',
    )
    assert.deepEqual(
      [conflict.expected, conflict.current, conflict.changed_fields],
      [2, 1, ['lifecycle_status']],
    )
    assert.equal((await member().getList({ list_id })).data.lifecycle_status, 'active')
  })
})

describe('POST /v1/lists/{list_id}/restore', () => {
  it('makes the List active again', async () => {
    const before = await newList()
    const list_id = before.id
    await member().archiveList({ list_id, expected_version: 1 })
    const { data, action_receipt } = await member().restoreList({ list_id, expected_version: 2 })
    assert.deepEqual(data, { ...before, version: 3, updated_at: action_receipt.occurred_at })
    assert.equal(action_receipt.operation, 'restore_list')
    assert.deepEqual((await member().getList({ list_id })).data, data)
  })

  it('answers 409 for a List that is not archived, and for a stale version', async () => {
    const { id: list_id } = await newList()
    const { current_status } = await refused(
      member().restoreList({ list_id, expected_version: 1 }),
      'state_conflict',
    )
    assert.equal(current_status, 'active')
    await member().archiveList({ list_id, expected_version: 1 })
    const { current } = await refused(
      member().restoreList({ list_id, expected_version: 1 }),
      'revision_conflict',
    )
    assert.equal(current, 2)
  })
})

describe('a restricted List', () => {
  it('can be read, but neither archived nor restored', async () => {
    const { id: list_id } = await newList()
    await restrict(list_id)
    for (const change of [member().archiveList, member().restoreList]) {
      const { current_status } = await refused(change({ list_id, expected_version: 1 }), 'state_conflict')
      assert.equal(current_status, 'restricted')
    }
    const { data } = await member().getList({ list_id })
    assert.deepEqual([data.lifecycle_status, data.version, data.archived_at], ['restricted', 1, null])
  })
})
