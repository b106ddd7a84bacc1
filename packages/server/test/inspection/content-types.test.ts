import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  contradicts,
  exactTextFormat,
  isTextType,
  typeToServe,
  type FoundType,
} from '../../src/inspection/content-types.ts'
import { docxType, pptxType, xlsxType } from './documents.ts'

const bytesOf = (mime: string | null): FoundType => ({ mime, is_utf8: false, is_encrypted_office: false })
const text: FoundType = { mime: null, is_utf8: true, is_encrypted_office: false }
const asciiPdf: FoundType = { ...text, mime: 'application/pdf' }
const encrypted: FoundType = { mime: 'application/x-cfb', is_utf8: false, is_encrypted_office: true }
const [zip, cfb, pdf, png, nothing] = [
  bytesOf('application/zip'),
  bytesOf('application/x-cfb'),
  bytesOf('application/pdf'),
  bytesOf('image/png'),
  bytesOf(null),
]
const docx = bytesOf(docxType)
const xlsx = bytesOf(xlsxType)

const table: readonly [declared: string, accepted: readonly FoundType[], refused: readonly FoundType[]][] = [
  ['', [text, pdf, png, zip, nothing], []],
  ['application/octet-stream', [text, pdf, png, docx, nothing], []],
  ['application/pdf', [pdf, asciiPdf], [png, text, nothing, zip]],
  ['Application/PDF; version=1.7', [pdf], [png]],
  ['image/png', [png], [pdf, text, nothing, bytesOf('image/jpeg')]],
  ['image/jpeg', [bytesOf('image/jpeg')], [png]],
  [docxType, [docx, encrypted], [zip, xlsx, cfb, pdf, text, nothing]],
  [xlsxType, [xlsx, encrypted], [zip, docx, cfb]],
  [pptxType, [bytesOf(pptxType)], [zip, docx]],
  ['application/zip', [zip, docx, xlsx, bytesOf('application/epub+zip')], [pdf, text, cfb, nothing]],
  ['application/msword', [cfb], [docx, text, pdf, nothing]],
  ['application/vnd.ms-excel', [cfb], [xlsx, text]],
  ['text/plain', [text, asciiPdf], [zip, png, nothing]],
  ['text/csv; charset=utf-8', [text], [xlsx, nothing]],
  ['application/json', [text], [nothing, png]],
  ['text/html', [text, nothing, bytesOf('application/xml')], [png, zip, pdf, bytesOf('application/x-elf')]],
  ['image/svg+xml', [text, bytesOf('application/xml')], [png, pdf]],
  ['image/x-unknown', [png, nothing, text], [pdf, zip, bytesOf('video/mp4')]],
  ['audio/mp4', [bytesOf('video/mp4')], [png, pdf]],
  ['application/x-unknown', [png, pdf, zip, text, nothing], []],
]

describe('a declared type', () => {
  for (const [declared, accepted, refused] of table)
    it(`${declared || '(none)'} accepts what it may be`, () => {
      for (const found of accepted) assert.equal(contradicts(declared, found), false, JSON.stringify(found))
      for (const found of refused) assert.equal(contradicts(declared, found), true, JSON.stringify(found))
    })

  it('is served unless it says nothing', () => {
    assert.equal(typeToServe('text/csv; charset=utf-8', text), 'text/csv; charset=utf-8')
    assert.equal(typeToServe('application/zip', docx), 'application/zip')
    assert.equal(typeToServe('application/octet-stream', png), 'image/png')
    assert.equal(typeToServe('', text), 'text/plain')
    assert.equal(typeToServe('', nothing), 'application/octet-stream')
  })

  it('tells text from other content', () => {
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/javascript',
      'application/xml',
      'TEXT/CSV',
    ])
      assert.ok(isTextType(type), type)
    for (const type of ['application/pdf', 'image/png', docxType, 'application/x-text/plain'])
      assert.ok(!isTextType(type), type)
    assert.equal(exactTextFormat('Text/Markdown;charset=utf-8'), 'markdown')
    assert.equal(exactTextFormat('text/html'), null)
  })
})
