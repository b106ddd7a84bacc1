import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sameAnswer } from './same-answer.ts'

const compare = (earlier: unknown, now: unknown) => sameAnswer(JSON.stringify(earlier), JSON.stringify(now))

it('an answer is as before, although it has more fields and another request', () => {
  const earlier = { request_id: 'req_1', data: [{ name: 'a' }] }
  assert.deepEqual(compare(earlier, { request_id: 'req_2', data: [{ name: 'a', more: 1 }], page: null }), [])
})

it('an answer that lacks, changes or reorders something is not as before', () => {
  const earlier = {
    data: [
      { name: 'a', size: 1 },
      { name: 'b', size: null },
    ],
  }
  assert.deepEqual(compare(earlier, { data: [{ name: 'a' }, { name: 'b', size: 0 }] }), [
    '/data/0/size was 1 and is undefined.',
    '/data/1/size was null and is 0.',
  ])
  assert.equal(compare(earlier, { data: [earlier.data[0]] }).length, 1)
  assert.equal(compare(earlier, { data: earlier.data.toReversed() }).length, 4)
  assert.deepEqual(sameAnswer('text', 'another text'), ['The content differs.'])
})
