import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { isUnderCode } from '../../../src/lists/rules/naics-code.ts'
import { firstDayWithin } from '../../../src/lists/rules/within-last.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { administer } from '../../harness/postgres/administer.ts'

let database: TestDatabase
before(async () => void (database = await createTestDatabase()))
after(() => database.drop())

const query = (sql: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  administer(database.address, async client => (await client.query(sql, values)).rows)

describe('what the database computes too is computed like this', () => {
  it('the first day of a duration before a day', async () => {
    const day = fc
      .date({ min: new Date('1200-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
      .map(date => date.toISOString().slice(0, 10))
    const monthEnd = fc.constantFrom('2024-02-29', '2026-01-31', '2026-03-31', '2000-02-29', '1900-03-01')
    const part = (unit: string, max: number) => fc.nat({ max }).map(count => `${count}${unit}`)
    const duration = fc
      .tuple(part('Y', 190), part('M', 30), part('W', 60), part('D', 800))
      .chain(parts => fc.subarray(parts, { minLength: 1 }))
      .map(parts => `P${parts.join('')}`)
    const cases = fc.sample(fc.tuple(fc.oneof(day, monthEnd), duration), 5000)
    const rows = await query(
      `select (today - duration::interval)::date::text as first
       from unnest($1::date[], $2::text[]) with ordinality as given (today, duration, n) order by n`,
      [cases.map(([today]) => today), cases.map(([, one]) => one)],
    )
    for (const [i, [today, one]] of cases.entries())
      assert.equal(firstDayWithin(one, today), rows[i]?.['first'], `${today} ${one}`)
    const [longest] = await query(`select (date '2026-03-31' - interval 'P365250D')::date::text as first`, [])
    assert.equal(firstDayWithin('P365250D', '2026-03-31'), longest?.['first'])
  })

  it('the codes under which a NAICS code is found', async () => {
    const codes = await query('select distinct code from svc.naics_codes order by code', [])
    assert.ok(codes.length > 1000)
    const stored = codes.map(({ code }) => code as string)
    const operands = stored.filter(code => code.length <= 3 || code.includes('-') || code.startsWith('31'))
    const rows = await query(
      `select code, operand, svc.naics_terms('2022', code) @> array['naics2022:' || operand] as found
       from unnest($1::text[]) as stored (code), unnest($2::text[]) as given (operand)`,
      [stored, operands],
    )
    for (const { code, operand, found } of rows)
      assert.equal(
        isUnderCode(code as string, operand as string),
        found,
        `${String(code)} ${String(operand)}`,
      )
    assert.ok(rows.filter(row => row['found']).length > 2000)
  })
})
