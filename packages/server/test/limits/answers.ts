import assert from 'node:assert/strict'
import type { LimitPolicy } from '@wbs/contract/limits'
import type { TestService } from '../harness/service.ts'
import { assertProblem } from '../http/problem-check.ts'

export type Answer = Awaited<ReturnType<TestService['request']>>

/** Sends requests one after the other until one is rate limited, and gives all answers. */
export async function untilRefused(send: () => Promise<Answer>, atMost = 400): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.at(-1)?.status !== 429) {
    assert.ok(answers.length < atMost, `${answers.length} requests were let in`)
    answers.push(await send())
  }
  return answers
}

/** The state of one policy, from the headers of an answer. */
export interface Told {
  quota: number
  window: number
  left: number
  seconds: number
}

/** The state of all policies of an answer, by name. */
export function policiesOf({ headers }: Pick<Answer, 'headers'>): Record<string, Told> {
  const quotas = read(headers, 'ratelimit-policy', /^"([a-z]+)";q=(\d+);w=(\d+)$/)
  const left = read(headers, 'ratelimit', /^"([a-z]+)";r=(\d+);t=(\d+)$/)
  assert.deepEqual([...left.keys()], [...quotas.keys()])
  return Object.fromEntries(
    [...quotas].map(([name, [quota = 0, window = 0]]) => {
      const [remaining = 0, seconds = 0] = left.get(name) ?? []
      return [name, { quota, window, left: remaining, seconds }]
    }),
  )
}

function read(headers: Headers, name: string, form: RegExp): Map<string, number[]> {
  return new Map(
    (headers.get(name) ?? '').split(', ').map(item => {
      const [, policy = '', ...numbers] = form.exec(item) ?? assert.fail(`${name}: ${item}`)
      return [policy, numbers.map(Number)]
    }),
  )
}

/** The state of this policy, which must be the only one of the answer. */
export function told(answer: Pick<Answer, 'headers'>, policy: LimitPolicy): Told {
  const all = policiesOf(answer)
  assert.deepEqual(Object.keys(all), [policy])
  return all[policy] as Told
}

/** Asserts that an answer is rate limited by this policy, and gives its Retry-After in seconds. */
export function assertLimited(answer: Answer | undefined, policy: LimitPolicy): number {
  assert.ok(answer)
  const body: object = assertProblem(answer, 'rate_limited')
  assert.deepEqual({ ...body, 'violated-policies': [policy] }, body)
  assert.equal(told(answer, policy).left, 0)
  const retryAfter = answer.headers.get('retry-after') ?? ''
  assert.match(retryAfter, /^[1-9]\d*$/)
  assert.ok(Number(retryAfter) >= told(answer, policy).seconds)
  return Number(retryAfter)
}
