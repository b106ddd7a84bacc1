import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mutation, type Operation } from '@wbs/contract/operation'
import { createKnownMembers } from '../../src/call/authority/known-members.ts'
import type { Caller } from '../../src/call/authority/caller.ts'
import { Problem } from '../../src/call/problem.ts'
import type { BucketStore } from '../../src/limits/buckets.ts'
import { createLimiter, type RequestSource } from '../../src/limits/limiter.ts'
import { modelBucket } from './model-store.ts'

/** Operations under combinations of policies that the service may not have. */
const inviting = mutation('invite_somebody', {
  http: 'POST /v1/invitations',
  summary: 'Invite somebody.',
  tag: 'Tests',
  audience: 'workspace',
  scope: 'team:manage',
  input: {},
  output: {},
  status: 201,
  problems: [],
  emits: [],
  limits: ['write', 'invite'],
})
const guesting = { ...inviting, audience: 'anyone', limits: ['guest'] } satisfies Operation

const key: Caller = {
  kind: 'key',
  presented: { prefix: '', digest: Buffer.alloc(32), address: '' },
  key_id: 'key-1',
  key_name: 'A key',
  workspace_id: 'workspace-1',
  user_id: 'user-1',
  scopes: [],
  has_networks: false,
}

/** A limiter with a store that answers at once. */
function limiter(scale: number) {
  const buckets = new Map<string, ReturnType<typeof modelBucket>>()
  const store: BucketStore = {
    async take(name, limit, needed, spare) {
      const bucket = buckets.get(name) ?? modelBucket(() => performance.now())
      buckets.set(name, bucket)
      return bucket.take(limit, needed, spare)
    },
    forgetFull: async () => {},
  }
  const { count } = createLimiter({ store, knownMembers: createKnownMembers(), scale, log: { warn() {} } })
  const sender = (caller: Caller | null): RequestSource => ({
    caller,
    address: '192.0.2.1',
    workspace_id: undefined,
  })
  return {
    buckets,
    count: (operation: Operation, caller: Caller | null = key) => count(operation, sender(caller)),
    refused: (operation: Operation, caller: Caller | null = key) =>
      count(operation, sender(caller)).then(
        () => assert.fail('It was let in.'),
        (error: unknown) => (error instanceof Problem ? error : assert.fail(String(error))),
      ),
  }
}

describe('an operation under several policies', () => {
  it('is counted for each of them, for its caller and for the Workspace, and reported once for each', async () => {
    const { buckets, count } = limiter(1)
    const headers = await count(inviting)
    assert.deepEqual([...buckets.keys()].sort(), [
      'invite key:key-1',
      'invite workspace:workspace-1',
      'write key:key-1',
      'write workspace:workspace-1',
    ])
    assert.equal(headers['ratelimit-policy'], '"write";q=1200;w=60, "invite";q=100;w=3600')
    assert.equal(headers['ratelimit'], '"write";r=1199;t=1, "invite";r=99;t=36')
  })

  it('that is refused for one of them does not count for the other', async () => {
    const { count, refused } = limiter(0.02) // two invitations an hour
    await count(inviting)
    await count(inviting)
    for (let i = 0; i < 3; i++) {
      const { members, headers } = await refused(inviting)
      assert.deepEqual(members, { 'violated-policies': ['invite'] })
      assert.match(headers['ratelimit'] ?? '', /^"write";r=22;t=\d+, "invite";r=0;t=1(80[01]|79\d)$/)
      assert.match(headers['retry-after'] ?? '', /^1(80[01]|79\d)$/)
    }
  })

  it('is refused for the other caller in the Workspace that used it up', async () => {
    const { count, refused } = limiter(0.01)
    await count(inviting)
    const { headers } = await refused(inviting, { ...key, key_id: 'key-2' })
    assert.match(headers['ratelimit'] ?? '', /"invite";r=0/)
    assert.ok(await count(inviting, { ...key, key_id: 'key-3', workspace_id: 'workspace-2' }))
  })
})

it('what guests do counts for their address, though they bring a credential', async () => {
  const { buckets, count, refused } = limiter(1 / 60)
  await count(guesting, key)
  await refused(guesting, null)
  assert.deepEqual([...buckets.keys()], ['guest address:192.0.2.1'])
})
