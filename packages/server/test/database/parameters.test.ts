import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { numberParameters, valuesInOrder } from '../../src/database/parameters.ts'

describe('the parameters of a statement', () => {
  it('are numbered in the order in which the text first names them', () => {
    assert.deepEqual(numberParameters('select :b, :a where :b = any (:list::text[])'), {
      text: 'select $1, $2 where $1 = any ($3::text[])',
      parameters: ['b', 'a', 'list'],
    })
  })

  it('are not looked for in strings, quoted names, comments and casts', () => {
    for (const text of [
      `select 'at 10:am, it''s :noon'`,
      `select "a:b" from "c""d:e"`,
      'select 1 -- of :nobody\n, 2',
      'select /* :a\n :b */ x::text',
      'select a[1:2]',
    ])
      assert.deepEqual(numberParameters(text), { text, parameters: [] })
  })

  it('get their values by name, and others are ignored', () => {
    const statement = { name: 'example', parameters: ['b', 'a'] }
    assert.deepEqual(valuesInOrder(statement, { a: 1, b: null, c: 3 }), [null, 1])
    assert.deepEqual(valuesInOrder(statement, { a: undefined, b: 2 }), [2, undefined])
  })

  it('must all have a value', () => {
    assert.throws(
      () => valuesInOrder({ name: 'example', parameters: ['room_id'] }, { roomId: 1 }),
      /The statement example needs a value for its parameter room_id\./,
    )
  })
})
