import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../harness/refused.ts'
import { definitionOf, makeListWorld, type ListWorld } from './list-fixture.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const definition = definitionOf({ kind: 'all' })
const options = () => ({ idempotency_key: crypto.randomUUID() })

describe('a repeated request', () => {
  it('answers as the first one did, whatever happened to the List since', async () => {
    const key = options()
    const input = { name: 'First', definition, columns: [{ name: 'A', value_type: 'text' as const }] }
    const first = await member().createList(input, key)
    const list_id = first.data.id
    const archived = options()
    await member().updateList({ list_id, expected_version: 1, name: 'Second' })
    const archive = { list_id, expected_version: 2 }
    const second = await member().archiveList(archive, archived)
    await member().restoreList({ list_id, expected_version: 3 })
    const again = await member().createList(input, key)
    assert.deepEqual([again.idempotent_replay, again.data], [true, first.data])
    assert.deepEqual(again.action_receipt, first.action_receipt)
    const archivedAgain = await member().archiveList(archive, archived)
    assert.deepEqual([archivedAgain.idempotent_replay, archivedAgain.data], [true, second.data])
    const { data } = await member().getList({ list_id })
    assert.deepEqual([data.version, data.lifecycle_status, data.name], [4, 'active', 'Second'])
  })

  it('adds a column once', async () => {
    const { id: list_id } = await world.list({ kind: 'all' })
    const input = { list_id, name: 'A', value_type: 'text', expected_version: 1 } as const
    const key = options()
    const first = await member().createListColumn(input, key)
    await member().archiveListColumn({ list_id, column_id: first.data.column_id, expected_version: 2 })
    const again = await member().createListColumn(input, key)
    assert.deepEqual([again.idempotent_replay, again.data], [true, first.data])
    const { columns } = (await member().getList({ list_id, include_archived: true })).data
    assert.equal(columns.length, 1)
  })

  it('is refused once the caller has lost lists:read, and answered when they have it again', async () => {
    const { service, workspace_id, people } = world
    const { key_id, secret } = await service.apiKey(workspace_id, people.owner, ['lists:read', 'lists:write'])
    const client = service.client({ api_key: secret, workspace_id })
    const [made, renamed, added] = [options(), options(), options()]
    const create = () => client.createList({ name: 'Mine', definition }, made)
    const list_id = (await create()).data.id
    const rename = () => client.updateList({ list_id, expected_version: 1, name: 'Renamed' }, renamed)
    const add = () =>
      client.createListColumn({ list_id, name: 'A', value_type: 'text', expected_version: 2 }, added)
    await rename()
    await add()
    const give = (scopes: string[]) =>
      service.sql('update api_keys set scopes = $2 where id = $1', [key_id, scopes])
    await give(['lists:write'])
    for (const again of [create, rename, add]) await refused(again(), 'not_found')
    await give(['lists:read'])
    for (const again of [create, rename, add]) await refused(again(), 'forbidden')
    await give(['lists:read', 'lists:write'])
    for (const again of [create, rename, add]) assert.equal((await again()).idempotent_replay, true)
    assert.equal((await client.getList({ list_id })).data.version, 3)
  })
})

describe('the events of a List', () => {
  it('are in the audit log, one for each change, with the name of the List', async () => {
    const { id: list_id } = (await member().createList({ name: 'First', definition })).data
    await member().updateList({ list_id, expected_version: 1, name: 'Second', description: 'New' })
    await member().updateList({ list_id, expected_version: 2, name: 'Second' })
    await member().archiveList({ list_id, expected_version: 2 })
    await member().archiveList({ list_id, expected_version: 3 })
    await member().restoreList({ list_id, expected_version: 3 })
    await refused(member().restoreList({ list_id, expected_version: 4 }), 'state_conflict')
    const events = await world.service.sql(
      `select type, feed, subject, room_id, data, actor->>'user_id' as by from events
       where subject->>'id' = $1 order by position`,
      [list_id],
    )
    const event = (type: string, name: string, data: object = {}) => ({
      type,
      feed: 'audit',
      subject: { type: 'list', id: list_id, name },
      room_id: null,
      data,
      by: world.people.member.user_id,
    })
    assert.deepEqual(events, [
      event('list.created', 'First'),
      event('list.updated', 'Second', { changed: ['name', 'description'] }),
      event('list.archived', 'Second'),
      event('list.restored', 'Second'),
    ])
  })

  it('do not appear in GET /v1/events, where their types are unknown', async () => {
    const { id: list_id } = await world.list({ kind: 'all' })
    await member().updateList({ list_id, expected_version: 1, name: 'New' })
    await member().createRoom({ title: 'Sale' })
    const { data } = await member().listEvents({})
    assert.deepEqual(
      data.map(event => event.type),
      ['room.created'],
    )
    await refused(member().listEvents({ types: ['list.created' as 'room.*'] }), 'validation_error')
  })
})
