import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limitPolicies, limitsOf, policyOf, type LimitPolicy } from '@wbs/contract/limits'
import type { Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'

const system = { kind: 'query', tag: 'System' } as const
const read = { kind: 'query', tag: 'Things' } as const
const change = { kind: 'mutation', tag: 'Things' } as const

describe('the rate limits', () => {
  it('have these quotas and windows', () => {
    const minute = { window: 60 }
    const hour = { window: 3600 }
    const expected = {
      read: { quota: 6000, ...minute },
      write: { quota: 1200, ...minute },
      content: { quota: 1200, ...minute },
      search: { quota: 3000, anonymous: 600, ...minute },
      run: { quota: 60, ...minute },
      invite: { quota: 100, ...hour },
      guest: { quota: 60, by_address: true, ...hour },
      claim: { quota: 10, by_resource: true, ...hour },
      authentication: { quota: 120, by_address: true, ...minute },
    }
    const names = Object.keys(limitPolicies) as LimitPolicy[]
    assert.deepEqual(Object.fromEntries(names.map(name => [name, policyOf(name)])), expected)
  })

  it('are read for queries and write for mutations, unless a declaration names others', () => {
    assert.deepEqual(limitsOf(read), ['read'])
    assert.deepEqual(limitsOf(change), ['write'])
    assert.deepEqual(limitsOf({ ...change, limits: ['write', 'invite'] }), ['write', 'invite'])
  })

  it('apply to every operation except health checks', () => {
    assert.deepEqual(limitsOf(system), [])
    for (const operation of operations as readonly Operation[])
      assert.equal(limitsOf(operation).length === 0, operation.tag === 'System', operation.name)
  })

  it('are those of guests for what a visitor changes, and for nothing else', () => {
    assert.deepEqual(limitsOf({ ...change, limits: ['write', 'run'] }, true), ['guest'])
    assert.deepEqual(limitsOf(read, true), ['read'])
    assert.deepEqual(limitsOf({ ...change, limits: ['write', 'run'] }, false), ['write', 'run'])
  })

  it('have a policy for search_businesses', () => {
    const searching = operations.filter(operation => operation.name === 'search_businesses')
    assert.deepEqual(
      searching.map(operation => limitsOf(operation)),
      [['search']],
    )
  })
})
