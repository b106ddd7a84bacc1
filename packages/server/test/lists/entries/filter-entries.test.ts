import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { makeTypedList, type TypedList } from './entry-fixture.ts'

let world: ListWorld
let list: TypedList
before(async () => {
  world = await makeListWorld({ now: () => new Date('2026-03-31T12:00:00Z') })
  list = await makeTypedList(world)
  await list.member('A', { text: 'Straße', number: 61, boolean: true, date: '2026-03-30' })
  await list.member('B', { text: 'strasse 5', number: 60, boolean: false, date: '2026-03-24' })
  await list.member('C', { number: 59.5 })
  await list.member('D')
})
after(() => world.close())

const us = () => world.as(world.people.member)
const refusedWith = async (filter: string) => {
  const { errors, detail } = await refused(
    us().listListEntries({ list_id: list.list_id, filter }),
    'validation_error',
  )
  for (const one of errors) assert.deepEqual([one.in, one.pointer], ['query', '/filter'])
  assert.ok(errors.length > 0)
  return { errors, detail }
}

describe('GET /v1/lists/{list_id}/entries?filter=', () => {
  for (const [type, operator, value, expected] of [
    ['text', 'eq', 'STRASSE', ['A']],
    ['text', 'starts_with', 'strasse', ['A', 'B']],
    ['text', 'contains', 'SSE 5', ['B']],
    ['text', 'neq', 'straße', ['B']],
    ['text', 'not_in', ['x', 'strasse 5'], ['A']],
    ['text', 'in', ['straße', 'STRASSE 5'], ['A', 'B']],
    ['number', 'gt', 60, ['A']],
    ['number', 'gte', 60, ['A', 'B']],
    ['number', 'between', [59, 60], ['B', 'C']],
    ['number', 'neq', 60, ['A', 'C']],
    ['boolean', 'eq', false, ['B']],
    ['date', 'within_last', 'P1W', ['A', 'B']],
    ['date', 'within_last', 'P6D', ['A']],
    ['date', 'before', '2026-03-30', ['B']],
    ['text', 'is_set', undefined, ['A', 'B']],
    ['text', 'is_not_set', null, ['C', 'D']],
  ] as const)
    it(`returns the entries whose ${type} meets ${operator} ${JSON.stringify(value)}`, async () => {
      assert.deepEqual(await list.names({ filter: list.filter(type, operator, value) }), expected)
      // A shorter page continues after the last entry that it showed.
      assert.deepEqual(await list.names({ filter: list.filter(type, operator, value), limit: 1 }), expected)
    })

  it('requires all of and', async () => {
    const { columns } = list
    const and = [
      { column_id: columns.number, operator: 'gte', value: 59 },
      { column_id: columns.number, operator: 'lt', value: 61 },
      { column_id: columns.text.toUpperCase(), operator: 'is_not_set' },
    ]
    assert.deepEqual(await list.names({ filter: JSON.stringify({ and }) }), ['C'])
    assert.deepEqual(await list.names({ filter: JSON.stringify({ and: and.slice(0, 2) }) }), ['B', 'C'])
    const ten = Array.from({ length: 10 }, () => and[0])
    assert.deepEqual(await list.names({ filter: JSON.stringify({ and: ten }) }), ['A', 'B', 'C'])
  })

  it('does not show Businesses that have a value and are no members', async () => {
    const [stranger, excluded, draft] = [
      await world.business({ name: 'Stranger' }),
      await world.business({ name: 'Excluded' }),
      await world.linked({ name: 'Draft' }),
    ]
    const other = await makeTypedList(world, { kind: 'none' })
    await other.override(excluded, 'exclude')
    await other.override(draft, 'include')
    for (const id of [stranger, excluded, draft]) await other.values(id, { number: 1 })
    const filter = other.filter('number', 'eq', 1)
    assert.deepEqual(await other.names({ filter }), ['Draft'])
    // The values of the other List do not count.
    assert.deepEqual(await list.names({ filter: list.filter('number', 'eq', 1) }), [])
    const key = await world.withKey(['lists:read', 'list_members:read'])
    for (const sort of [undefined, 'name', other.columns.number])
      assert.deepEqual(await other.names({ filter, ...(sort && { sort }) }, key), [])
    await world
      .as(world.people.owner)
      .unlinkBusiness({ workspace_id: world.workspace_id, business_id: draft })
    assert.deepEqual(await other.names({ filter }), [])
  })

  it('combines with source', async () => {
    const ruled = await makeTypedList(world, { kind: 'field', field: 'state', operator: 'eq', value: 'WY' })
    const id = await world.business({ name: 'Of the rule', locations: [{ state: 'WY', city: 'Cody' }] })
    await ruled.values(id, { number: 2 })
    await ruled.member('Included', { number: 2 })
    const filter = ruled.filter('number', 'eq', 2)
    for (const sort of [{}, { sort: '-name' }]) {
      assert.deepEqual(await ruled.names({ filter, source: 'rule', ...sort }), ['Of the rule'])
      assert.deepEqual(await ruled.names({ filter, source: 'override', ...sort }), ['Included'])
    }
    const unset = ruled.filter('text', 'is_not_set')
    assert.deepEqual(await ruled.names({ filter: unset, source: 'rule' }), ['Of the rule'])
  })

  it('may change between pages', async () => {
    const first = await us().listListEntries({ list_id: list.list_id, limit: 1 })
    const filter = list.filter('number', 'lt', 60)
    const { data } = await us().listListEntries({
      list_id: list.list_id,
      filter,
      cursor: String(first.page.cursor),
    })
    assert.deepEqual(
      data.map(entry => entry.subject.name),
      ['C'],
    )
  })

  it('is refused with the place in it where it is not valid', async () => {
    const { text, number, boolean, date } = list.columns
    const leaf = { column_id: number, operator: 'eq', value: 1 }
    const cases: [unknown, string, string][] = [
      [[], '', 'type'],
      [null, '', 'type'],
      ['x', '', 'type'],
      [1, '', 'type'],
      [{}, 'column_id', 'required'],
      [{ ...leaf, column_id: 1 }, 'column_id', 'type'],
      [{ ...leaf, column_id: 'name' }, 'column_id', 'unknown'],
      [{ ...leaf, column_id: crypto.randomUUID() }, 'column_id', 'unknown'],
      [{ ...leaf, operator: undefined }, 'operator', 'required'],
      [{ ...leaf, operator: ['eq'] }, 'operator', 'type'],
      [{ ...leaf, operator: 'contains' }, 'operator', 'unknown'],
      [{ ...leaf, column_id: boolean, operator: 'neq' }, 'operator', 'unknown'],
      [{ ...leaf, operator: 'naics' }, 'operator', 'unknown'],
      [{ ...leaf, operator: '__proto__' }, 'operator', 'unknown'],
      [{ ...leaf, value: undefined }, 'value', 'required'],
      [{ ...leaf, value: null }, 'value', 'type'],
      [{ ...leaf, value: '1' }, 'value', 'type'],
      [{ ...leaf, value: true }, 'value', 'type'],
      [{ ...leaf, operator: 'between', value: 1 }, 'value', 'type'],
      [{ ...leaf, operator: 'between', value: [1] }, 'value', 'too_short'],
      [{ ...leaf, operator: 'between', value: [1, '2'] }, 'value/1', 'type'],
      [{ ...leaf, operator: 'between', value: ['2026-01-01', '2026-01-02'] }, 'value/0', 'type'],
      [{ ...leaf, operator: 'between', value: [2, 1] }, 'value', 'conflict'],
      [{ ...leaf, operator: 'is_set', value: 1 }, 'value', 'conflict'],
      [{ column_id: text, operator: 'eq', value: '' }, 'value', 'too_short'],
      [{ column_id: text, operator: 'eq', value: 'a\0b' }, 'value', 'format'],
      [{ column_id: text, operator: 'eq', value: '\ud800' }, 'value', 'format'],
      [{ column_id: text, operator: 'eq', value: 'x'.repeat(2049) }, 'value', 'too_long'],
      [{ column_id: text, operator: 'in', value: [] }, 'value', 'too_short'],
      [{ column_id: text, operator: 'in', value: ['a', 1] }, 'value/1', 'type'],
      [{ column_id: date, operator: 'eq', value: '2026-02-30' }, 'value', 'format'],
      [{ column_id: date, operator: 'eq', value: 1 }, 'value', 'type'],
      [{ column_id: date, operator: 'between', value: [1, 2] }, 'value/0', 'type'],
      [{ column_id: date, operator: 'within_last', value: 'P1X' }, 'value', 'format'],
      [{ column_id: date, operator: 'within_last', value: 'P9999Y' }, 'value', 'out_of_range'],
      [{ column_id: boolean, operator: 'eq', value: 'true' }, 'value', 'type'],
      [{ and: leaf }, 'and', 'type'],
      [{ and: [] }, 'and', 'too_short'],
      [{ and: Array.from({ length: 11 }, () => leaf) }, 'and', 'too_long'],
      [{ and: [leaf, { and: [leaf] }] }, 'and/1', 'unknown'],
      [{ and: [leaf, leaf, { ...leaf, value: 'x' }] }, 'and/2/value', 'type'],
      [{ and: [leaf, null] }, 'and/1', 'type'],
      [{ and: [leaf], or: [leaf] }, '', 'unknown'],
      [{ ...leaf, secret_key: 1 }, '', 'unknown'],
    ]
    for (const [filter, place, code] of cases) {
      const { errors } = await refusedWith(JSON.stringify(filter))
      const [first] = errors
      const told = `${JSON.stringify(filter)}: ${JSON.stringify(errors)}`
      assert.ok(first)
      assert.equal(first.code, code, told)
      assert.equal(/^At (\S*) in filter: /.exec(first.detail)?.[1] ?? '', place, told)
      assert.doesNotMatch(JSON.stringify(errors), /secret_key/)
    }
  })

  it('is refused whatever text it is', async () => {
    const { number } = list.columns
    const texts = ['x', '{', '{"and":[', '\u0001', '"\\ud800"', '['.repeat(4000), '{"and":'.repeat(1000)]
    texts.push(
      `{"column_id":"${number}","operator":"gt","value":1e999}`,
      '{"__proto__":1}',
      '{"and":{"length":1}}',
    )
    for (const text of texts) await refusedWith(text)
    const { detail } = await refusedWith('no JSON')
    assert.equal(detail, 'filter must be a JSON document.')
  })

  it('is refused with a number that a double would change', async () => {
    const { number } = list.columns
    for (const value of ['1e999', '9007199254740993', '1e-400']) {
      const { detail } = await refusedWith(`{"column_id":"${number}","operator":"gt","value":${value}}`)
      assert.match(detail, /^At value in filter: The number would change/)
    }
  })

  it('reports all its errors', async () => {
    const and = [{ column_id: list.columns.number, operator: 'eq', value: 'x' }, 1]
    assert.equal((await refusedWith(JSON.stringify({ and }))).errors.length, 2)
  })

  it('must not name a column that is archived or of another List', async () => {
    const other = await makeTypedList(world)
    await refusedWith(other.filter('number', 'is_set'))
    const filter = other.filter('number', 'is_not_set')
    await world.service.sql('update list_columns set position = null, archived_at = now() where id = $1', [
      other.columns.number,
    ])
    const { errors } = await refused(
      us().listListEntries({ list_id: other.list_id, filter, sort: other.columns.number }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/filter', 'unknown'],
        ['/sort', 'unknown'],
      ],
    )
  })
})
