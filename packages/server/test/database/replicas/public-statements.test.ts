import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../../harness/service.ts'
import { performerOf } from '../../operations/performing.ts'
import { operations, samples } from '../../operations/samples.ts'
import { callOperation } from '../../operations/wire.ts'
import { makeWorld, type World } from '../../operations/world.ts'
import { statements } from '../all-statements.ts'

describe('what may be read from a replica', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(() => service.close())

  it('is the public facts of Businesses. Add a statement only if everybody may see what it reads', () => {
    const names = statements
      .filter(({ onReplica }) => onReplica)
      .map(({ name }) => (name.startsWith('business_search_') ? 'business_search' : name))
    assert.deepEqual([...new Set(names)].sort(), [
      'business_search',
      'merged_business_by_id',
      'published_business_by_id',
      'published_classifications_of_business',
      'published_identifiers_of_business',
      'published_locations_of_business',
      'sources_by_business',
    ])
  })

  it('reads no row of a Workspace, and writes nothing', () => {
    for (const { name, onReplica, unscoped, access } of statements)
      if (onReplica) assert.ok(unscoped && access === 'read', name)
  })

  it('is read by two operations, of which one is answered from the primary to whoever has a credential', async () => {
    const using: string[] = []
    for (const operation of operations.filter(({ kind }) => kind === 'query'))
      for (const as of operation.audience === 'anyone' ? ['anybody', 'member'] : ['member']) {
        const before = asked()
        const { token } = performerOf(world, operation)
        const { status } = await callOperation(
          service,
          operation,
          await samples[operation.name].input(world),
          as === 'anybody' || operation.audience === 'public'
            ? {}
            : {
                authorization: `Bearer ${token}`,
                ...(operation.audience === 'workspace' && { 'svc-workspace-id': world.workspace_id }),
              },
        )
        assert.ok(status < 300, `${operation.name}: ${status}`)
        if (asked() > before) using.push(`${operation.name} of ${as}`)
      }
    assert.deepEqual(using.sort(), [
      'get_business of anybody',
      'search_businesses of anybody',
      'search_businesses of member',
    ])
  })

  const asked = () => service.database.publicReads.usage().primary
})
