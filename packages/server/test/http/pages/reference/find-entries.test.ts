import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '@wbs/contract/openapi'
import type { ApiDocument } from '../../../../src/http/pages/reference/document.ts'
import { findEntries } from '../../../../src/http/pages/reference/find-entries.ts'
import { searchIndex } from '../../../../src/http/pages/reference/search-index.ts'

const index = searchIndex(openApiDocument() as ApiDocument)
const titles = (query: string, most = 5) => findEntries(index, query, most).map(({ title }) => title)

describe('a search in the reference', () => {
  for (const [query, first] of [
    ['create room', 'Create room'],
    ['create_room', 'Create room'],
    ['CREATE ROOM', 'Create room'],
    ['rate_limited', 'rate_limited'],
    ['Room.general_access', 'Room.general_access'],
    ['409 revision', 'revision_conflict'],
    ['compatib', 'Compatibility'],
    ['/v1/me', 'Get me'],
  ] as const)
    it(`for ${query} finds ${first} first`, () => {
      assert.equal(titles(query)[0], first)
    })

  it('finds what has all words, whatever their order', () => {
    assert.deepEqual(titles('room create')[0], 'Create room')
    assert.deepEqual(titles('room xyzzy'), [])
  })

  it('looks for the first ten words, each once', () => {
    const ten = 'a e i o r t c m s n'
    assert.ok(titles(ten).length > 0)
    assert.deepEqual(titles(`${ten} xyzzy`), titles(ten))
    assert.deepEqual(titles('e '.repeat(100)), titles('e'))
    assert.deepEqual(titles('room '.repeat(40)), titles('room'))
  })

  it('makes what it compares once for many searches', () => {
    let made = 0
    const about = 'Anything'
    const entry = {
      kind: 'chapter' as const,
      path: 'docs',
      about,
      get title() {
        made++
        return 'Rooms'
      },
    }
    const texts = new WeakMap()
    for (const query of ['room', 'any', 'xyzzy'])
      assert.equal(findEntries([entry], query, 1, texts).length, query === 'xyzzy' ? 0 : 1)
    assert.equal(made, 1)
  })

  it('gives as many as were asked for', () => {
    assert.equal(titles('room', 7).length, 7)
  })

  it('finds nothing for nothing', () => {
    assert.deepEqual([titles(''), titles('  _ .')], [[], []])
  })
})
