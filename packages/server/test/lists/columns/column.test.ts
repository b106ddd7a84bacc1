import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { ColumnRow } from '../../../src/lists/list-store.ts'
import {
  changedColumns,
  changedFields,
  isPlaced,
  withArchived,
  withLast,
  withReplaced,
  type PlacedColumn,
} from '../../../src/lists/columns/column.ts'

const now = new Date('2030-01-01T00:00:00.000Z')
const placed = (name: string, position: number): PlacedColumn => ({
  column_id: `id of ${name}`,
  name,
  value_type: 'text',
  position,
  archived_at: null,
})
const archived = (name: string): ColumnRow => ({
  ...placed(name, 0),
  position: null,
  archived_at: '2029-01-01T00:00:00.000Z',
})
const [a, b, c, d] = [placed('a', 0), placed('b', 1), placed('c', 2), placed('d', 3)]
const x = archived('x')
const columns = [a, b, c, d, x]

/** The names of columns, in their order, with their positions. */
const shown = (some: readonly ColumnRow[]) =>
  some.map(({ name, position }) => `${name} ${position}`).join(', ')

describe('a column that is moved', () => {
  it('takes its new position, and the columns between the two positions make room', () => {
    assert.equal(shown(withReplaced(columns, a, { position: 2 })), 'b 0, c 1, a 2, d 3, x null')
    assert.equal(shown(withReplaced(columns, d, { position: 1 })), 'a 0, d 1, b 2, c 3, x null')
  })

  it('becomes the last one if the position is after the last one', () => {
    for (const position of [3, 4, 99])
      assert.equal(shown(withReplaced(columns, b, { position })), 'a 0, c 1, d 2, b 3, x null')
  })

  it('leaves the others as they are if it keeps its position', () => {
    assert.deepEqual(changedColumns(columns, withReplaced(columns, b, { position: 1 })), [])
    const renamed = withReplaced(columns, b, { name: 'B' })
    assert.deepEqual(changedColumns(columns, renamed), [{ ...b, name: 'B' }])
    assert.deepEqual(changedFields(columns, renamed, b.column_id), ['name'])
  })

  it('has changed in its name, in its position, or in neither', () => {
    const fieldsOf = (changes: { name?: string; position?: number }) =>
      changedFields(columns, withReplaced(columns, d, changes), d.column_id)
    assert.deepEqual(fieldsOf({ name: 'D', position: 0 }), ['name', 'position'])
    assert.deepEqual(fieldsOf({ position: 0 }), ['position'])
    assert.deepEqual(fieldsOf({ name: 'd', position: 99 }), [])
  })
})

describe('a column that is archived', () => {
  it('has no position, and the columns after it move up', () => {
    const after = withArchived(columns, b, now)
    assert.equal(shown(after), 'a 0, c 1, d 2, x null, b null')
    assert.equal(after.at(-1)?.archived_at, now.toISOString())
    assert.deepEqual(
      changedColumns(columns, after).map(({ name }) => name),
      ['c', 'd', 'b'],
    )
  })
})

describe('a column that is restored or new', () => {
  it('is the last one', () => {
    const after = withLast(columns, x)
    assert.equal(shown(after), 'a 0, b 1, c 2, d 3, x 4')
    assert.deepEqual(changedColumns(columns, after), [{ ...x, position: 4, archived_at: null }])
    assert.equal(shown(withLast([], a)), 'a 0')
  })
})

describe('the columns of a List', () => {
  it('have the positions from 0 on without gaps after any changes, and none is lost', () => {
    const step = fc.record({
      act: fc.constantFrom('add', 'move', 'archive', 'restore'),
      which: fc.nat(20),
      position: fc.nat(99),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        let all: ColumnRow[] = []
        for (const [i, { act, which, position }] of steps.entries()) {
          const before = all
          const column = all[which % Math.max(all.length, 1)]
          if (act === 'add') all = withLast(all, placed(`new ${i}`, all.filter(isPlaced).length))
          else if (!column) continue
          else if (act === 'restore') all = isPlaced(column) ? all : withLast(all, column)
          else if (!isPlaced(column)) continue
          else all = act === 'move' ? withReplaced(all, column, { position }) : withArchived(all, column, now)
          const positions = all.filter(isPlaced).map(one => one.position)
          assert.deepEqual(positions, [...positions.keys()])
          assert.equal(all.length, before.length + (act === 'add' ? 1 : 0))
          assert.equal(new Set(all.map(one => one.column_id)).size, all.length)
          assert.ok(all.every(one => isPlaced(one) === (one.archived_at === null)))
        }
      }),
    )
  })
})
