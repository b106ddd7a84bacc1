import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startFaultProxy, type FaultProxy } from '../harness/postgres/fault-proxy.ts'
import { withinRoundTrips } from '../harness/round-trips.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { mutations, performanceOf, type NamedMutation } from '../operations/performing.ts'
import type { MakeInput } from '../operations/sample.ts'
import { samples } from '../operations/samples.ts'
import { makeWorld, restore, type World } from '../operations/world.ts'

describe('a change takes at most three round trips to the database', () => {
  let proxy: FaultProxy
  let service: TestService
  let world: World
  before(async () => {
    proxy = await startFaultProxy()
    service = await startTestService()
    world = await makeWorld(service)
    // The first job of a kind waits for the lookup of its queue.
    for (const operation of mutations)
      for (const input of [undefined, ...Object.values(samples[operation.name].others ?? {})]) {
        await (await performanceOf(world, operation, randomUUID(), input)).ask()
        await restore(world)
      }
  })
  after(async () => {
    await service.close()
    await proxy.close()
  })

  for (const operation of mutations) {
    it(operation.name, () => count(operation))
    for (const [as, input] of Object.entries(samples[operation.name].others ?? {}))
      it(`${operation.name} ${as}`, () => count(operation, input))
  }

  async function count(operation: NamedMutation, input?: MakeInput) {
    const { ask } = await performanceOf(world, operation, randomUUID(), input)
    const answer = await withinRoundTrips(proxy, samples[operation.name].roundTrips ?? 3, ask)
    const { status, status_if_found = status } = operation
    const isDone = answer.status === status || answer.status === status_if_found
    assert.ok(isDone, JSON.stringify(answer.body))
    await restore(world)
  }
})
