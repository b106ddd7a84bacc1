import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusinesses } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { boolean, date, makeSheet, number, text, type Sheet } from './value-fixture.ts'

describe('setting several values at once', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => void (sheet = await makeSheet(world)))
  after(() => world.close())

  type Values = Parameters<ReturnType<ListWorld['as']>['setListEntryValues']>[0]['values']
  const setAll = (values: Values, expected_version: number) =>
    world.as(world.people.member).setListEntryValues({ list_id: sheet.list_id, values, expected_version })
  const written = async () => {
    const [row] = await world.service.sql(
      'select count(*)::integer as changes, count(distinct version)::integer as versions from list_value_changes where list_id = $1',
      [sheet.list_id],
    )
    return [row?.['changes'], row?.['versions']]
  }

  it('writes them in one version and answers with them in the given order', async () => {
    const other = await world.business()
    const { member_id, columns, list_id } = sheet
    const values = [
      { member_id, column_id: columns.date, value: date('2026-01-31') },
      { member_id: other, column_id: columns.text, value: text('Zoë') },
      { member_id, column_id: columns.text, value: text('Ann') },
      { member_id, column_id: columns.boolean, value: boolean(false) },
      { member_id: other, column_id: columns.number, value: number(0) },
    ]
    const { data, action_receipt } = await setAll(values, 1)
    const shown = values.map(one => ({ ...one, projection: 'public' }))
    assert.deepEqual(data, { list_id, version: 2, values: shown })
    assert.equal(action_receipt.operation, 'set_list_entry_values')
    assert.deepEqual(await sheet.values(), {
      [columns.date]: '2026-01-31',
      [columns.text]: 'Ann',
      [columns.boolean]: false,
    })
    assert.deepEqual(await written(), [5, 1])
  })

  it('writes only those that change, and no version if none does', async () => {
    const { member_id, columns } = sheet
    const of = (column_id: string, value: Values[number]['value']) => ({ member_id, column_id, value })
    await setAll([of(columns.text, text('Ann')), of(columns.number, number(1))], 1)
    const same = [of(columns.text, text('Ann')), of(columns.boolean, null)]
    const { data: unchanged, action_receipt } = await setAll(same, 2)
    assert.equal(unchanged.version, 2)
    assert.deepEqual(action_receipt.changed, [])
    assert.deepEqual(await written(), [2, 1])
    const { data } = await setAll(
      [...same, of(columns.number, null), of(columns.date, date('2026-01-31'))],
      2,
    )
    assert.equal(data.version, 3)
    assert.equal(data.values.length, 4)
    assert.deepEqual(await written(), [4, 2])
    assert.deepEqual(await sheet.values(), { [columns.text]: 'Ann', [columns.date]: '2026-01-31' })
    const [event] = await world.service.sql(
      `select data from events where type = 'list.values_set' and subject ->> 'id' = $1 order by position desc limit 1`,
      [sheet.list_id],
    )
    assert.deepEqual(event?.['data'], { count: 2, version: 3 })
  })

  it('reports each invalid value with its place and writes nothing', async () => {
    const { member_id, columns } = sheet
    const archived = await makeSheet(world)
    await world.service.sql('update list_columns set position = null, archived_at = now() where id = $1', [
      columns.boolean,
    ])
    const values = [
      { member_id, column_id: columns.text, value: text('Ann') },
      { member_id: newId('biz'), column_id: columns.text, value: text('Ann') },
      { member_id, column_id: randomUUID(), value: null },
      { member_id, column_id: archived.columns.number, value: number(1) },
      { member_id, column_id: columns.boolean, value: boolean(true) },
      { member_id, column_id: columns.number, value: text('1') },
      { member_id: newId('biz'), column_id: columns.number, value: date('2026-01-31') },
    ]
    const { errors } = await refused(setAll(values, 1), 'validation_error')
    assert.deepEqual(
      errors.map(({ in: place, pointer, code }) => [place, pointer, code]),
      [
        ['body', '/values/1/member_id', 'unknown'],
        ['body', '/values/2/column_id', 'unknown'],
        ['body', '/values/3/column_id', 'unknown'],
        ['body', '/values/4/column_id', 'conflict'],
        ['body', '/values/5/value/value_type', 'conflict'],
        ['body', '/values/6/member_id', 'unknown'],
        ['body', '/values/6/value/value_type', 'conflict'],
      ],
    )
    assert.equal(await sheet.version(), 1)
    assert.deepEqual(await written(), [0, 0])
  })

  it('reports values that are wrong in themselves, and cells that are named twice', async () => {
    const { member_id, columns } = sheet
    const values = [
      { member_id, column_id: columns.text, value: text('Ann') },
      { member_id, column_id: columns.number, value: { value_type: 'number', value: '1' } as const },
      { member_id, column_id: columns.text.toUpperCase(), value: null },
      { member_id, column_id: columns.date, value: date('2026-02-30') },
    ]
    const { errors } = await refused(setAll(values, 1), 'validation_error')
    assert.deepEqual(
      errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/values/1/value/value', 'type'],
        ['/values/3/value/value', 'format'],
        ['/values/2', 'conflict'],
      ],
    )
  })

  it('takes 500 of them, and no more', async () => {
    const ids = await addBusinesses(
      world.service,
      Array.from({ length: 250 }, (_, i) => ({ name: `Harbor ${i}` })),
    )
    const { columns } = sheet
    const values = ids.flatMap((member_id, i) => [
      { member_id, column_id: columns.number, value: number(i) },
      { member_id, column_id: columns.text, value: text(`Number ${i}`) },
    ])
    const { data } = await setAll(values, 1)
    assert.equal(data.version, 2)
    assert.equal(data.values.length, 500)
    assert.deepEqual(await written(), [500, 1])
    const one = { member_id: sheet.member_id, column_id: columns.number, value: null }
    await refused(setAll([...values, one], 2), 'validation_error')
    await refused(setAll([], 2), 'validation_error')
    const { data: cleared } = await setAll(
      values.map(cell => ({ ...cell, value: null })),
      2,
    )
    assert.equal(cleared.version, 3)
    assert.deepEqual(
      await world.service.sql('select from list_values where list_id = $1', [sheet.list_id]),
      [],
    )
  })
})
