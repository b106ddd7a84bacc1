import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../harness/refused.ts'
import { definitionOf, makeListWorld, where, type ListWorld } from './list-fixture.ts'
import { listRequest } from './list-request.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const ohio = where('state', 'eq', 'OH')
const naics = where('naics_code', 'naics', { code: '2382', vintage: '2022' })

describe('PATCH /v1/lists/{list_id}', () => {
  it('changes what is given as a new version, and keeps the rest', async () => {
    const before = await world.list(ohio, [{ name: 'Notes', value_type: 'text' }])
    const list_id = before.id
    const { data, action_receipt } = await member().updateList({
      list_id,
      expected_version: 1,
      name: 'Renamed',
      description: 'New',
    })
    assert.deepEqual(
      { ...data, updated_at: before.updated_at },
      { ...before, name: 'Renamed', description: 'New', version: 2 },
    )
    assert.equal(data.updated_at, action_receipt.occurred_at)
    assert.equal(action_receipt.operation, 'update_list')
    assert.deepEqual(action_receipt.changed, ['name', 'description'])
    assert.deepEqual((await member().getList({ list_id })).data, data)
    const cleared = await member().updateList({ list_id, expected_version: 2, description: null })
    assert.deepEqual([cleared.data.description, cleared.data.version], [null, 3])
  })

  it('replaces the whole definition', async () => {
    const { id: list_id } = await world.list({ kind: 'and', rules: [ohio, naics] })
    const ids = [
      await world.business({ locations: [{ state: 'OH', city: 'Toledo' }] }),
      await world.business({ locations: [{ state: 'MI', city: 'Flint' }] }),
    ]
    assert.deepEqual(await world.members(list_id), [])
    const definition = definitionOf(where('state', 'in', ['OH', 'MI']))
    const { data, action_receipt } = await member().updateList({ list_id, expected_version: 1, definition })
    assert.deepEqual(data.definition, definition)
    assert.deepEqual(action_receipt.changed, ['definition'])
    assert.deepEqual((await world.members(list_id)).sort(), ids.sort())
  })

  it('changes nothing, and makes no version, if nothing is different', async () => {
    const rule = { kind: 'or', rules: [ohio, naics] }
    const before = await world.list(rule)
    for (const changes of [
      { name: ` ${before.name}` },
      { description: null },
      { definition: definitionOf(rule) },
      { name: before.name, description: null, definition: definitionOf(rule) },
    ]) {
      const { data, action_receipt } = await member().updateList({
        list_id: before.id,
        expected_version: 1,
        ...changes,
      })
      assert.deepEqual([data, action_receipt.changed], [before, []])
    }
  })

  it('takes rules with other orders of keys, and without the defaults, as equal', async () => {
    const before = await world.list({ kind: 'or', rules: [ohio, { kind: 'not', rule: naics }] })
    const equal = `{"name":"Candidates","expected_version":1,"definition":{"rule":{"rules":[{"value":"OH","operator":"eq","field":"state","kind":"field"},{"rule":{"value":{"code":"2382"},"operator":"naics","field":"naics_code","kind":"field"},"kind":"not"}],"kind":"or"},"subject_type":"business","schema_version":"svc.list.v1"}}`
    const { status, headers, body } = await listRequest(world, 'PATCH', `/${before.id}`, { body: equal })
    assert.deepEqual([status, headers.get('etag'), body.data], [200, '"v1"', before])
    assert.deepEqual(body.action_receipt.changed, [])
    const reversed = await member().updateList({
      list_id: before.id,
      expected_version: 1,
      definition: definitionOf({ kind: 'or', rules: [{ kind: 'not', rule: naics }, ohio] }),
    })
    assert.equal(reversed.data.version, 2)
  })

  it('is one request with another order of keys in the rule: it is replayed', async () => {
    const { id } = await world.list({ kind: 'all' })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const bodyWith = (rule: string) =>
      `{"expected_version":1,"definition":{"schema_version":"svc.list.v1","subject_type":"business","rule":${rule}}}`
    const send = (rule: string) => listRequest(world, 'PATCH', `/${id}`, { body: bodyWith(rule), headers })
    const first = await send('{"kind":"not","rule":{"kind":"none"}}')
    const again = await send('{"rule":{"kind":"none"},"kind":"not"}')
    assert.deepEqual([first.status, again.status, again.body.idempotent_replay], [200, 200, true])
    assert.deepEqual(again.body.data, first.body.data)
    const { status, body } = await send('{"kind":"all"}')
    assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
  })

  it('answers 409 for a stale version, with the fields that would change', async () => {
    const { id: list_id } = await world.list(ohio)
    await member().updateList({ list_id, expected_version: 1, name: 'Renamed' })
    for (const [changes, fields] of [
      [{ name: 'Mine', definition: definitionOf(naics) }, ['name', 'definition']],
      [{ name: 'Renamed', description: 'Mine' }, ['description']],
      [{ name: 'Renamed' }, []],
    ] as const)
      for (const expected_version of [0, 1, 3]) {
        const conflict = await refused(
          member().updateList({ list_id, expected_version, ...changes }),
          'revision_conflict',
        )
        assert.deepEqual(
          [conflict.expected, conflict.current, conflict.changed_fields],
          [expected_version, 2, fields],
        )
      }
    assert.equal((await member().getList({ list_id })).data.version, 2)
  })

  it('lets one of several writers with the same version win', async () => {
    const { id: list_id } = await world.list(ohio)
    const names = ['One', 'Two', 'Three', 'Four', 'Five']
    const written = await Promise.allSettled(
      names.map(name => member().updateList({ list_id, expected_version: 1, name })),
    )
    const won = written.findIndex(one => one.status === 'fulfilled')
    assert.equal(written.filter(one => one.status === 'fulfilled').length, 1)
    const { data } = await member().getList({ list_id })
    assert.deepEqual([data.name, data.version], [names[won], 2])
  })

  it('answers 400 for nothing to change, and for wrong input', async () => {
    const { id: list_id } = await world.list(ohio)
    const wrong: [changes: object, pointer: string, code: string][] = [
      [{}, '', 'required'],
      [{ name: null }, '/name', 'type'],
      [{ name: '' }, '/name', 'too_short'],
      [{ description: '' }, '/description', 'too_short'],
      [{ definition: null }, '/definition', 'type'],
      [{ definition: { rule: ohio } }, '/definition/schema_version', 'required'],
      [
        { definition: { ...definitionOf(ohio), subject_type: 'room' } },
        '/definition/subject_type',
        'unknown',
      ],
      [{ definition: definitionOf({ kind: 'or', rules: [] }) }, '/definition/rule/rules', 'too_short'],
      [{ name: 'A', columns: [] }, '/columns', 'unknown'],
      [{ name: 'A', version: 2 }, '/version', 'unknown'],
    ]
    for (const [changes, pointer, code] of wrong) {
      const { errors } = await refused(
        member().updateList({ list_id, expected_version: 1, ...changes }),
        'validation_error',
      )
      assert.ok(
        errors.some(error => error.pointer === pointer && error.code === code),
        `${pointer} ${JSON.stringify(errors)}`,
      )
    }
    await refused(member().updateList({ list_id, name: 'A' } as never), 'validation_error')
  })

  it('edits an archived and a restricted List without restoring it', async () => {
    for (const status of ['archived', 'restricted'] as const) {
      const { id: list_id } = await world.list(ohio)
      await world.service.sql(
        `update lists set lifecycle_status = $2, archived_at = case when $2 = 'archived' then '2030-01-01'::timestamptz end
         where id = $1`,
        [list_id, status],
      )
      const archived_at = status === 'archived' ? '2030-01-01T00:00:00.000Z' : null
      const definition = definitionOf(naics)
      const { data } = await member().updateList({ list_id, expected_version: 1, name: 'New', definition })
      assert.deepEqual(
        [data.lifecycle_status, data.archived_at, data.version, data.name],
        [status, archived_at, 2, 'New'],
      )
      assert.deepEqual((await member().getList({ list_id })).data, data)
    }
  })
})
