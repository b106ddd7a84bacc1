import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isProblem, UnexpectedAnswer } from '../src/errors.ts'
import type { Operation } from '../src/operations.ts'
import { send } from '../src/send.ts'
import { problem, startScriptedServer, type ScriptedServer } from './scripted-server.ts'

/** An operation that only exists to test the client. */
const readContent: Operation = {
  name: 'read_content',
  method: 'GET',
  path: '/v1/contents/{thing_id}',
  workspace: false,
  changes: false,
  visitors: false,
  answers: 'bytes',
  list: false,
}

describe('an operation that answers with content', () => {
  let server: ScriptedServer
  before(async () => void (server = await startScriptedServer()))
  after(() => server.close())

  const call = async (options: Parameters<typeof send>[3] = {}, timeout = 30_000) => {
    const settings = { base_url: server.base_url, timeout, attempts: 1 }
    return (await send(settings, readContent, { thing_id: 'one' }, options)).answer as Response
  }

  it('gives the response, whose body may take longer than an attempt', async () => {
    server.script(response => {
      response.writeHead(200, { 'content-type': 'text/csv', etag: '"abc"' })
      response.write('first ')
      setTimeout(() => response.end('second'), 1_500)
    })
    const response = await call({}, 1_000)
    assert.deepEqual([response.status, response.headers.get('etag')], [200, '"abc"'])
    assert.equal(await response.text(), 'first second')
    assert.equal(server.seen[0]?.headers.accept, '*/*')
    assert.equal(server.seen[0]?.headers.range, undefined)
  })

  it('requests a range from its first byte to the one before its end', async () => {
    for (const [range, header] of [
      [{ start: 0, end: 10 }, 'bytes=0-9'],
      [{ start: 5 }, 'bytes=5-'],
    ] as const) {
      server.script(response => response.writeHead(206).end('part'))
      const response = await call({ range })
      assert.deepEqual([response.status, await response.text()], [206, 'part'])
      assert.equal(server.seen[0]?.headers.range, header)
    }
    for (const range of [{ start: -1 }, { start: 1.5 }, { start: 5, end: 5 }, { start: 0, end: Number.NaN }])
      await assert.rejects(call({ range }), TypeError)
  })

  it('gives the status 304 for content that the caller has', async () => {
    server.script(response => response.writeHead(304, { etag: '"abc"' }).end())
    const response = await call({ if_none_match: '"abc"' })
    assert.deepEqual([response.status, response.body], [304, null])
    assert.equal(server.seen[0]?.headers['if-none-match'], '"abc"')
  })

  it('throws the problem that it is refused with', async () => {
    server.script(problem('range_not_satisfiable'))
    await assert.rejects(call({ range: { start: 5 } }), error => isProblem(error, 'range_not_satisfiable'))
  })

  it('ends with the signal of its caller, also in the middle of the content', async () => {
    server.script(response => response.writeHead(200).write('first'))
    const end = new AbortController()
    const response = await call({ signal: end.signal })
    end.abort(new Error('enough'))
    await assert.rejects(response.text(), /enough/)
  })
})

describe('an operation that answers with content if its format asks for it', () => {
  let server: ScriptedServer
  before(async () => void (server = await startScriptedServer()))
  after(() => server.close())

  const getReport: Operation = { ...readContent, name: 'get_report', answers: 'either' }
  const call = async (input: { format?: string }) => {
    const settings = { base_url: server.base_url, attempts: 1 }
    return (await send(settings, getReport, { thing_id: 'one', ...input }, {})).answer
  }

  it('gives the response for such a format', async () => {
    server.script(response => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
    const response = (await call({ format: 'html' })) as Response
    assert.equal(await response.text(), '<p>')
    assert.equal(server.seen[0]?.headers.accept, '*/*')
  })

  it('gives the answer otherwise, and does not take a page of a proxy for it', async () => {
    for (const input of [{}, { format: 'json' }]) {
      server.script(response =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":1}'),
      )
      assert.deepEqual(await call(input), { data: 1 })
      assert.equal(server.seen[0]?.headers.accept, 'application/json')
    }
    server.script(response => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
    await assert.rejects(call({}), UnexpectedAnswer)
  })
})
