import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Caller } from '../../src/call/authority/caller.ts'
import { createKnownMembers } from '../../src/call/authority/known-members.ts'
import { Problem, unauthenticated } from '../../src/call/problem.ts'
import { createKnownCredentials } from '../../src/limits/known-credentials.ts'
import { createLimiter } from '../../src/limits/limiter.ts'
import { createQueues } from '../../src/limits/queues.ts'

const here = '192.0.2.1'
const somebody: Caller = {
  kind: 'key',
  presented: { prefix: '', digest: Buffer.alloc(32), address: here },
  key_id: 'key-1',
  key_name: 'A key',
  workspace_id: 'workspace-1',
  user_id: 'user-1',
  scopes: [],
  has_networks: false,
}
const valid = async () => somebody
const invalid = () => Promise.reject(unauthenticated('It is not valid.'))

/** A limiter of which one address has sent too many invalid credentials. */
async function limiterThatRefuses() {
  const store = { take: async () => ({ granted: 0, left: 0 }), forgetFull: async () => {} }
  const limiter = createLimiter({ store, knownMembers: createKnownMembers(), scale: 1, log: { warn() {} } })
  assert.equal(await limiter.judgeCredential('known', here, valid), somebody)
  await limiter.countBadCredential(here)
  const judge = (credential: string, how: () => Promise<Caller> = valid, address = here) =>
    limiter.judgeCredential(credential, address, how)
  return { judge }
}

const isRefused = (error: unknown) => error instanceof Problem && error.code === 'rate_limited'
const isInvalid = (error: unknown) => error instanceof Problem && error.code === 'unauthenticated'

describe('once an address has sent too many invalid credentials', () => {
  it('those that are not known to be valid are judged one after the other, and no more than 32 wait', async () => {
    const { judge } = await limiterThatRefuses()
    const gate = Promise.withResolvers<void>()
    let judging = 0
    let most = 0
    const slowly = async () => {
      most = Math.max(most, ++judging)
      await gate.promise
      judging--
      return somebody
    }
    const all = Array.from({ length: 40 }, (_, i) => judge(`unknown ${i}`, slowly))
    const refused = await Promise.allSettled(all.slice(32))
    for (const one of refused) assert.ok(one.status === 'rejected' && isRefused(one.reason))

    // Neither those who are known wait for them, nor other addresses.
    assert.equal(await judge('known'), somebody)
    assert.equal(await judge('another', valid, '192.0.2.2'), somebody)
    await assert.rejects(judge('another', invalid, '192.0.2.2'), isInvalid)

    gate.resolve()
    assert.deepEqual(
      await Promise.all(all.slice(0, 32)),
      Array.from({ length: 32 }, () => somebody),
    )
    assert.equal(most, 1)
    assert.equal(await judge('unknown 40'), somebody)
  })

  it('an invalid one is refused without the reason, and one that was known is given it once', async () => {
    const { judge } = await limiterThatRefuses()
    await assert.rejects(judge('unknown', invalid), isRefused)
    await assert.rejects(judge('known', invalid), isInvalid)
    await assert.rejects(judge('known', invalid), isRefused)
  })

  it('other faults are told as they are, and change nothing of what is known', async () => {
    const { judge } = await limiterThatRefuses()
    const away = new Error('The issuer is away.')
    for (const credential of ['unknown', 'known'])
      await assert.rejects(
        judge(credential, () => Promise.reject(away)),
        away,
      )
    await assert.rejects(judge('unknown', invalid), isRefused)
    await assert.rejects(judge('known', invalid), isInvalid)
  })
})

describe('credentials that are known to be valid', () => {
  it('are forgotten in the order in which they were used last', () => {
    const known = createKnownCredentials(2)
    for (const one of ['a', 'b']) known.add(one, `whose ${one} is`)
    assert.equal(known.has('a'), true)
    known.add('c', 'whose c is')
    assert.deepEqual(
      ['a', 'b', 'c'].map(one => known.has(one)),
      [true, false, true],
    )
    known.delete('a')
    assert.equal(known.has('a'), false)
  })

  it('are displaced by no number of those of one principal', () => {
    const known = createKnownCredentials(5, 2)
    for (const one of ['a', 'b', 'c']) known.add(one, 'ours')
    known.add('d', 'a colleague')
    for (let i = 0; i < 20; i++) known.add(`another ${i}`, 'theirs')
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'another 17', 'another 18', 'another 19'].map(one => known.has(one)),
      [false, true, true, true, false, true, true],
    )
  })
})

describe('queues', () => {
  it('go on after work that failed, and keep nothing of a key whose work is done', async () => {
    const queues = createQueues(1)
    const failure = new Error('It failed.')
    for (let i = 0; i < 3; i++)
      await assert.rejects(queues.run('a', () => Promise.reject(failure)) ?? assert.fail(), failure)
    const running = queues.run('a', async () => 1)
    assert.equal(queues.run('a', valid), null)
    assert.equal(await queues.run('b', async () => 2), 2)
    assert.equal(await running, 1)
    assert.equal(await queues.run('a', async () => 3), 3)
  })
})
