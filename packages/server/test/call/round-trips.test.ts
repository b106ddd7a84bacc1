import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startFaultProxy, type FaultProxy } from '../harness/fault-proxy.ts'
import { withinRoundTrips } from '../harness/round-trips.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { restore } from '../operations/operation-samples.ts'
import { otherSamples } from '../operations/other-samples.ts'
import { mutations, performanceOf } from '../operations/performing.ts'
import { makeWorld, type World } from '../operations/world.ts'

/** Changes that wait twice: what they begin with goes ahead for the standing that their caller had last. */
const fewer: Readonly<Record<string, number>> = {
  create_business: 2,
  update_business: 2,
  publish_business: 2,
  withdraw_business: 2,
  link_business: 2,
  unlink_business: 2,
  create_observation: 2,
  retract_observation: 2,
  set_workspace_profile: 2,
  update_room: 2,
  archive_room: 2,
  restore_room: 2,
  attach_room_resource: 2,
  detach_room_resource: 2,
  leave_room: 2,
}

describe('a change waits for the database three times at most', () => {
  let proxy: FaultProxy
  let service: TestService
  let world: World
  before(async () => {
    proxy = await startFaultProxy()
    service = await startTestService()
    world = await makeWorld(service)
    // The first job of a kind waits until it is known where such jobs lie.
    for (const operation of mutations) {
      await (await performanceOf(world, operation, randomUUID())).ask()
      await restore(world)
    }
  })
  after(async () => {
    await service.close()
    await proxy.close()
  })

  for (const operation of mutations) it(operation.name, () => count(operation))

  for (const [name, as, sample] of otherSamples)
    it(`${name} ${as}`, async () => {
      const operation = mutations.find(one => one.name === name)
      assert.ok(operation)
      await count(operation, sample)
    })

  async function count(operation: (typeof mutations)[number], sample?: (typeof otherSamples)[number][2]) {
    const { ask } = await performanceOf(world, operation, randomUUID(), sample)
    const answer = await withinRoundTrips(proxy, fewer[operation.name] ?? 3, ask)
    const { status, status_if_found = status } = operation
    const isDone = answer.status === status || answer.status === status_if_found
    assert.ok(isDone, JSON.stringify(answer.body))
    await restore(world)
  }
})
