import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startFaultProxy, type FaultProxy } from '../harness/fault-proxy.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { restore } from '../operation-samples.ts'
import { mutations, performanceOf } from '../performing.ts'
import { makeWorld, type World } from '../sample-world.ts'

describe('a change takes at most three round trips to the database', () => {
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
    it(operation.name, async context => {
      const { ask } = await performanceOf(world, operation, randomUUID())
      proxy.roundTrips()
      const answer = await ask()
      assert.equal(answer.status, operation.status, JSON.stringify(answer.body))
      const trips = proxy.roundTrips()
      context.diagnostic(`${operation.name} ${trips.join()}`)
      await restore(world)
    })
})
