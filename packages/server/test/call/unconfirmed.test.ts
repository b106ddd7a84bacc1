import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Mutation, Operation } from '@wbs/contract/operation'
import { operations, type OperationName } from '@wbs/contract/registry'
import { startFaultProxy, type FaultProxy } from '../harness/fault-proxy.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { performers, restore, samples } from '../operation-samples.ts'
import { makeWorld, type World } from '../sample-world.ts'
import { callOperation } from '../wire.ts'

type Named = Mutation & { name: OperationName }
const mutations = (operations as readonly Operation[]).filter(one => one.kind === 'mutation') as Named[]

describe('a change whose COMMIT nobody confirmed is answered as the one that was made', () => {
  let proxy: FaultProxy
  let service: TestService
  let world: World
  before(async () => {
    proxy = await startFaultProxy()
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(async () => {
    await service.close()
    await proxy.close()
  })

  for (const operation of mutations)
    it(operation.name, async () => {
      const caller = world.people[(performers[operation.name] ?? 'owner') as 'owner' | 'viewer']
      const sample = samples[operation.name]
      const input = await sample(world)
      const key = randomUUID()
      proxy.arm({ at: 'Q commit', from: 'service', how: 'lose answer' })
      const answer = await callOperation(service, operation, input, {
        authorization: `Bearer ${caller.token}`,
        'idempotency-key': key,
        ...(operation.audience === 'workspace' && { 'svc-workspace-id': world.workspace_id }),
      })
      assert.equal(proxy.struck(), 'Q commit')
      assert.equal(answer.status, operation.status, JSON.stringify(answer.body))
      assert.equal((answer.body as { idempotent_replay: boolean }).idempotent_replay, false)
      const receipts = await service.sql(
        `select r.receipt_id from commands c join receipts r on r.command_id = c.command_id where c.idempotency_key = $1`,
        [key],
      )
      assert.equal(receipts.length, 1)
      await restore(world)
    })
})
