import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startFaultProxy, type FaultProxy } from '../../harness/postgres/fault-proxy.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { mutations, performanceOf } from '../../operations/performing.ts'
import { makeWorld, restore, type World } from '../../operations/world.ts'

describe('a change whose COMMIT was not confirmed gets the answer of the change that was made', () => {
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
      const key = randomUUID()
      const { ask } = await performanceOf(world, operation, key)
      proxy.arm({ at: 'S commit', from: 'service', how: 'lose answer' })
      const answer = await ask()
      assert.equal(proxy.struck(), 'S commit')
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
