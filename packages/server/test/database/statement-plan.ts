import assert from 'node:assert/strict'
import type pg from 'pg'

/** A node of a plan that PostgreSQL explains. */
export type PlanNode = { [K in (typeof conditionNames)[number]]?: string } & {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  Operation?: string
  'Conflict Filter'?: string
  'Conflict Resolution'?: string
  Plans?: PlanNode[]
}

const conditionNames = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
] as const

/** The plan of a statement for any values. The session must have `plan_cache_mode=force_generic_plan`. */
export async function planOf(client: pg.Client, name: string, text: string): Promise<PlanNode> {
  await client.query(`prepare ${name} as ${text}`)
  const { rows } = await client.query<{ count: number }>(
    `select cardinality(parameter_types) as count from pg_prepared_statements where name = $1`,
    [name],
  )
  const count = rows[0]?.count ?? 0
  const values = count > 0 ? `(${Array(count).fill('null').join(', ')})` : ''
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (verbose, costs off, format json) execute ${name}${values}`,
  )
  await client.query(`deallocate ${name}`)
  const [row] = explained.rows
  assert.ok(row)
  return row['QUERY PLAN'][0].Plan
}

/** The conditions of a node itself. */
export const conditionsOf = (node: PlanNode): string => conditionNames.map(key => node[key] ?? '').join(' ')
