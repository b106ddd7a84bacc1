import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createParser, type Block } from '../../src/events/parse-stream.ts'

const utf8 = new TextEncoder()
const parsed = (...chunks: (string | Uint8Array)[]): Block[] => {
  const parse = createParser()
  return chunks.flatMap(chunk => parse(typeof chunk === 'string' ? utf8.encode(chunk) : chunk))
}

describe('a stream of Server-Sent Events', () => {
  const streams: [string, string, Block[]][] = [
    ['a message with its id', 'id: 7\ndata: {"a":1}\n\n', [{ id: '7', data: '{"a":1}' }]],
    ['one space after the colon, or none', 'data:a\ndata:  b\n\n', [{ data: 'a\n b' }]],
    ['several lines of data as one', 'data: a\ndata\ndata: \n\n', [{ data: 'a\n\n' }]],
    ['a field without a value', 'data\n\n', [{ data: '' }]],
    ['comments, which may move the id', ': nothing new\nid: 8\n\n', [{ id: '8' }]],
    ['an empty id, and none with a null character', 'id\n\nid: a\0b\n\n', [{ id: '' }, {}]],
    ['the time before a reconnection, in digits', 'retry: 50\n\nretry: 5s\n\n', [{ retry: 50 }, {}]],
    ['unknown fields, and names in capitals', 'Data: a\nnews: b\nevent: c\n\n', [{}]],
    ['a colon in a value', 'data: a:b: c\n\n', [{ data: 'a:b: c' }]],
    ['a byte order mark at the beginning alone', '\uFEFFdata: \uFEFFa\n\n', [{ data: '\uFEFFa' }]],
    ['nothing of a message that is cut off', 'data: a\n\nid: 9\ndata: b\n', [{ data: 'a' }]],
    [
      'separators of JavaScript as text',
      'data: a\u2028b\u2029c\u0085\n\n',
      [{ data: 'a\u2028b\u2029c\u0085' }],
    ],
  ]
  for (const [what, stream, blocks] of streams)
    it(`is read with ${what}`, () => assert.deepEqual(parsed(stream), blocks))

  it('is read alike, whatever ends its lines and wherever its chunks end', () => {
    const lines = [
      '\uFEFFretry: 10',
      '',
      ': é',
      'id: 1',
      'data: {"a":"é€😀"}',
      'data: 2',
      '',
      'data: b',
      '',
      '',
    ]
    const expected = [{ retry: 10 }, { id: '1', data: '{"a":"é€😀"}\n2' }, { data: 'b' }]
    for (const end of ['\n', '\r\n', '\r']) {
      const bytes = utf8.encode(lines.join(end))
      for (let at = 0; at <= bytes.length; at++)
        assert.deepEqual(
          parsed(bytes.slice(0, at), bytes.slice(at)),
          expected,
          `${JSON.stringify(end)} ${at}`,
        )
      assert.deepEqual(parsed(...Array.from(bytes, byte => Uint8Array.of(byte))), expected)
    }
  })

  it('gives a message as soon as its empty line is there, if that may be half of a CRLF', () => {
    const parse = createParser()
    assert.deepEqual(parse(utf8.encode('data: a\r\n\r')), [{ data: 'a' }])
    assert.deepEqual(parse(new Uint8Array()), [])
    assert.deepEqual(parse(utf8.encode('\ndata: b\n\n')), [{ data: 'b' }])
  })

  it('takes a long line in the time that its length takes', () => {
    const chunk = 'x'.repeat(1000)
    const start = process.cpuUsage()
    const [block] = parsed('data: ', ...Array.from({ length: 20_000 }, () => chunk), '\n\n')
    assert.equal(block?.data?.length, 20_000_000)
    assert.ok(process.cpuUsage(start).user < 5_000_000)
  })
})
