import pg from 'pg'
import { valuesInOrder, type Values } from '../../packages/server/src/database/parameters.ts'
import type { Reader, Statement } from '../../packages/server/src/database/statement.ts'

/** The cost of one run of a statement. */
export interface ExplainedRead {
  statement: string
  /** Pages of the database that were read, from memory or disk. */
  buffers: number
}

/**
 * A reader that runs each statement under EXPLAIN, prepared as on the connections of the service, and records its cost.
 * The connection must have the role and row scope of a reader.
 */
export function explainedReader(client: pg.ClientBase): { reader: Reader; taken: ExplainedRead[] } {
  const taken: ExplainedRead[] = []
  const prepared = new Set<string>()
  async function many<Row>(statement: Statement<Row, 'read'>, values: Values) {
    const { text } = statement
    // A statement that is composed for one use has no name.
    const name = statement.name || `composed_${prepared.size}`
    if (!prepared.has(name)) await client.query(`prepare ${name} as ${text}`)
    prepared.add(name)
    const run = `execute ${name}(${valuesInOrder(statement, values).map(literal).join(', ')})`
    const explained = await client.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, costs off, timing off, summary off) ${run}`,
    )
    const plan = explained.rows.map(row => row['QUERY PLAN']).join('\n')
    taken.push({ statement: name, buffers: buffersOf(plan) })
    return (await client.query(run)).rows as Row[]
  }
  return { taken, reader: { many, one: async (statement, values) => (await many(statement, values))[0] } }
}

/** The first line about buffers is that of the whole plan. */
function buffersOf(plan: string): number {
  const line = /Buffers: shared(.*)/.exec(plan)?.[1] ?? ''
  return [...line.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return pg.escapeLiteral(value)
  throw new Error(`A statement is explained with values of JSON, and not with a ${typeof value}.`)
}
