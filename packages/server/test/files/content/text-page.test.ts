import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { beginsCharacter, wholeCharacters } from '../../../src/files/content/text-page.ts'

/** Reads a text in pages, as a client does. */
function pagesOf(text: string, most: number): string[] {
  const bytes = Buffer.from(text)
  const pages: string[] = []
  for (let offset = 0; offset < bytes.length;) {
    const rest = bytes.subarray(offset, offset + most + 1)
    assert.ok(beginsCharacter(rest))
    const page = wholeCharacters(rest, most)
    assert.ok(page.length > 0 && page.length <= most)
    pages.push(page.toString())
    offset += page.length
  }
  return pages
}

describe('pages of text', () => {
  it('are the text again when put together, whatever it is and however long a page may be', () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })))
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 40 }), (parts, most) => {
        const whole = parts.join('').toWellFormed()
        assert.equal(pagesOf(whole, most).join(''), whole)
      }),
      { numRuns: 2000 },
    )
  })

  it('end before a character that does not fit', () => {
    assert.deepEqual(pagesOf('a😀b', 4), ['a', '😀', 'b'])
    assert.deepEqual(pagesOf('aé', 4), ['aé'])
  })
})
