import assert from 'node:assert/strict'
import { problems } from '@wbs/contract/problems'

interface ProblemAnswer {
  status: number
  headers: Headers | Record<string, string>
  body: unknown
}

/** The members of every problem, besides those of its code. */
interface Problem {
  type: string
  title: string
  status: number
  code: string
  detail: string
  instance: string
  request_id: string
  retryable: boolean
  errors?: { in: string; pointer: string; code: string; detail: string; suggestion?: string }[]
}

/** Asserts that an answer is this problem, complete and with the headers of every answer; gives its body. */
export function assertProblem(
  answer: ProblemAnswer,
  code: keyof typeof problems,
  base_url?: string,
): Problem {
  const body = (typeof answer.body === 'string' ? JSON.parse(answer.body) : answer.body) as Problem
  const header = (name: string) =>
    answer.headers instanceof Headers ? answer.headers.get(name) : (answer.headers[name] ?? null)
  assert.equal(body.code, code, JSON.stringify(body))
  assert.equal(answer.status, problems[code].status)
  assert.equal(body.status, problems[code].status)
  assert.equal(body.title, problems[code].title)
  assert.equal(body.retryable, problems[code].retryable)
  assert.ok(body.type.endsWith(`/problems/${code}`))
  if (base_url !== undefined) assert.equal(body.type, `${base_url}/problems/${code}`)
  assert.ok(body.detail.length > 10)
  assert.equal(typeof body.instance, 'string')
  assert.match(body.request_id, /^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  assert.equal(header('svc-request-id'), body.request_id)
  assert.equal(header('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(header('cache-control'), 'private, no-store')
  assert.equal(header('x-content-type-options'), 'nosniff')
  assert.equal(header('content-security-policy'), "default-src 'none'; frame-ancestors 'none'; sandbox")
  if (code === 'unauthenticated') assert.match(header('www-authenticate') ?? '', /^Bearer realm="svc"/)
  if (code === 'validation_error') assert.ok((body.errors?.length ?? 0) > 0)
  return body
}
