import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { CreateListInput } from '@wbs/sdk'
import { refused } from '../harness/refused.ts'
import { enterRoom } from '../harness/rooms.ts'
import { makeListWorld, type ListWorld } from './list-fixture.ts'
import { listRequest } from './list-request.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const newList = () =>
  world.list({ kind: 'all' }, [
    { name: 'A', value_type: 'text' },
    { name: 'B', value_type: 'date' },
  ])

describe('GET /v1/lists/{list_id}', () => {
  it('shows archived columns only with include_archived, last and with archived_at', async () => {
    const { id: list_id, columns } = await newList()
    const [a, b] = columns
    const archived = await member().archiveListColumn({
      list_id,
      column_id: String(a?.column_id),
      expected_version: 1,
    })
    const hidden = (await member().getList({ list_id })).data
    assert.deepEqual(hidden.columns, [{ ...b, position: 0 }])
    assert.deepEqual((await member().getList({ list_id, include_archived: false })).data, hidden)
    const { data } = await member().getList({ list_id, include_archived: true })
    assert.deepEqual(data.columns, [
      { ...b, position: 0, archived_at: null },
      { ...a, position: null, archived_at: archived.action_receipt.occurred_at },
    ])
  })

  it('answers 304 to the ETag of the version, and 200 once the List has changed', async () => {
    const { id } = await newList()
    const known = { 'if-none-match': '"v1"' }
    const same = await listRequest(world, 'GET', `/${id}`, { headers: known })
    assert.deepEqual([same.status, same.headers.get('etag'), same.text], [304, '"v1"', ''])
    await member().updateList({ list_id: id, expected_version: 1, name: 'Renamed' })
    const changed = await listRequest(world, 'GET', `/${id}`, { headers: known })
    assert.deepEqual([changed.status, changed.headers.get('etag')], [200, '"v2"'])
    assert.equal(changed.body.data.version, 2)
  })

  it('answers 404 for a List that is not there, and for one of another Workspace', async () => {
    const { id: list_id } = await newList()
    const sam = world.service.person('Sam')
    const elsewhere = await world.service.workspace('Elsewhere', sam)
    const outside = world.service.client({ access_token: sam.token, workspace_id: elsewhere })
    const absent = await refused(outside.getList({ list_id: newId('list') }), 'not_found')
    const hidden = await refused(outside.getList({ list_id }), 'not_found')
    assert.equal(hidden.detail, absent.detail)
    const change = { list_id, expected_version: 1 }
    await refused(outside.updateList({ ...change, name: 'Mine' }), 'not_found')
    await refused(outside.archiveList(change), 'not_found')
    await refused(outside.restoreList(change), 'not_found')
    assert.deepEqual((await outside.listLists({})).data, [])
  })

  it('answers 403 to a key without lists:read, and to people who are not in the Workspace', async () => {
    const { id: list_id } = await newList()
    const reader = await world.withKey(['lists:read'])
    assert.equal((await reader.getList({ list_id })).data.id, list_id)
    const stranger = world.as(world.service.person('Otto'))
    for (const client of [await world.withKey(['rooms:read', 'lists:write']), stranger]) {
      await refused(client.getList({ list_id }), 'forbidden')
      await refused(client.listLists({}), 'forbidden')
    }
  })

  it('lets no key without lists:read change a List, since the answer would show it', async () => {
    const { id: list_id } = await newList()
    const blind = await world.withKey(['lists:write'])
    const absent = await refused(
      blind.updateList({ list_id: newId('list'), expected_version: 1, name: 'Mine' }),
      'not_found',
    )
    const change = { list_id, expected_version: 1 }
    for (const call of [
      () => blind.updateList({ ...change, name: 'Mine' }),
      () => blind.archiveList(change),
      () => blind.restoreList(change),
      () => blind.createListColumn({ ...change, name: 'A', value_type: 'text' }),
    ])
      assert.equal((await refused(call(), 'not_found')).detail, absent.detail)
    assert.equal((await member().getList({ list_id })).data.version, 1)
  })

  it('shows every member every List; the viewer may not change it', async () => {
    const { id: list_id } = await newList()
    const change = { list_id, expected_version: 1 }
    for (const person of Object.values(world.people))
      assert.equal((await world.as(person).getList({ list_id })).data.name, 'Candidates')
    const viewer = world.as(world.people.viewer)
    await refused(viewer.updateList({ ...change, name: 'Mine' }), 'forbidden')
    await refused(viewer.archiveList(change), 'forbidden')
    await refused(viewer.restoreList(change), 'forbidden')
    const { definition } = (await viewer.getList({ list_id })).data
    await refused(
      viewer.createList({ name: 'Mine', definition: definition as CreateListInput['definition'] }),
      'forbidden',
    )
    await world.as(world.people.admin).updateList({ ...change, name: 'Of the admin' })
  })

  it('answers 403 to a guest of a Room', async () => {
    const { id: list_id } = await newList()
    const guest = world.service.person('Gwen')
    await world.service.workspace("Gwen's own", guest)
    const { room } = await member().createRoom({ title: 'Sale' })
    await enterRoom(world.service, { ...world, room_id: room.room_id }, guest, 'full_access')
    const client = world.as(guest)
    assert.equal((await client.getRoom({ room_id: room.room_id })).room.title, 'Sale')
    await refused(client.getList({ list_id }), 'forbidden')
    await refused(client.listLists({}), 'forbidden')
    await refused(client.archiveList({ list_id, expected_version: 1 }), 'forbidden')
  })
})
