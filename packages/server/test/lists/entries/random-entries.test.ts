import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { foldName } from '../../../src/businesses/fold.ts'
import { addBusinesses } from '../../harness/businesses.ts'
import { randomFrom, type Random } from '../../model/random.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { filteredAndSorted, type ModelEntry, type ModelFilter } from './entry-model.ts'
import { insertOverride, insertValues } from './entry-values.ts'
import { proofSeed } from '../../harness/proof.ts'

const today = '2026-03-31'

const types = ['text', 'number', 'boolean', 'date'] as const
type Column = { column_id: string; value_type: (typeof types)[number] }

const pools = {
  text: [
    'a',
    'A',
    'ａ',
    'b',
    'Straße',
    'STRASSE',
    'ab',
    'a b',
    'a  b',
    '\u200d',
    'ß',
    'é',
    'E\u0301',
    '😀',
    '\ufffd',
    '%',
    '_',
  ],
  number: [-1e300, -2.5, 0, 0.1, 1, 2, 3, 1e-300, 1e19],
  boolean: [true, false],
  date: [
    '1000-01-01',
    '2025-03-31',
    '2025-12-31',
    '2026-01-01',
    '2026-03-30',
    '2026-03-31',
    '2026-04-01',
    '2199-12-31',
  ],
} as const
const operators = {
  text: ['eq', 'neq', 'in', 'not_in', 'contains', 'starts_with'],
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between'],
  boolean: ['eq'],
  date: ['eq', 'before', 'after', 'between', 'within_last'],
} as const

describe('entries against a plain model of filter and sort', () => {
  const random = randomFrom(proofSeed())
  let world: ListWorld
  let list_id: string
  let columns: Column[]
  let entries: ModelEntry[]

  before(async () => {
    world = await makeListWorld({ now: () => new Date(`${today}T12:00:00Z`) })
    const list = await world.list(
      where('state', 'eq', 'OH'),
      types.map(value_type => ({ name: value_type, value_type })),
    )
    list_id = list.id
    columns = list.columns as Column[]
    entries = await makeEntries()
  })
  after(() => world.close())

  /** Members by the rule, members that are included, drafts, and Businesses that are no members but have values. */
  async function makeEntries(): Promise<ModelEntry[]> {
    const { service, workspace_id, people } = world
    const kinds = ['rule', 'included', 'draft', 'none'] as const
    const made = Array.from({ length: 70 }, () => ({
      kind: random.chance(0.6) ? 'rule' : random.pick(kinds),
      name: random.pick(pools.text) + random.pick(['', ' Air', ' & Söhne']) + random.pick(['x', 'X', 'z']),
      values: valuesOf(random),
    }))
    const ids = await addBusinesses(
      service,
      made.map(({ kind, name }) => ({
        name,
        publication_status: kind === 'draft' ? 'draft' : 'published',
        locations: [{ state: kind === 'rule' ? 'OH' : 'IN', city: 'Gary' }],
      })),
    )
    const listed = { workspace_id, list_id }
    for (const [i, { kind }] of made.entries()) {
      const member_id = String(ids[i])
      if (kind === 'draft') await service.link(workspace_id, member_id, people.owner)
      if (kind === 'draft' || kind === 'included')
        await insertOverride(service, listed, { member_id, mode: 'include', by: people.owner })
    }
    await insertValues(
      service,
      listed,
      made.flatMap(({ values }, i) =>
        columns.flatMap(({ column_id, value_type }) => {
          const value = values[value_type]
          return value === undefined ? [] : [{ member_id: String(ids[i]), column_id, value_type, value }]
        }),
      ),
    )
    return made.flatMap(({ kind, name, values }, i) =>
      kind === 'none'
        ? []
        : [
            {
              id: String(ids[i]),
              name: foldName(name),
              source: kind === 'rule' ? 'rule' : 'override',
              values,
            },
          ],
    )
  }

  async function walk(asked: object, limit: number): Promise<string[]> {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page = await world.as(world.people.member).listListEntries({
        list_id,
        limit,
        ...asked,
        ...(cursor !== null && { cursor }),
      })
      assert.ok(page.data.length === limit || !page.page.has_more)
      found.push(...page.data.map(entry => entry.member_id))
      cursor = page.page.cursor
    } while (cursor !== null)
    return found
  }

  const columnId = (type: string) => String(columns.find(one => one.value_type === type)?.column_id)

  it('are those of the model, in its order, whatever the length of the pages', async t => {
    let shown = 0
    for (let round = 0; round < 60; round++) {
      const filter = filterOf(random)
      const key = random.pick([null, 'name', ...types] as const)
      const isDescending = random.chance(0.5)
      const source = random.pick([undefined, undefined, 'rule', 'override'] as const)
      const of = entries.filter(entry => source === undefined || entry.source === source)
      const expected = filteredAndSorted(of, filter, { key, isDescending, today })
      const asked = {
        ...(filter.length > 0 && { filter: textOf(filter, columnId, random) }),
        ...(key && { sort: `${isDescending ? '-' : ''}${key === 'name' ? key : columnId(key)}` }),
        ...(source && { source }),
      }
      const limit = expected.length > 40 ? random.pick([3, 100]) : random.pick([1, 3, 100])
      const told = `round ${round}: ${JSON.stringify(asked)}`
      assert.deepEqual(await walk(asked, limit), expected, told)
      shown += expected.length
    }
    t.diagnostic(`${shown} entries`)
    assert.ok(shown > 60, 'the random filters left almost nothing to compare')
  })
})

function valuesOf(random: Random): ModelEntry['values'] {
  const values: Record<string, string | number | boolean> = {}
  for (const type of types)
    if (random.chance(0.7)) values[type] = random.pick<string | number | boolean>(pools[type])
  return values
}

function filterOf(random: Random): ModelFilter[] {
  return Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => leafOf(random))
}

function leafOf(random: Random): ModelFilter {
  const type = random.pick(types)
  if (random.chance(0.25)) return { type, operator: random.pick(['is_set', 'is_not_set']), value: null }
  const operator = random.pick<string>(operators[type])
  const one = () => random.pick<string | number | boolean>(pools[type])
  if (operator === 'within_last')
    return { type, operator, value: random.pick(['P0D', 'P1D', 'P3M', 'P1Y', 'P2W']) }
  if (operator === 'in' || operator === 'not_in') return { type, operator, value: [one(), one()] }
  if (operator !== 'between') return { type, operator, value: one() }
  const [from, to] = [one(), one()] as [number, number]
  return { type, operator, value: from <= to ? [from, to] : [to, from] }
}

function textOf(filter: readonly ModelFilter[], columnId: (type: string) => string, random: Random): string {
  const leaves = filter.map(({ type, operator, value }) => ({
    column_id: columnId(type),
    operator,
    ...((value !== null || random.chance(0.5)) && { value }),
  }))
  return JSON.stringify(leaves.length === 1 && random.chance(0.5) ? leaves[0] : { and: leaves })
}
