import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { contentHeaders } from '../../../src/http/answers/content-headers.ts'
import type { Bytes } from '../../../src/call/bytes.ts'
import type { TestTransport } from '../test-transport.ts'
import { contentOf, startWith } from './content.ts'

/** Reads the header as RFC 6266 and RFC 8187 define it. Fails for anything else. */
function parse(header: string): { ascii: string; full: string } {
  const quoted = String.raw`"((?:[^"\\\x00-\x1f\x7f-\uffff])*)"`
  const extended = String.raw`UTF-8''((?:[\w!#$&+.^\x60|~-]|%[0-9A-F]{2})*)`
  const match = new RegExp(`^attachment; filename=${quoted}; filename\\*=${extended}$`).exec(header)
  assert.ok(match, header)
  return { ascii: match[1] as string, full: decodeURIComponent(match[2] as string) }
}

const bidi = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe('the headers of content', () => {
  let current: Bytes
  let transport: TestTransport
  before(async () => void (transport = await startWith(() => current)))
  after(() => transport.close())

  async function headersOf(more: Partial<Bytes>): Promise<Headers> {
    current = contentOf(Buffer.from('content'), more)
    const response = await fetch(`${transport.base_url}/v1/contents/1`)
    assert.equal(await response.text(), 'content')
    return response.headers
  }
  const nameOf = async (name: string) => parse((await headersOf({ name })).get('content-disposition') ?? '')

  const names: Record<string, [name: string, full: string, ascii: string]> = {
    'an ordinary name': ['Plan 2026 (final).pdf', 'Plan 2026 (final).pdf', 'Plan 2026 (final).pdf'],
    'accents and emoji': ['Büro 📈.xlsx', 'Büro 📈.xlsx', 'B_ro _.xlsx'],
    'a percent sign': ['100%25.txt', '100%25.txt', '100_25.txt'],
    'an apostrophe and stars': ["it's*.txt", "it's*.txt", "it's*.txt"],
    'a second header': ['a\r\nSet-Cookie: x=1', 'a__Set-Cookie: x=1', 'a__Set-Cookie: x=1'],
    'quotes and backslashes': ['a"; filename="b.exe\\', 'a_; filename=_b.exe_', 'a_; filename=_b.exe_'],
    'a path out of the folder': ['../../etc/passwd', '__._.._etc_passwd'.replace('._.._', '_.._'), ''],
    'a path of Windows': ['..\\..\\boot.ini', '___.._boot.ini', '___.._boot.ini'],
    'dots alone': ['..', '__', '__'],
    'a hidden file': ['.htaccess', '_htaccess', '_htaccess'],
    'a reversed extension': ['invoice\u202efdp.exe', 'invoice_fdp.exe', 'invoice_fdp.exe'],
    'control characters': ['a\u0000b\u0085c\u001b[2J', 'a_b_c_[2J', 'a_b_c_[2J'],
    'half a surrogate pair': ['a\ud83d.txt', 'a\ufffd.txt', 'a_.txt'],
    'no name': ['', 'file', 'file'],
    'white space': [' \t ', '_', '_'],
  }
  for (const [what, [name, full, ascii]] of Object.entries(names))
    it(`name the file safely: ${what}`, async () => {
      const parsed = await nameOf(name)
      assert.equal(parsed.full, full)
      if (ascii !== '') assert.equal(parsed.ascii, ascii)
    })

  it('keep the extension of a name that is too long, and its characters whole', async () => {
    const { full } = await nameOf(`${'📈'.repeat(300)}.xlsx`)
    assert.match(full, /^(?:📈)+\.xlsx$/u)
    assert.ok(Buffer.byteLength(full) <= 255 && Buffer.byteLength(full) > 240)
    assert.equal((await nameOf('a'.repeat(300))).full.length, 255)
  })

  it('are well formed and harmless for every name', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), name => {
        const headers = contentHeaders(contentOf(Buffer.from('content'), { name }))
        const { full, ascii } = parse(headers['content-disposition'])
        for (const one of [full, ascii]) {
          assert.doesNotMatch(one, /[/\\"]/)
          assert.doesNotMatch(one, bidi)
          assert.doesNotMatch(one, /^\./)
          assert.ok(one.length > 0)
        }
        assert.match(ascii, /^[\x20-\x7e]+$/)
      }),
      { numRuns: 2000 },
    ))

  for (const type of [
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/xhtml+xml',
    'image/svg+xml',
    'text/xml',
    'application/xml',
    'text/xsl',
    'application/javascript',
    'text/javascript',
    'text/css',
    'application/wasm',
    'application/x-shockwave-flash',
    'multipart/x-mixed-replace',
    'text/event-stream',
    'text/cache-manifest',
    'application/pdf, text/html',
    'text/html\r\nX: y',
    '',
    'no type',
  ])
    it(`never name a type that could run: ${JSON.stringify(type)}`, async () =>
      assert.equal((await headersOf({ content_type: type })).get('content-type'), 'application/octet-stream'))

  for (const [stored, sent] of Object.entries({
    'text/plain': 'text/plain; charset=utf-8',
    'text/csv; charset=latin1': 'text/csv; charset=utf-8',
    'text/markdown': 'text/markdown; charset=utf-8',
    'image/PNG': 'image/png',
    'application/json': 'application/json',
    'application/zip': 'application/zip',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet':
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }))
    it(`name a type that cannot run: ${stored}`, async () =>
      assert.equal((await headersOf({ content_type: stored })).get('content-type'), sent))
})
