import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import type { ValueType } from '@wbs/contract/typed-values'
import { newId } from '@wbs/contract/ids'
import { CsvReader } from '../../../server/src/businesses/import/rows/csv.ts'
import type { ListEntry } from '@wbs/sdk'
import { entryLine, headerLine } from '../../src/lists/export/csv-rows.ts'
import { readLayout, type KnownColumn as Column } from '../../src/lists/import-values/layout.ts'
import { matchings } from '../../src/lists/import-values/matching.ts'
import type { Member } from '../../src/lists/import-values/members.ts'
import { planRow } from '../../src/lists/import-values/plan-row.ts'

/** Texts of which many look like formulas, or need quotes. */
const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' ', "'", '"', ',', '＝', '\ufeff'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  minLength: 1,
  maxLength: 12,
})

const days = fc
  .date({ min: new Date('1000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10))

const valuesOf: Record<ValueType, fc.Arbitrary<string | number | boolean>> = {
  text: texts,
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  date: days,
}

// Names that are the same, that are headers of their own, or that look like formulas or IDs.
const names = fc.oneof(
  fc.constantFrom('id', 'name', 'status', 'source', 'Stage', 'STAGE', 'reject_reason', "'=x", 'a,b'),
  texts.map(text => text.trim()).filter(text => text !== '' && !/\p{Cc}/u.test(text)),
)

const columns: fc.Arbitrary<Column[]> = fc
  .array(
    fc.record({
      name: names,
      value_type: fc.constantFrom('text', 'number', 'boolean', 'date'),
      column_id: fc.uuid(),
    }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map(all => all.map((one, position) => ({ ...one, position })) as Column[])

const cases = columns.chain(all =>
  fc.record({
    all: fc.constant(all),
    rows: fc.array(fc.tuple(...all.map(({ value_type }) => fc.option(valuesOf[value_type]))), {
      minLength: 1,
      maxLength: 5,
    }),
  }),
)

function entryOf(all: readonly Column[], cells: readonly (string | number | boolean | null)[]): ListEntry {
  const member_id = newId('biz')
  const values = all.flatMap(({ column_id, value_type }, at) => {
    const value = cells[at] ?? null
    return value === null ? [] : [{ column_id, value: { value_type, value } }]
  })
  const subject = { type: 'business', id: member_id, name: '=Acme' }
  return { member_id, subject, source: 'rule', projection: 'public', values }
}

it('imports an export without any change, and into an empty List all of it', () => {
  fc.assert(
    fc.property(cases, ({ all, rows }) => {
      const entries = rows.map(cells => entryOf(all, cells))
      const selection = { fields: ['status'] as const, columns: all }
      const lines = [headerLine(selection, all), ...entries.map(entry => entryLine(entry, selection))]
      const reader = new CsvReader()
      const [header, ...records] = [...reader.read(`${lines.join('\r\n')}\r\n`), ...reader.end()]
      const layout = readLayout(header?.fields ?? [], all, 'id', matchings.id, [])
      assert.equal(layout.values.length, all.length)
      for (const isFilled of [true, false]) {
        const members = new Map<string, Member[]>(
          entries.map(({ member_id: id, values }) => {
            const held = values.map(({ column_id, value }) => [column_id, value.value] as const)
            return [id, [{ id, values: new Map(isFilled ? held : []) }]]
          }),
        )
        const lineOf = new Map<string, number>()
        for (const [at, record] of records.entries()) {
          const planned = planRow(
            record,
            { layout, matching: matchings.id, members, clearEmpty: true },
            lineOf,
          )
          assert.ok(!('rejected' in planned), JSON.stringify(planned))
          const changes = planned.changes.map(({ column, value }) => [column.column_id, value])
          const expected = isFilled
            ? []
            : (entries[at]?.values ?? []).map(one => [one.column_id, one.value.value])
          // Equal, but -0 is 0.
          assert.equal(JSON.stringify(changes), JSON.stringify(expected))
        }
        assert.equal(records.length, entries.length)
      }
    }),
    { numRuns: 2000 },
  )
})
