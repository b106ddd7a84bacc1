import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Reader } from '../../../src/database/statement.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { arbitraryRule, dayOfRules, observedKeys } from './arbitrary-rules.ts'
import { assertSameMembers, assertSamePreview } from './member-comparison.ts'
import { addRandomBusinesses, type RandomBusinesses } from './random-businesses.ts'
import { seenBusinesses, type SeenBusiness, type Viewer } from './seen-businesses.ts'
import { proofRuns, proofSeed } from '../../harness/proof.ts'

const businesses = 300
/** A case is one rule and one Business. */
const cases = proofRuns({ full: 105_000, short: 10_500 })
const seed = proofSeed()

describe('the SQL of rules finds what the evaluation in TypeScript finds', () => {
  let world: ListWorld
  let random: RandomBusinesses
  let reader: Reader
  let viewers: { viewer: Viewer; seen: SeenBusiness[] }[]
  before(async () => {
    world = await makeListWorld()
    const { service, workspace_id, people } = world
    const { user_id } = people.owner
    const other_workspace_id = await service.workspace('Elsewhere', service.person('Sam'))
    const around = { service, workspace_id, other_workspace_id, user_id }
    random = await addRandomBusinesses(around, businesses, seed)
    reader = service.database.readers.scoped({ workspace_id, user_id })
    const callers = [true, false].map(reads_businesses => ({ workspace_id, reads_businesses }))
    viewers = await Promise.all(
      callers.map(async viewer => ({ viewer, seen: await seenBusinesses(service, random.list_id, viewer) })),
    )
  })
  after(() => world.close())

  it('for random rules, Businesses, overrides and callers', async context => {
    let judged = 0
    let members = 0
    const rules = arbitraryRule({ observationKeys: observedKeys })
    await fc.assert(
      fc.asyncProperty(rules, rules, fc.boolean(), async (rule, now, hasOverrides) => {
        const list_id = hasOverrides ? random.list_id : null
        const counts = await Promise.all(
          viewers.map(async ({ viewer, seen }) => {
            const compared = { membership: { viewer, list_id, rule, today: dayOfRules }, seen }
            if (hasOverrides) await assertSamePreview(reader, compared, now)
            return assertSameMembers(reader, random.ids, compared)
          }),
        )
        judged += businesses
        members += counts.reduce((a, b) => a + b)
      }),
      { numRuns: Math.ceil(cases / businesses), seed },
    )
    context.diagnostic(`${judged} cases for each of two callers, ${members} members`)
    assert.ok(members > judged / 10, 'too few rules find anything')
  })
})
