import assert from 'node:assert/strict'
import { methodOf, pathOf, type Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { answerChecker, type AnswerChecker } from './answer-schema.ts'

const routes = (operations as readonly Operation[]).map(operation => ({
  operation,
  method: methodOf(operation),
  path: new RegExp(`^${pathOf(operation).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

let checker: AnswerChecker | undefined

/** Fetches, and fails if the answer does not match the OpenAPI document, so that every test also checks the document. */
export async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  const request = new Request(input, { method: init?.method ?? 'GET' })
  const { pathname } = new URL(request.url)
  const route =
    routes.find(({ operation, method }) => method === request.method && pathOf(operation) === pathname) ??
    routes.find(({ method, path }) => method === request.method && path.test(pathname))
  if (!route || !response.headers.get('content-type')?.includes('json')) return response
  const text = await response.text()
  checker ??= answerChecker()
  const wrong = checker(route.operation, response.status, JSON.parse(text))
  assert.deepEqual(wrong, [], `${route.operation.http} answered ${text}`)
  return new Response(text, response)
}
