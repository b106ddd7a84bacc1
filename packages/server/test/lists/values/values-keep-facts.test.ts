import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ValueType } from '@wbs/contract/typed-values'
import fc from 'fast-check'
import { addObservation } from '../../harness/businesses.ts'
import { rowChanges } from '../../harness/transactions/row-changes.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import type { GivenValue } from './value-fixture.ts'

// The columns have names of facts, and the values are those that the facts could have.
const named: readonly [string, ValueType][] = [
  ['name', 'text'],
  ['status', 'text'],
  ['publication_status', 'text'],
  ['state', 'text'],
  ['city', 'text'],
  ['naics_code', 'text'],
  ['observations.headcount', 'number'],
  ['founded_year', 'number'],
  ['founded_on', 'date'],
  ['closed_on', 'date'],
  ['is_primary', 'boolean'],
  ['published', 'boolean'],
]

const day = fc
  .date({ min: new Date('1000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(at => at.toISOString().slice(0, 10))
const storable = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .filter(one => one.isWellFormed() && !one.includes('\u0000'))
const valuesOf: Record<ValueType, fc.Arbitrary<string | number | boolean>> = {
  text: fc.oneof(fc.constantFrom('closed', 'withdrawn', 'OH', 'Toledo', '238220', 'Harbor Air'), storable),
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  boolean: fc.boolean(),
  date: day,
}

const cells = fc.uniqueArray(
  fc.nat({ max: named.length - 1 }).chain(column => {
    const value_type = named[column]?.[1] ?? 'text'
    const value = valuesOf[value_type].map(one => ({ value_type, value: one }))
    return fc.record({
      column: fc.constant(column),
      member: fc.nat({ max: 2 }),
      value: fc.option<GivenValue>(value, { freq: 4 }),
    })
  }),
  { minLength: 1, maxLength: 20, selector: ({ column, member }) => `${column} ${member}` },
)

/** Whether a change is one of a table that has facts, links or observations of Businesses. */
const hasFacts = (change: string) =>
  /business|observation|location|classification|identifier|source/.test(change)

describe('values of Lists', () => {
  let world: ListWorld
  before(async () => void (world = await makeListWorld()))
  after(() => world.close())

  const changesOfFacts = async () => (await rowChanges(world.service)).filter(hasFacts)

  it('come back as they were set, and change neither facts nor who is a member', async () => {
    const { service, workspace_id, people } = world
    const known = { status: 'active', founded_year: 1987, founded_on: '1987-04-01' } as const
    const place = { locations: [{ state: 'OH', city: 'Toledo' }], classifications: [{ code: '238220' }] }
    const members: string[] = [
      await world.business({ ...known, ...place }),
      await world.business({ ...known, ...place, name: 'Harbor Heating' }),
      await world.linked({ publication_status: 'published', ...known, ...place }),
    ]
    await addObservation(service, workspace_id, String(members[2]), people.member)
    const list = await world.list(
      where('status', 'eq', 'active'),
      named.map(([name, value_type]) => ({ name, value_type })),
    )
    const us = world.as(people.member)
    await rowChanges(world.service)
    const expected = new Map<string, unknown>()
    let { version } = list
    await fc.assert(
      fc.asyncProperty(cells, async given => {
        const values = given.map(({ column, member, value }) => ({
          member_id: members[member] as string,
          column_id: String(list.columns[column]?.column_id),
          value,
        }))
        version = (await us.setListEntryValues({ list_id: list.id, values, expected_version: version })).data
          .version
        for (const { member_id, column_id, value } of values) {
          // The sign of zero is not kept.
          const kept = value === null ? undefined : value.value === 0 ? 0 : value.value
          expected.set(`${member_id} ${column_id}`, kept)
        }
        const { data } = await us.listListEntries({ list_id: list.id })
        const found = data.flatMap(entry =>
          entry.values.map(one => [`${entry.member_id} ${one.column_id}`, one.value.value] as const),
        )
        const set = [...expected].filter(([, value]) => value !== undefined)
        assert.deepEqual(new Map(found), new Map(set))
        assert.deepEqual(data.map(entry => entry.member_id).toSorted(), members.toSorted())
      }),
      { numRuns: 25 },
    )
    assert.deepEqual(await changesOfFacts(), [])
    // A change would be seen.
    await service.sql(`update businesses set status = 'closed' where id = $1`, [members[0]])
    assert.deepEqual(await changesOfFacts(), ['update businesses'])
  })
})
