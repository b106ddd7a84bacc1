import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, before, describe, it } from 'node:test'
import { assertProblem } from '../problem-check.ts'
import { sendRaw, lines, rawConnection } from '../raw-socket.ts'
import { startTransport, token, type TestTransport } from '../test-transport.ts'

const head = (...headers: string[]) =>
  lines('POST /v1/things/1 HTTP/1.1', 'Host: here', `Authorization: Bearer ${token}`, ...headers)

const get = (...headers: string[]) => lines('GET /v1/things/1 HTTP/1.1', 'Host: here', ...headers)

const json = 'Content-Type: application/json'

describe('the body of a request', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const send = (body: string | Buffer, ...headers: string[]) =>
    sendRaw(transport.base_url, head(...headers, `Content-Length: ${Buffer.byteLength(body)}`), body)
  const sendJson = (body: string | Buffer) => send(body, json)
  const accepted = async (body: string | Buffer, ...headers: string[]) => {
    const answer = await send(body, ...(headers.length > 0 ? headers : [json]))
    assert.equal(answer.status, 201, answer.body)
    return (JSON.parse(answer.body) as { input: Record<string, unknown> }).input
  }

  describe('is accepted', () => {
    it('as JSON', async () => {
      assert.deepEqual(await accepted('{"note":"é \\u00e9 😀"}'), { thing_id: '1', note: 'é é 😀' })
    })
    it('in chunks', async () => {
      const answer = await sendRaw(
        transport.base_url,
        head(json, 'Transfer-Encoding: chunked'),
        '5\r\n{"not\r\n6\r\ne":"a"\r\n1\r\n}\r\n0\r\n\r\n',
      )
      assert.equal(answer.status, 201)
    })
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON ; Charset=utf8',
      'application/json; version=1',
    ])
      it(`as ${type}`, async () => void (await accepted('{}', `Content-Type: ${type}`)))
    it('with the Content-Encoding that encodes nothing', async () =>
      void (await accepted('{}', json, 'Content-Encoding: Identity')))
    it('after a byte order mark', async () => void (await accepted('\ufeff{"note":"a"}')))
    it('with white space around it', async () => void (await accepted(' \r\n\t{} \n')))
    it('32 levels deep, for what it says to be judged', async () => {
      const { errors } = assertProblem(
        await sendJson(`${'['.repeat(32)}${']'.repeat(32)}`),
        'validation_error',
      )
      assert.equal(errors?.[0]?.code, 'type')
    })
    it('of 2 MiB', async () => {
      const note = 'a'.repeat(2 * 1024 * 1024 - '{"note":""}'.length)
      assert.equal((await accepted(`{"note":"${note}"}`))['note'], note)
    })
    it('of 8 MiB, by an operation that takes as much, and no more', async () => {
      const send = (length: number) => {
        const body = `{"note":"${'a'.repeat(length - '{"note":""}'.length)}"}`
        const request = lines(
          'POST /v1/texts HTTP/1.1',
          'Host: here',
          `Authorization: Bearer ${token}`,
          'Idempotency-Key: 12345678',
          json,
          `Content-Length: ${length}`,
        )
        return sendRaw(transport.base_url, request, body)
      }
      assert.equal((await send(8 * 1024 * 1024)).status, 201)
      assertProblem(await send(8 * 1024 * 1024 + 1), 'payload_too_large', transport.base_url)
    })
    it('with keys that look alike and are not', async () => {
      const { errors } = assertProblem(await sendJson('{"n":1,"N":1,"n ":1}'), 'validation_error')
      assert.equal(errors?.length, 3)
    })
  })

  describe('gets 400', () => {
    const malformed: Record<string, string | Buffer> = {
      'for one brace': '{',
      'for text after it': '{} {}',
      'for a trailing comma': '{"note":"a",}',
      'for a comment': '{/* */}',
      'for single quotes': "{'note':'a'}",
      'for a bare word': '{note:1}',
      'for NaN': '{"count":NaN}',
      'for a hexadecimal number': '{"count":0x10}',
      'for a number with leading zeros': '{"count":007}',
      'for a raw line break in a string': '{"note":"a\nb"}',
      'for a string without end': '{"note":"a',
      'for a string that ends in a backslash': '{"note":"a\\',
      'for an escape that there is not': '{"note":"\\x41"}',
      'for a byte that is not UTF-8': Buffer.concat([
        Buffer.from('{"note":"'),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]),
      'for an overlong form': Buffer.concat([
        Buffer.from('{"note":"'),
        Buffer.from([0xc0, 0xaf]),
        Buffer.from('"}'),
      ]),
      'for a surrogate in UTF-8': Buffer.concat([
        Buffer.from('{"note":"'),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]),
      'for a cut-off character': Buffer.from('{"note":"é"}').subarray(0, 10),
      'for UTF-16': Buffer.from('{"note":"a"}', 'utf16le'),
      'for two byte order marks': '\ufeff\ufeff{}',
      'for a NUL in place of JSON': '\u0000',
      'for white space alone': '  \n',
      'for nesting of 33 levels': `${'['.repeat(33)}${']'.repeat(33)}`,
      'for brackets without end': '['.repeat(1_000_000),
      'for objects without end': '{"a":'.repeat(300_000),
      'for the same key twice': '{"note":"a","note":"b"}',
      'for the same key twice, once escaped': '{"note":"a","n\\u006fte":"b"}',
      'for the same key twice, further in': '{"names":[{"a":1,"b":{},"a":2}]}',
      'for the key __proto__': '{"__proto__":{"note":"a"}}',
      'for the key __proto__, escaped': '{"__pr\\u006fto__":1}',
      'for the key __proto__, further in': '{"note":{"__proto__":1}}',
    }
    for (const [what, body] of Object.entries(malformed))
      it(what, async () => {
        const { errors } = assertProblem(await sendJson(body), 'validation_error', transport.base_url)
        assert.deepEqual(
          errors?.map(({ in: place, pointer, code }) => [place, pointer, code]),
          [['body', '', 'format']],
        )
      })

    const unfit: Record<string, [body: string, pointer: string, code: string]> = {
      'for null': ['null', '', 'type'],
      'for a list': ['[]', '', 'type'],
      'for a text': ['"note"', '', 'type'],
      'for a number': ['1', '', 'type'],
      'for true': ['true', '', 'type'],
      'for a key that is not declared': ['{"unknown":1}', '/unknown', 'unknown'],
      'for the key constructor': ['{"constructor":{"prototype":1}}', '/constructor', 'unknown'],
      'for the key toString': ['{"toString":1}', '/toString', 'unknown'],
      'for an empty key': ['{"":1}', '/', 'unknown'],
      'for a key that a pointer must escape': ['{"a/b~c":1}', '/a~1b~0c', 'unknown'],
      'for a value of another type': ['{"note":1}', '/note', 'type'],
      'for a number as text': ['{"count":"1"}', '/count', 'type'],
      'for a number beyond all numbers': ['{"count":1e999}', '/count', 'out_of_range'],
      'for a number with more digits than a double has': [
        '{"count":9007199254740993}',
        '/count',
        'out_of_range',
      ],
      'for a number that would become 0': ['{"note":"a","names":[1e-400]}', '/names/0', 'out_of_range'],
      'for U+0000': ['{"note":"a\\u0000b"}', '/note', 'format'],
      'for half a surrogate pair': ['{"note":"\\ud83d"}', '/note', 'format'],
      'for the other half': ['{"note":"\\ude00\\ud83d"}', '/note', 'format'],
      'for a path parameter in the body': ['{"thing_id":"2"}', '/thing_id', 'unknown'],
    }
    for (const [what, [body, pointer, code]] of Object.entries(unfit))
      it(what, async () => {
        const { errors } = assertProblem(await sendJson(body), 'validation_error', transport.base_url)
        assert.deepEqual(
          errors?.map(({ in: place, pointer, code }) => [place, pointer, code]),
          [['body', pointer, code]],
        )
      })

    for (const [what, headers, body] of [
      ['without a body', [], ''],
      ['without a body, though it is announced as JSON', [json], ''],
      ['with an empty body', [json, 'Content-Length: 0'], ''],
      ['with an empty body in chunks', [json, 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ] as const)
      it(what, async () => {
        const answer = await sendRaw(transport.base_url, head(...headers), body)
        const { errors } = assertProblem(answer, 'validation_error')
        assert.deepEqual(
          errors?.map(error => [error.in, error.code]),
          [['body', 'required']],
        )
      })

    it('and reports at most twenty errors', async () => {
      const names = Array.from({ length: 1000 }, () => '"c"').join()
      const answer = await sendJson(`{"names":[${names}]}`)
      const { errors } = assertProblem(answer, 'validation_error')
      assert.equal(errors?.length, 20)
    })

    it('and reports one error of a very large body', async () => {
      const { errors } = assertProblem(
        await sendJson(`{"names":[${'1,'.repeat(99_000)}1]}`),
        'validation_error',
      )
      assert.equal(errors?.length, 1)
    })

    it('for more than 100,000 values, or 4,000 keys in one object', async () => {
      const keys = Array.from({ length: 4_001 }, (_, i) => `"k${i}":1`).join()
      for (const body of [`{"names":[${'1,'.repeat(100_000)}1]}`, `{${keys}}`, `{"note":{${keys}}}`]) {
        const { errors } = assertProblem(await sendJson(body), 'validation_error')
        assert.equal(errors?.[0]?.code, 'format')
      }
    })
  })

  describe('gets 413', () => {
    it('for more than 2 MiB by its length, unread', async () => {
      const answer = await sendRaw(transport.base_url, head(json, `Content-Length: ${2 * 1024 * 1024 + 1}`))
      assertProblem(answer, 'payload_too_large', transport.base_url)
    })
    it('for more than 2 MiB in chunks', async () => {
      const chunk = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024)}\r\n`
      const answer = await sendRaw(
        transport.base_url,
        head(json, 'Transfer-Encoding: chunked'),
        chunk,
        chunk,
        chunk,
      )
      assertProblem(answer, 'payload_too_large')
    })
    it('and the answer reaches a client that sends it all, on a connection that stays', async () => {
      const connection = await rawConnection(transport.base_url)
      connection.write(head(json, `Content-Length: ${9 * 1024 * 1024}`), Buffer.alloc(9 * 1024 * 1024, ' '))
      assertProblem(await connection.answer(), 'payload_too_large')
      connection.write(lines('GET /health HTTP/1.1', 'Host: here'))
      assert.equal((await connection.answer()).status, 200)
      connection.destroy()
    })
  })

  describe('gets 415', () => {
    const types: Record<string, string[]> = {
      'without a media type': [],
      'as text': ['Content-Type: text/plain'],
      'as a form': ['Content-Type: application/x-www-form-urlencoded'],
      'as a multipart form': ['Content-Type: multipart/form-data; boundary=x'],
      'as JSON of another kind': ['Content-Type: application/merge-patch+json'],
      'as JSON lines': ['Content-Type: application/jsonl'],
      'as what is not a media type': ['Content-Type: json'],
      'in another charset': ['Content-Type: application/json; charset=iso-8859-1'],
      'in another charset, quoted': ['Content-Type: application/json; charset="utf-16"'],
      compressed: [json, 'Content-Encoding: gzip'],
      'compressed twice': [json, 'Content-Encoding: gzip, br'],
      'compressed by nobody knows what': [json, 'Content-Encoding: snappy'],
    }
    for (const [what, headers] of Object.entries(types))
      it(what, async () => {
        assertProblem(await send('{}', ...headers), 'unsupported_media_type', transport.base_url)
      })
    it('before a bomb is unpacked', async () => {
      const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
      assertProblem(await send(bomb, json, 'Content-Encoding: gzip'), 'unsupported_media_type')
    })
  })

  describe('of a read', () => {
    for (const headers of [
      ['Content-Length: 2'],
      ['Transfer-Encoding: chunked'],
      [json, 'Content-Length: 2'],
    ])
      it(`is refused: ${headers.join(', ')}`, async () => {
        const body = headers[0]?.startsWith('T') ? '2\r\n{}\r\n0\r\n\r\n' : '{}'
        const { errors } = assertProblem(
          await sendRaw(transport.base_url, get(...headers), body),
          'validation_error',
        )
        assert.deepEqual(
          errors?.map(error => [error.in, error.code]),
          [['body', 'unknown']],
        )
      })
    it('may be announced and empty', async () => {
      assert.equal((await sendRaw(transport.base_url, get(json, 'Content-Length: 0'))).status, 200)
    })
    it('is not mistaken for the next request', async () => {
      const connection = await rawConnection(transport.base_url)
      const hidden = lines('GET /health HTTP/1.1', 'Host: here')
      connection.write(get(`Content-Length: ${hidden.length}`), hidden, get())
      assertProblem(await connection.answer(), 'validation_error')
      const next = await connection.answer()
      assert.match(next.body, /"thing_id"/)
      connection.destroy()
    })
  })
})
