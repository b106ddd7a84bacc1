import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { T } from '../src/json/type.ts'
import { describeOperation } from '../src/openapi/describe-operation.ts'
import { problemComponents } from '../src/openapi/responses.ts'
import { query, type Operation } from '@wbs/contract/operation'

const readContent = query('read_content', {
  http: 'GET /v1/contents/{thing_id}',
  summary: 'Read content.',
  tag: 'Things',
  audience: 'anyone',
  input: { thing_id: T.String() },
  output: {},
  problems: [],
  answers: 'bytes',
})

interface Described {
  description: string
  parameters: { name: string; in: string; required: boolean }[]
  responses: Record<string, { headers?: object; content?: Record<string, { schema: object }> }>
}
const described = (operation: Operation) => describeOperation(operation) as Described

describe('the document of an operation that answers with content', () => {
  const { parameters, responses } = described(readContent)

  it('has the whole content, a range, 304 and 416', () => {
    for (const status of ['200', '206'])
      assert.deepEqual(responses[status]?.content, {
        '*/*': { schema: { type: 'string', format: 'binary' } },
      })
    assert.equal(responses['304']?.content, undefined)
    assert.ok('Content-Range' in (responses['206']?.headers ?? {}))
    assert.ok(!('Content-Range' in (responses['200']?.headers ?? {})))
    assert.deepEqual(responses['416'], { $ref: '#/components/responses/range_not_satisfiable' })
    const { range_not_satisfiable } = problemComponents([readContent]) as Described['responses']
    assert.deepEqual(Object.keys(range_not_satisfiable?.headers ?? {}), ['Content-Range'])
    assert.equal(responses['406'], undefined)
  })

  it('names the headers of ranges and conditions, which are optional', () => {
    const headers = parameters.filter(one => one.in === 'header').map(one => [one.name, one.required])
    for (const name of ['Range', 'If-Range', 'If-None-Match'])
      assert.ok(headers.some(([of, required]) => of === name && required === false))
  })
})

describe('the document of an operation that answers with content if its format asks for it', () => {
  const getReport = { ...readContent, answers: 'either', content_types: ['text/html'] } as const

  it('has JSON and its types of content, a range of the content, 304 and 416', () => {
    const { parameters, responses } = described({ ...getReport, output: { data: T.String() } })
    assert.deepEqual(Object.keys(responses['200']?.content ?? {}), ['application/json', 'text/html'])
    assert.deepEqual(Object.keys(responses['206']?.content ?? {}), ['text/html'])
    assert.ok('304' in responses && '416' in responses)
    assert.ok(parameters.some(one => one.name === 'Range' && !one.required))
  })
})

describe('the document of an operation with a larger body', () => {
  it('says how large it may be', () => {
    const { http: _, ...rest } = readContent
    const larger = { ...rest, http: 'POST /v1/contents/{thing_id}', body_limit: 8 * 1024 * 1024 } as const
    assert.match(described(larger).description, /The body may have up to 8 MiB\./)
  })
})
