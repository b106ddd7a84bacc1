import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  cfbOf,
  docxOf,
  docxParts,
  docxType,
  pdfOf,
  png,
  pptxType,
  protectedPdf,
  xlsxOf,
  xlsxType,
} from './documents.ts'
import { inspect } from './inspecting.ts'
import { zipOf } from './zip.ts'

const noText = { status: 'none', pages: [] }
const failedText = { status: 'failed', pages: [] }

describe('the text of a content', () => {
  it('is found in a PDF, page by page', async () => {
    assert.deepEqual(await inspect('application/pdf', pdfOf(['First page', 'Second page'])), {
      error: null,
      content_type: 'application/pdf',
      is_text: false,
      text: { status: 'ready', pages: ['First page', 'Second page'] },
      summary: 'PDF, 2 pages',
    })
  })

  it('is found in a DOCX, in parts', async () => {
    const { error, text, summary } = await inspect(docxType, docxOf('Letter of intent', 'EBITDA &amp; debt'))
    assert.deepEqual(
      { error, text, summary },
      {
        error: null,
        text: { status: 'ready', pages: ['Letter of intent\n\nEBITDA & debt'] },
        summary: 'Document',
      },
    )
    const long = await inspect(docxType, docxOf(...Array.from({ length: 6000 }, (_, at) => `Line ${at}`)))
    assert.ok(long.text.pages.length > 2 && long.text.pages.every(page => page.length <= 20_000))
    assert.match(long.text.pages.at(-1) ?? '', /Line 5999$/)
  })

  it('is found in every sheet of a workbook', async () => {
    const sheets = {
      'P&amp;L': [
        ['Revenue', 1200.5],
        ['Cost\tof\nsales', 700],
      ],
      Balance: [],
      Cash: [['', 'x']],
    }
    const { text, summary } = await inspect(xlsxType, xlsxOf(sheets))
    assert.deepEqual(text, { status: 'ready', pages: ['Revenue\t1200.5\nCost of sales\t700', '', '\tx'] })
    assert.equal(summary, 'Workbook, 3 sheets: P&L, Balance, Cash')
  })

  it('is the content itself if that is text, byte for byte', async () => {
    const hostile = '\uFEFFNaïve “quotes” 😀 \u202Ertl\u0001\r\nsecond\r'
    for (const type of [
      'text/plain',
      'text/markdown',
      'text/csv',
      'text/tab-separated-values',
      'text/html',
      '',
    ]) {
      const { error, is_text, text } = await inspect(type, hostile)
      assert.deepEqual(
        { error, is_text, text },
        { error: null, is_text: true, text: { status: 'ready', pages: [hostile] } },
      )
    }
    const large = 'Zeile mit Ümlaut und 😀\n'.repeat(100_000)
    const { text, summary } = await inspect('text/plain', large) // Above what is read without a child.
    assert.equal(text.pages.join(''), large)
    assert.equal(summary, 'Text, 100,000 lines')
  })

  it('is summarized', async () => {
    assert.equal((await inspect('text/csv', 'a,b\n1,"x\ny"\n')).summary, 'CSV, 2 rows, 2 columns')
    assert.equal((await inspect('text/csv', 'a;b;c\n1;2;3')).summary, 'CSV, 2 rows, 3 columns')
    assert.equal((await inspect('text/csv', 'a,"b')).summary, 'CSV')
    assert.equal((await inspect('text/markdown', '# One')).summary, 'Markdown, 1 line')
    assert.equal((await inspect('application/json', '{"a": 1}')).summary, 'JSON')
    assert.equal(
      (await inspect('application/zip', zipOf([{ name: 'a', content: 'b' }]))).summary,
      'ZIP archive, 1 file',
    )
  })

  it('contains only what PostgreSQL can store', async () => {
    const lone = await inspect(docxType, docxOf('x &#xD800; y &#0; z &#x202E;'))
    assert.equal(lone.error, null)
    for (const page of lone.text.pages) assert.ok(page.isWellFormed() && !page.includes('\0'), page)
    const sheet = await inspect(xlsxType, xlsxOf({ 'a&#xDFFF;': [['&#xD800;&#0;']] }))
    for (const page of [...sheet.text.pages, sheet.summary ?? ''])
      assert.ok(page.isWellFormed() && !page.includes('\0'))
    const pdf = await inspect('application/pdf', pdfOf(['a\\000b\\377']))
    for (const page of pdf.text.pages) assert.ok(page.isWellFormed() && !page.includes('\0'), page)
  })
})

describe('a content that must not be used', () => {
  it('is of another type than the declared one', async () => {
    const mismatches: [string, Buffer | string][] = [
      ['application/pdf', png],
      ['image/png', pdfOf(['x'])],
      ['text/plain', zipOf([{ name: 'a', content: 'b' }])],
      ['text/plain', Buffer.from('caf\xe9', 'latin1')],
      ['text/plain', 'with \0 inside'],
      ['text/csv', Buffer.from([0x61, 0xf0, 0x9f])], // It ends inside of a character.
      ['application/json', '{"a": }'],
      [docxType, zipOf([{ name: 'a', content: 'b' }])],
      [docxType, xlsxOf({ a: [] })],
      [xlsxType, cfbOf('Workbook')],
      [pptxType, docxOf('x')],
      ['application/zip', pdfOf(['x'])],
      ['application/msword', docxOf('x')],
    ]
    for (const [type, bytes] of mismatches) {
      const { error, text } = await inspect(type, bytes)
      assert.deepEqual({ error, text }, { error: 'type_mismatch', text: noText }, type)
    }
  })

  it('is broken', async () => {
    const docx = docxOf('x'.repeat(5000))
    const broken: [string, Buffer | string][] = [
      ['application/pdf', '%PDF-1.7\nand then garbage'],
      ['application/pdf', pdfOf(['x']).subarray(0, 60)],
      [docxType, docx.subarray(0, -40)],
      [docxType, Buffer.concat([docx.subarray(0, 400), Buffer.alloc(2000, 'x')])],
      [docxType, zipOf(docxParts(['x']).with(2, { name: 'word/document.xml', content: '<w:document' }))],
      [xlsxType, xlsxOf({ a: [['x']] }).subarray(0, -40)],
    ]
    for (const [at, [type, bytes]] of broken.entries())
      assert.equal((await inspect(type, bytes)).error, 'unreadable', `${at} ${type}`)
  })
})

describe('a content that is used as it is', () => {
  it('is protected by a password', async () => {
    const pdf = await inspect('application/pdf', protectedPdf())
    assert.deepEqual([pdf.error, pdf.text, pdf.summary], [null, failedText, 'PDF, protected by a password'])
    const workbook = await inspect(xlsxType, cfbOf('EncryptedPackage'))
    assert.deepEqual(
      [workbook.error, workbook.text, workbook.summary],
      [null, failedText, 'Office document, protected by a password'],
    )
  })

  it('has no text', async () => {
    const image = await inspect('application/octet-stream', png)
    assert.deepEqual(image, {
      error: null,
      content_type: 'image/png',
      is_text: false,
      text: noText,
      summary: 'PNG image',
    })
    const unknown = await inspect('application/x-own', Buffer.from([1, 2, 0, 255]))
    assert.deepEqual([unknown.error, unknown.content_type, unknown.text], [null, 'application/x-own', noText])
    assert.equal((await inspect('', Buffer.alloc(0))).error, null)
    assert.equal((await inspect('application/msword', cfbOf('WordDocument'))).error, null)
  })

  it('is an archive that is declared as one, whatever it also is', async () => {
    const { error, content_type, text } = await inspect('application/zip', docxOf('Hello'))
    assert.deepEqual([error, content_type, text.pages], [null, 'application/zip', ['Hello']])
  })
})
