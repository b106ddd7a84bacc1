import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jsonDifferences, textDifferences } from './shown-answer.ts'

describe('JSON that a document shows', () => {
  const same = (shown: string, answered: unknown) =>
    assert.deepEqual(jsonDifferences(shown, JSON.stringify(answered)), [])
  const differs = (shown: string, answered: unknown, ...lines: string[]) =>
    assert.deepEqual(jsonDifferences(shown, JSON.stringify(answered)), lines)

  it('is the whole answer, in whatever order and layout', () => {
    same('{\n  "b": [true, null],\n  "a": 1.5\n}', { a: 1.5, b: [true, null] })
    differs('{ "a": 1 }', { a: '1' }, 'a: shown 1, answered "1"')
    differs('{ "a": 1 }', { a: 1, b: {} }, 'b: answered {}, not shown')
    differs('{ "a": null }', {}, 'a: shown null, not answered')
    differs('[1, 2]', [1], 'the answer: shown 2 items, answered 1')
    differs('[]', {}, 'the answer: shown [], answered {}')
  })

  it('has … for any value, and within a text for some of it', () => {
    same('{ "a": …, "b": "biz_…", "c": "…" }', { a: { b: [] }, b: 'biz_1', c: 'two\nlines' })
    differs('{ "b": "biz_…" }', { b: 'rom_1' }, 'b: shown "biz_…", answered "rom_1"')
    differs('{ "b": "biz_…" }', { b: 'biz_' }, 'b: shown "biz_…", answered "biz_"')
    differs('{ "b": "…" }', { b: null }, 'b: shown "…", answered null')
    differs('{ "b": … }', {}, 'b: shown …, not answered')
    differs('{ "b": "a.c…" }', { b: 'abcd' }, 'b: shown "a.c…", answered "abcd"')
  })

  it('has … for further members', () => {
    same('{ "a": { … }, … }', { a: { b: 1 }, c: 2 })
    same('{ … }', {})
    differs('{ "a": { … } }', { a: [] }, 'a: shown {…}, answered []')
  })

  it('has … for further items', () => {
    same('[…]', [])
    same('[1, …]', [1])
    same('[…, 3]', [1, 2, 3])
    same('[1, …, 3, …, 4, …, 6]', [1, 2, 3, 4, 5, 6])
    same('{ "data": [{ "a": 1, … }, …] }', { data: [{ a: 1, b: 2 }, 7] })
    differs('[1, …, 3]', [1, 2], '[1]: shown 3, answered 2')
    differs('[1, …, 1]', [1], 'the answer: shown at least 2 items, answered 1')
    differs('[…, 3, 4, …]', [3, 5, 4], 'the answer: shown [3,4], answered no such items')
    differs('[…, 2, …, 2, …]', [1, 2, 3], 'the answer: shown [2], answered no such items')
    differs('{ "a": [{ "b": 1 }, …] }', { a: [{ b: 2 }] }, 'a[0].b: shown 1, answered 2')
  })

  it('may be several values in a row', () => {
    const two = '{ "a": 1 }\n\n{ "b": …, … }'
    assert.deepEqual(jsonDifferences(two, '{"a":1}{"b":2,"c":3}'), [])
    assert.deepEqual(jsonDifferences(two, '{"a":1}{"c":3}'), ['answer 2: b: shown …, not answered'])
    assert.deepEqual(jsonDifferences(two, '{"a":1}'), ['The document shows 2 answers, and there are 1.'])
  })

  it('may have brackets and … in its texts', () => {
    same('{ "a": "} ] … \\" {" }', { a: '} ] and " {' })
    differs('{ "a": "b" }', { a: '…' }, 'a: shown "b", answered "…"')
  })

  it('is no JSON, or the answer is none', () => {
    assert.deepEqual(jsonDifferences('{ "a": }', '{}'), [
      'What the document shows is not JSON, apart from “…”.',
    ])
    assert.deepEqual(jsonDifferences('{ … }', 'curl: no'), ['The answer is not JSON.'])
    assert.deepEqual(jsonDifferences('{ … }', ''), ['The document shows 1 answers, and there are 0.'])
  })
})

describe('text that a document shows', () => {
  it('is the whole answer, but for white space at the ends', () => {
    assert.deepEqual(textDifferences('a\n  b\n', 'a \r\n  b\n\n'), [])
    assert.deepEqual(textDifferences('a\nb', 'a\nc'), ['No line of the answer is as shown: b'])
    assert.deepEqual(textDifferences('a\nb', 'b\na'), [
      'The lines of the answer are not those shown, in their order.',
    ])
    assert.equal(textDifferences('a', 'a\nb').length, 1)
    assert.equal(textDifferences('a.c', 'abc').length, 1)
  })

  it('has … for some of a line, and for lines', () => {
    assert.deepEqual(textDifferences('…\n1 row in … s\n…', 'npm\n> wbs\n1 row in 0.1 s'), [])
    assert.equal(textDifferences('1 row in … s', '1 row in  s').length, 1)
    assert.equal(textDifferences('1 row in … s', '1 row in\n1 s').length, 1)
    assert.equal(textDifferences('a\n…\nb', 'a\nc').length, 1)
  })
})
