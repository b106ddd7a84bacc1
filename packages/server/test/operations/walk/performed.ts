import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { isBytes, isStream, type Mutation } from '@wbs/contract/operation'
import type { Person } from '../../harness/service.ts'
import { representatives } from '../classes.ts'
import { performanceOf, performerOf, type NamedMutation } from '../performing.ts'
import type { MakeInput } from '../sample.ts'
import { samples, type NamedOperation } from '../samples.ts'
import { callOperation, type WireAnswer } from '../wire.ts'
import { restore } from '../world.ts'
import { problemsWith, sampleOf, workspaceAt, type Ground, type OnGround } from './ground.ts'
import { hideResource, type ReceiptResource } from './hide-resource.ts'
import { assertShown } from './read-back.ts'

/** Tests that an operation does what it declares for its intended caller, and what a repeated change is answered. */
export function testPerformed(on: OnGround, operation: NamedOperation): void {
  if (operation.kind === 'query') return testQuery(on, operation)
  testChange(on, operation)
  if (representatives.has(operation.name)) testLostCommit(on, operation)
}

function testQuery(on: OnGround, operation: NamedOperation): void {
  it('succeeds for its intended caller, with an answer of the declared schema', async () => {
    const ground = on()
    const { token } = performerOf(ground.world, operation)
    const answer = await callOperation(ground.service, operation, await sampleOf(ground, operation), {
      authorization: `Bearer ${token}`,
      ...workspaceAt(ground, operation),
    })
    assertDone(operation, answer, 200)
    const isBare = operation.kind === 'query' && operation.bare === true
    if (!isStream(operation) && !isBytes(operation)) assertNamesRequest(answer, isBare)
  })
}

function testChange(on: OnGround, operation: NamedMutation): void {
  const { others = {}, replay, readBack } = samples[operation.name]
  it('succeeds for its intended caller within its round trips, answers what is read afterwards, and is replayed only to who sees that', async () => {
    const ground = on()
    const { caller, key, answer, ask } = await makeQuickly(ground, operation)
    assertDone(operation, answer, operation.status)
    assertNamesRequest(answer, false)
    const resource = await resourceOf(ground, key)
    if (readBack !== false && replay !== 'refused')
      await assertShown(ground.world, answer.body, resource, caller)
    if (replay === 'refused') assertNotTold(await ask(), operation)
    else assertReplay(await ask(), answer)
    if (!replay) {
      const show = await hideResource(ground.world, resource, caller)
      assertNotTold(await ask(), operation)
      await show()
      assertReplay(await ask(), answer)
    }
    await restore(ground.world)
  })
  for (const [as, input] of Object.entries(others))
    it(`succeeds within its round trips ${as}`, async () => {
      const ground = on()
      const { answer } = await makeQuickly(ground, operation, input)
      const { status, status_if_found = status } = operation
      assertDone(operation, answer, answer.status === status_if_found ? status_if_found : status)
      await restore(ground.world)
    })
}

interface Made {
  caller: Person
  key: string
  answer: WireAnswer
  ask(): Promise<WireAnswer>
}

/** Makes a change within its round trips. The first job of a kind waits for its queue, so a slow change is made once more. */
async function makeQuickly(ground: Ground, operation: NamedMutation, input?: MakeInput): Promise<Made> {
  const most = samples[operation.name].roundTrips ?? 3
  const first = await make(ground, operation, input)
  if (first.trips <= most) return first
  await restore(ground.world)
  const second = await make(ground, operation, input)
  assert.ok(second.trips <= most, `${second.trips} round trips, of ${most} at most`)
  return second
}

async function make(
  { world, proxy }: Ground,
  operation: NamedMutation,
  input?: MakeInput,
): Promise<Made & { trips: number }> {
  const key = randomUUID()
  const { caller, ask } = await performanceOf(world, operation, key, input)
  proxy.roundTrips()
  const answer = await ask()
  const [trips = 0, ...others] = proxy.roundTrips()
  assert.ok(trips > 0, JSON.stringify(answer.body))
  assert.deepEqual(others, [])
  return { caller, key, answer, ask, trips }
}

/** Tests that a change whose COMMIT was not confirmed gets the answer of the change that was made. */
function testLostCommit(on: OnGround, operation: NamedMutation): void {
  it('is made once and answered if the confirmation of its COMMIT is lost', async () => {
    const { proxy, service, world } = on()
    const key = randomUUID()
    const { ask } = await performanceOf(world, operation, key)
    proxy.arm({ at: 'S commit', from: 'service', how: 'lose answer' })
    const answer = await ask()
    assert.equal(proxy.struck(), 'S commit')
    assertDone(operation, answer, operation.status)
    assert.equal((answer.body as { idempotent_replay: boolean }).idempotent_replay, false)
    const receipts = await service.sql(
      `select r.receipt_id from commands c join receipts r on r.command_id = c.command_id where c.idempotency_key = $1`,
      [key],
    )
    assert.equal(receipts.length, 1)
    await restore(world)
  })
}

async function resourceOf({ service }: Ground, key: string): Promise<ReceiptResource> {
  const [resource] = await service.sql<ReceiptResource & Record<string, unknown>>(
    `select r.workspace_id, r.resource_type as type, r.resource_id as id from receipts r
     join commands c on c.command_id = r.command_id where c.idempotency_key = $1`,
    [key],
  )
  return resource ?? assert.fail('It left no receipt.')
}

function assertDone(operation: NamedOperation, { status, body }: WireAnswer, expected: number): void {
  assert.equal(status, expected, JSON.stringify(body))
  assert.deepEqual(problemsWith(operation, status, body), [])
}

function assertNamesRequest({ body, headers }: WireAnswer, isBare: boolean): void {
  const { request_id } = body as { request_id?: string }
  assert.equal(request_id, isBare ? undefined : headers.get('svc-request-id'))
}

function assertReplay(answer: WireAnswer, first: WireAnswer): void {
  assert.equal(answer.status, first.status, JSON.stringify(answer.body))
  assert.equal((answer.body as { idempotent_replay: boolean }).idempotent_replay, true)
}

function assertNotTold({ status, body }: WireAnswer, { output }: Mutation): void {
  assert.ok(status === 403 || status === 404, `${status} ${JSON.stringify(body)}`)
  for (const name of Object.keys(output)) assert.ok(!(name in (body as object)), name)
}
