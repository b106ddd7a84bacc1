import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startFaultProxy, type FaultProxy } from '../harness/fault-proxy.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { restore } from '../operation-samples.ts'
import { mutations, performanceOf } from '../performing.ts'
import { makeWorld, type World } from '../sample-world.ts'

/**
 * Changes that wait for the database more often than three times, and how often: those that lock what keeps others out look
 * at standing first, and some answer what the database alone knows.
 */
const more: Readonly<Record<string, number>> = {
  accept_invitation: 9,
  decline_invitation: 8,
}

/** What begins with what its path names goes ahead for the standing that its caller had last. */
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

describe('a change takes at most three round trips to the database, or as many as are said here', () => {
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
      // The first job of a kind looks its queue up, once for as long as the service runs.
      const { ask: askFirst } = await performanceOf(world, operation, randomUUID())
      await askFirst()
      await restore(world)
      const { ask } = await performanceOf(world, operation, randomUUID())
      proxy.roundTrips()
      const answer = await ask()
      assert.equal(answer.status, operation.status, JSON.stringify(answer.body))
      const [trips = 0, ...others] = proxy.roundTrips()
      assert.deepEqual(others, [])
      const most = fewer[operation.name] ?? more[operation.name] ?? 3
      assert.ok(trips > 0 && trips <= most, `${trips} round trips, of ${most} at most`)
      await restore(world)
    })
})
