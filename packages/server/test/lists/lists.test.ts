import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeListWorld, where, type ListWorld } from './list-fixture.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())

describe('GET /v1/lists/{list_id}/entries', () => {
  it('shows the Businesses for which the rule holds', async () => {
    const ohio = await world.business({ locations: [{ state: 'OH', city: 'Toledo' }] })
    await world.business({ locations: [{ state: 'IN', city: 'Gary' }] })
    const list = await world.list(where('state', 'eq', 'oh'))
    assert.deepEqual(await world.members(list.id), [ohio])
  })
})
