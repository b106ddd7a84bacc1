import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mostItems, mostLeaves, type Rule } from '@wbs/contract/lists/rules'
import type { Reader } from '../../../src/database/statement.ts'
import { ruleErrors } from '../../../src/lists/rules/check-rule.ts'
import { definitionOf, makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { dayOfRules as today, observedKeys } from './arbitrary-rules.ts'
import { assertSameMembers, assertSamePreview } from './member-comparison.ts'
import { addRandomBusinesses, type RandomBusinesses } from './random-businesses.ts'
import { seenBusinesses, type SeenBusiness } from './seen-businesses.ts'

const hundred = Array.from({ length: mostLeaves }, (_, i) => i)
const key = (i: number) => observedKeys[i] ?? `key_${i}`

/** As many leaves as a rule may have, on as many levels: not, and, or, not, leaf. */
const largest = (leaf: (i: number) => object): Rule => {
  const leaves = hundred.map(i => (i % 2 ? { kind: 'not', rule: leaf(i) } : leaf(i)))
  const groups = [0, 20, 40, 60, 80].map(from => ({ kind: 'or', rules: leaves.slice(from, from + 20) }))
  return { kind: 'not', rule: { kind: 'and', rules: groups } } as Rule
}
const items = Array.from({ length: mostItems }, (_, i) => String(i))
const long = (i: number, length: number) => `${i} ${'x'.repeat(length)}`

/** Rules of several kinds that have as many leaves, items or characters as they can have. */
const rules: Record<string, Rule> = {
  'observations of 100 keys': largest(i => where(`observations.${key(i)}`, 'gt', i)),
  'observations of 100 keys with lists of texts': largest(i => where(`observations.${key(i)}`, 'in', items)),
  'lists of texts': largest(i =>
    where(
      ['name', 'city', 'state', 'description', 'website_url'][i % 5] as string,
      i % 3 ? 'in' : 'not_in',
      items,
    ),
  ),
  'long texts': largest(i =>
    where(
      ['name', 'city', 'description'][i % 3] as string,
      i % 2 ? 'contains' : 'eq',
      long(i, i % 4 ? 9 : 2040),
    ),
  ),
  'NAICS codes': largest(i => where('naics_code', 'naics', { code: `${10 + (i % 90)}`, vintage: '2022' })),
  days: largest(i => where('founded_on', 'within_last', `P${i}Y`)),
}

describe('rules of the largest size', () => {
  let world: ListWorld
  let random: RandomBusinesses
  let reader: Reader
  let seen: SeenBusiness[]
  before(async () => {
    world = await makeListWorld()
    const { service, workspace_id, people } = world
    const { user_id } = people.owner
    const other_workspace_id = await service.workspace('Elsewhere', service.person('Sam'))
    random = await addRandomBusinesses({ service, workspace_id, other_workspace_id, user_id }, 100, 7)
    reader = service.database.readers.scoped({ workspace_id, user_id })
    seen = await seenBusinesses(service, random.list_id, { workspace_id, reads_businesses: true })
  })
  after(() => world.close())

  for (const [title, rule] of Object.entries(rules))
    it(`find the same in SQL and in TypeScript: ${title}`, async context => {
      assert.deepEqual(ruleErrors(rule, ''), [])
      const viewer = { workspace_id: world.workspace_id, reads_businesses: true }
      const membership = { viewer, list_id: random.list_id, rule, today }
      const began = performance.now()
      await assertSameMembers(reader, random.ids, { membership, seen })
      const other = largest(i => where(`observations.other_${i}`, 'lt', i))
      await assertSamePreview(reader, { membership, seen }, other)
      const compared = performance.now()
      const { id } = await world.list(rule)
      const saved = performance.now()
      const found = await world.members(id)
      const listed = performance.now()
      assert.ok(found.length <= seen.length)
      const [row] = await world.service.sql<{ rule: Rule }>('select rule from lists where id = $1', [id])
      assert.deepEqual(definitionOf(row?.rule as Rule), definitionOf(rule))
      const [a, b, c] = [compared - began, saved - compared, listed - saved].map(Math.round)
      context.diagnostic(`${title}: compared in ${a} ms, saved in ${b} ms, listed in ${c} ms`)
    })
})
