import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageOf, shownOf } from '../../src/call/page.ts'

describe('a page of rows, of which one more was read than it holds', () => {
  const page = (rows: string[]) => pageOf(rows, 2, row => row)

  it('says that there is more only if there is, and then ends with a cursor', () => {
    assert.deepEqual(page(['a', 'b', 'c']), { data: ['a', 'b'], page: { cursor: 'b', has_more: true } })
    assert.deepEqual(page(['a', 'b']), { data: ['a', 'b'], page: { cursor: null, has_more: false } })
    assert.deepEqual(page([]), { data: [], page: { cursor: null, has_more: false } })
  })
})

describe('a page that ends early, so that it is not too large', () => {
  const shown = (count: number, found: number) =>
    shownOf(
      Array.from({ length: count }, () => ({ found })),
      2,
    )

  it('says that there is more if rows were left out, or more were found than it holds', () => {
    assert.deepEqual(shown(2, 2), { count: 2, has_more: false })
    assert.deepEqual(shown(3, 3), { count: 2, has_more: true })
    assert.deepEqual(shown(1, 2), { count: 1, has_more: true })
    assert.deepEqual(shown(0, 0), { count: 0, has_more: false })
  })
})
