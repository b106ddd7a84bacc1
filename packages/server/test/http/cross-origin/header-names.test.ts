import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '@wbs/contract/openapi'
import { answerHeaders, requestHeaders } from '../../../src/http/cross-origin/header-names.ts'

/** What a page may read of every answer (Fetch, 2.2.2). */
const readable = [
  'Cache-Control',
  'Content-Language',
  'Content-Length',
  'Content-Type',
  'Expires',
  'Last-Modified',
  'Pragma',
]
/** What a page may send without asking. */
const sendable = ['Accept', 'Accept-Language', 'Content-Language']

interface Part {
  in?: string
  name?: string
  type?: string
  scheme?: string
  /** The answers of an operation, or those that operations share. */
  responses?: Record<string, { headers?: Record<string, unknown> }>
}

const parts = [...partsOf(openApiDocument())]

/** All objects of a document. */
function* partsOf(value: unknown): Generator<Part> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const one of Object.values(value)) yield* partsOf(one)
}

const missing = (declared: Iterable<string>, lists: string[][]) => {
  const known = new Set(lists.flat().map(name => name.toLowerCase()))
  return [...new Set(declared)].filter(name => !known.has(name.toLowerCase()))
}

describe('pages of other origins', () => {
  it('may read every header that the document declares of an answer', () => {
    const declared = parts.flatMap(({ responses = {} }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    )
    assert.ok(declared.includes('SVC-Request-Id') && declared.includes('Repr-Digest'))
    assert.deepEqual(missing(declared, [answerHeaders, readable]), [])
  })

  it('may send every header that the document declares of a request', () => {
    const declared = parts.flatMap(part => {
      if (part.in === 'header' && part.name !== undefined) return [part.name]
      return part.type === 'http' && part.scheme === 'bearer' ? ['Authorization'] : []
    })
    for (const name of ['Authorization', 'X-SVC-API-Key', 'Idempotency-Key', 'SVC-Workspace-Id'])
      assert.ok(declared.includes(name), name)
    assert.deepEqual(missing(declared, [requestHeaders, sendable]), [])
  })
})
