import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { collectPages, inOneLine, splitText, storable } from '../../src/inspection/text-pages.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 300 })
const hostileText = fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units))

describe('the pages of a text', () => {
  it('are the text again, none too long, none ending inside of a character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 50 }), (text, length) => {
        const parts = splitText(text, length)
        assert.equal(parts.join(''), text)
        for (const part of parts) {
          assert.ok(part.length > 0 && part.length <= length)
          assert.ok(part.isWellFormed())
        }
      }),
    )
  })

  it('end after a line where they can', () => {
    assert.deepEqual(splitText('one\ntwo\nthree\n', 9), ['one\ntwo\n', 'three\n'])
    assert.deepEqual(splitText('a\nbbbbbbbbbbbb', 8), ['a\nbbbbbb', 'bbbbbb'])
  })

  it('stay within the limits, and say that text is missing', () => {
    fc.assert(
      fc.property(fc.array(hostileText), fc.integer({ min: 0, max: 100 }), (texts, text_bytes) => {
        const pages = collectPages({ text_bytes, pages: 5, page_characters: 20 })
        texts.every(pages.add)
        const all = pages.found.join('')
        assert.ok(Buffer.byteLength(all) <= text_bytes && pages.found.length <= 5)
        for (const page of pages.found)
          assert.ok(page.length <= 20 && page.isWellFormed() && !page.includes('\0'))
        assert.equal(pages.isCut(), all !== texts.map(storable).join('') || texts.length > pages.found.length)
      }),
    )
  })

  it('have a summary of one line that does not change its direction', () => {
    assert.equal(inOneLine('P&L\n\u202Efdp.\u2028x\0\uD800', 100), 'P&L fdp. x \uFFFD')
  })
})
