import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { boolean, date, makeSheet, number, text, type GivenValue, type Sheet } from './value-fixture.ts'

describe('setting one value of a member', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => void (sheet = await makeSheet(world)))
  after(() => world.close())

  it('shows the value with its type, the new version and the projection', async () => {
    const { list_id, member_id, columns } = sheet
    const { data, action_receipt } = await sheet.set('number', number(61), 1)
    const column_id = columns.number
    const value = { value_type: 'number', value: 61 }
    assert.deepEqual(data, { member_id, column_id, value, projection: 'public', list_id, version: 2 })
    assert.equal(action_receipt.operation, 'set_list_entry_value')
    assert.deepEqual(action_receipt.resource, { type: 'list', id: list_id })
    assert.deepEqual(action_receipt.changed, ['values'])
    assert.equal(await sheet.version(), 2)
    assert.deepEqual(await sheet.values(), { [column_id]: 61 })
  })

  it('keeps a value of each type as it was given', async () => {
    const longest = '𝒳'.repeat(10_000)
    const given = [
      ['text', text(longest)],
      ['text', text(' two  lines\n\tand ﬁ, ß, \u202e! ')],
      ['number', number(-1.5e-7)],
      ['number', number(5e-324)],
      ['number', number(Number.MAX_VALUE)],
      ['number', number(2 ** 53 + 2)],
      ['boolean', boolean(false)],
      ['boolean', boolean(true)],
      ['date', date('2024-02-29')],
    ] as const
    let version = 1
    for (const [column, value] of given) {
      const { data } = await sheet.set(column, value, version++)
      assert.deepEqual(data.value, value)
      assert.equal((await sheet.values())[sheet.columns[column]], value.value)
      assert.deepEqual((await sheet.history(column))[0]?.value, value)
    }
  })

  it('stores negative zero as zero, and refuses numbers that a double would change', async () => {
    const { list_id, member_id, columns } = sheet
    const path = `/v1/lists/${list_id}/entries/${member_id}/values/${columns.number}`
    const put = (value: string, expected_version: number) =>
      world.service.request(path, {
        method: 'PUT',
        headers: {
          'svc-workspace-id': world.workspace_id,
          'idempotency-key': randomUUID(),
          'content-type': 'application/json',
        },
        token: world.people.member.token,
        body: `{"value": {"value_type": "number", "value": ${value}}, "expected_version": ${expected_version}}`,
      })
    const { body } = await put('-0', 1)
    assert.equal(JSON.stringify(body.data.value.value), '0')
    assert.equal((await put('0', 2)).body.data.version, 2)
    const stored = await world.service.sql('select number_value::text from list_values where list_id = $1', [
      list_id,
    ])
    assert.deepEqual(stored, [{ number_value: '0' }])
    // JSON.parse would make them Infinity, 9007199254740992 and 0.
    for (const number of ['1e999', '9007199254740993', '1e-400']) {
      const { status, body } = await put(number, 2)
      assert.equal(status, 400)
      assert.deepEqual([body.errors[0].pointer, body.errors[0].code], ['/value/value', 'out_of_range'])
    }
  })

  it('clears it with null, and setting it again brings it back', async () => {
    await sheet.set('text', text('Ann'), 1)
    const { data } = await sheet.set('text', null, 2)
    assert.equal(data.value, null)
    assert.deepEqual(await sheet.values(), {})
    await sheet.set('text', text('Ann'), 3)
    assert.deepEqual(await sheet.values(), { [sheet.columns.text]: 'Ann' })
    const written = (await sheet.history('text')).map(change => [change.version, change.value?.value ?? null])
    assert.deepEqual(written, [
      [4, 'Ann'],
      [3, null],
      [2, 'Ann'],
    ])
  })

  it('changes nothing if the value is there already, or was empty and is cleared', async () => {
    const events = () =>
      world.service.sql(`select from events where subject ->> 'id' = $1 and type = 'list.value_set'`, [
        sheet.list_id,
      ])
    const { data: cleared, action_receipt } = await sheet.set('date', null, 1)
    assert.equal(cleared.version, 1)
    assert.deepEqual(action_receipt.changed, [])
    await sheet.set('date', date('2026-01-31'), 1)
    for (const version of [2, 2]) {
      const { data } = await sheet.set('date', date('2026-01-31'), version)
      assert.equal(data.version, 2)
      assert.deepEqual(data.value, date('2026-01-31'))
    }
    assert.equal((await sheet.history('date')).length, 1)
    assert.equal((await events()).length, 1)
    assert.equal(await sheet.version(), 2)
  })

  const invalid: [string, 'text' | 'number' | 'boolean' | 'date', unknown, string][] = [
    ['a value_type without a value', 'number', { value_type: 'number', value: null }, '/value/value'],
    ['a number as text', 'number', { value_type: 'number', value: '61' }, '/value/value'],
    ['a text as number', 'text', { value_type: 'text', value: 61 }, '/value/value'],
    ['a boolean as text', 'boolean', { value_type: 'boolean', value: 'true' }, '/value/value'],
    ['an object', 'text', { value_type: 'text', value: {} }, '/value/value'],
    ['an empty text', 'text', text(''), '/value/value'],
    ['a text that is too long', 'text', text('x'.repeat(10_001)), '/value/value'],
    ['U+0000', 'text', text('a\u0000'), '/value/value'],
    ['an unpaired surrogate', 'text', text('\ud83d'), '/value/value'],
    ['a day that does not exist', 'date', date('2023-02-29'), '/value/value'],
    ['a moment for a day', 'date', date('2023-02-28T00:00:00Z'), '/value/value'],
    ['a day before the year 1000', 'date', date('0001-01-01'), '/value/value'],
    ['a type that there is not', 'text', { value_type: 'money', value: 1 }, '/value/value_type'],
    ['a value of another type than the column', 'text', number(1), '/value/value_type'],
    ['a day for a text', 'text', date('2026-01-31'), '/value/value_type'],
    ['a text for a day', 'date', text('2026-01-31'), '/value/value_type'],
  ]
  for (const [title, column, value, pointer] of invalid)
    it(`refuses ${title}`, async () => {
      const { errors } = await refused(sheet.set(column, value as GivenValue, 1), 'validation_error')
      assert.deepEqual(
        errors.map(error => error.pointer),
        [pointer],
      )
      assert.equal(await sheet.version(), 1)
    })

  const absent: [string, string][] = [
    ['an unknown column', randomUUID()],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ]
  for (const [title, column_id] of absent)
    it(`finds no column for ${title}`, async () => {
      const us = world.as(world.people.member)
      const { list_id, member_id } = sheet
      const cell = { list_id, member_id, column_id }
      await refused(us.setListEntryValue({ ...cell, value: number(1), expected_version: 1 }), 'not_found')
      await refused(us.listListEntryValueHistory(cell), 'not_found')
    })

  it('finds no column of another List', async () => {
    const other = await makeSheet(world)
    const us = world.as(world.people.member)
    const { list_id, member_id } = sheet
    const cell = { list_id, member_id, column_id: other.columns.number }
    await refused(us.setListEntryValue({ ...cell, value: number(1), expected_version: 1 }), 'not_found')
    await refused(us.listListEntryValueHistory(cell), 'not_found')
  })

  it('takes the ID of a column in capital letters', async () => {
    const us = world.as(world.people.member)
    const { list_id, member_id, columns } = sheet
    const column_id = columns.number.toUpperCase()
    const cell = { member_id, column_id, value: number(1) }
    const { data } = await us.setListEntryValue({ list_id, ...cell, expected_version: 1 })
    assert.equal(data.column_id, columns.number)
    const { data: again } = await us.setListEntryValues({ list_id, values: [cell], expected_version: 2 })
    assert.equal(again.version, 2)
  })

  it('answers the same for Businesses that are absent, hidden and visible, but no members', async () => {
    const us = world.as(world.people.member)
    const hidden = await world.business({ publication_status: 'draft' })
    const excluded = await world.business()
    await world.service.sql(
      `insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at) values ($1, $2, $3, 'exclude', $4, now())`,
      [world.workspace_id, sheet.list_id, excluded, world.people.member.user_id],
    )
    const { list_id, columns } = sheet
    const answers = await Promise.all(
      [newId('biz'), hidden, excluded].map(async member_id => {
        const cell = { member_id, column_id: columns.number }
        const given = { ...cell, value: number(1) }
        const set = us.setListEntryValue({ list_id, ...given, expected_version: 1 })
        const one = await refused(set, 'not_found')
        const read = await refused(us.listListEntryValueHistory({ list_id, ...cell }), 'not_found')
        const bulk = us.setListEntryValues({ list_id, values: [given], expected_version: 1 })
        const { errors } = await refused(bulk, 'validation_error')
        return [one.detail, read.detail, errors]
      }),
    )
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
    assert.equal(await sheet.version(), 1)
  })
})
