import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { foldName, foldText, likePattern } from '../../src/businesses/fold.ts'

const text = fc.string({ unit: 'binary', maxLength: 60 })

test('spellings of a name that differ in case, width, ligatures or spacing fold to one', () => {
  const spellings = {
    'd & g plumbing, inc.': ['D & G PLUMBING, INC.', ' d  &  g\tplumbing, Inc. ', 'Ｄ ＆ Ｇ Plumbing, Inc.'],
    'grosse strasse': ['Große Straße', 'GROSSE STRASSE', 'GROẞE STRAẞE', 'großE ſtraße'],
    'first office': ['ﬁrst oﬃce', 'FIRST OFFICE', 'First\u00a0Office'],
    isparta: ['ISPARTA', 'Isparta', 'ısparta', 'İSPARTA', 'i\u0307sparta'],
    οδοσ: ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    starbucks: ['Star\u00adbucks', 'Star\u200bbucks', '\ufeffSTARBUCKS'],
    café: ['Cafe\u0301', 'CAFÉ'],
  }
  for (const [folded, written] of Object.entries(spellings))
    for (const spelling of written) assert.equal(foldName(spelling), folded, JSON.stringify(spelling))
})

test('different names stay different', () => {
  assert.notEqual(foldName('D & G'), foldName('D and G'))
  assert.notEqual(foldName('Café'), foldName('Cafe'))
  assert.notEqual(foldName("O'Neil"), foldName('ONeil'))
})

test('folding is idempotent', () => {
  fc.assert(
    fc.property(text, name => assert.equal(foldName(foldName(name)), foldName(name))),
    { numRuns: 2000 },
  )
})

test('no letter of Unicode is folded differently in upper and in lower case', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const letter = `a${String.fromCodePoint(code)}b`
    const folded = foldName(letter)
    if (
      foldName(letter.toUpperCase()) !== folded ||
      foldName(letter.toLowerCase()) !== folded ||
      foldName(folded) !== folded
    )
      assert.fail(
        `U+${code.toString(16)}: ${JSON.stringify([letter, folded, foldName(letter.toUpperCase()), foldName(letter.toLowerCase())])}`,
      )
  }
})

test('a folded text has single blanks inside and none at its ends', () => {
  fc.assert(
    fc.property(text, name => assert.equal(foldName(name), foldName(name).split(/\s+/).join(' ').trim())),
    { numRuns: 2000 },
  )
})

test('a folded text always fits into an entry of the search index', () => {
  for (const letter of ['ﷺ', '\u{1f3ed}', 'ΐ', 'x ', 'ß'])
    for (const count of [200, 500, 799, 800, 801, 10_000]) {
      const folded = foldName(letter.repeat(count))
      assert.ok(Buffer.byteLength(folded) <= 2400, `${letter} x ${count}`)
      assert.ok(folded.isWellFormed())
      assert.equal(foldName(folded), folded)
    }
})

test('a text is folded as a name is, but in its whole length', () => {
  fc.assert(fc.property(text, one => assert.equal(foldText(one), foldName(one))))
  assert.equal(foldText(` ${'Ｘ '.repeat(1000)}ß`), `${'x '.repeat(1000)}ss`)
})

test('a pattern matches its text, and nothing by wildcards in it', () => {
  assert.equal(likePattern('100% a_b \\ c'), '%100\\% a\\_b \\\\ c%')
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', 'b') }),
      fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', 'b') }),
      (whole, part) => {
        assert.equal(matchesLike(whole, likePattern(part)), whole.includes(part))
      },
    ),
    { numRuns: 5000 },
  )
})

/** LIKE of SQL as a regular expression. */
function matchesLike(value: string, pattern: string): boolean {
  const source = pattern.replace(
    /\\(.)|(%)|(_)|([^])/g,
    (_all, escaped?: string, many?: string, one?: string, other?: string) =>
      many ? '[^]*' : one ? '[^]' : (escaped ?? other ?? '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  )
  return new RegExp(`^${source}$`).test(value)
}
