import { parseArgs } from 'node:util'
import { declaringFile, statements } from '../../packages/server/test/database/all-statements.ts'
import { createTestDatabase } from '../../packages/server/test/harness/database.ts'
import {
  openConnection,
  type DatabaseAddress,
} from '../../packages/server/src/database/connections/connection.ts'
import type { Statement } from '../../packages/server/src/database/statement.ts'
import { planOf } from './plan.ts'
import { psqlText, type GivenValues } from './psql.ts'
import { readable } from './readable.ts'
import { onTestServer } from '../test-run/on-test-server.ts'

/**
 * Shows the declared statements: `npm run sql` lists them; `npm run sql -- NAME`, or a part of a name, prints their texts. With
 * `--psql` they are printed for psql, with `--plan` as PostgreSQL plans them: in the database of DATABASE_URL, or in an empty
 * one. Both take `--values '{"room_id": "…"}'`.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plan: { type: 'boolean', default: false },
    psql: { type: 'boolean', default: false },
    values: { type: 'string', default: '{}' },
  },
})
const [sought] = positionals

try {
  if (sought === undefined) list()
  else await show(found(sought), JSON.parse(options.values) as GivenValues)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
// Modules of the service that were loaded keep the process alive.
process.exit()

function list(): void {
  const longest = Math.max(...statements.map(({ name }) => name.length))
  for (const statement of statements.toSorted(byName))
    console.log(`${statement.name.padEnd(longest)}  ${declaringFile(statement)}`)
}

/** The statement of this name, or else those whose names contain it. */
function found(part: string): readonly Statement<unknown>[] {
  const named = statements.filter(({ name }) => name === part)
  const containing = statements.filter(({ name }) => name.includes(part)).toSorted(byName)
  if (containing.length === 0)
    throw new Error(`No statement is named ${part}. npm run sql lists all of them.`)
  return named.length > 0 ? named : containing
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}

async function show(shown: readonly Statement<unknown>[], given: GivenValues): Promise<void> {
  if (!options.plan) {
    for (const statement of shown)
      print(statement, options.psql ? psqlText(statement, given) : readable(statement.named))
    return
  }
  const explain = async (address: DatabaseAddress) => {
    const client = await openConnection(address)
    for (const statement of shown) print(statement, await planOf(client, statement, given))
    await client.end()
  }
  const { DATABASE_URL: connectionString } = process.env
  if (connectionString) return explain({ connectionString })
  await onTestServer(async () => {
    const { address, drop } = await createTestDatabase()
    try {
      await explain(address)
    } finally {
      await drop()
    }
  })
}

function print(statement: Statement<unknown>, text: string): void {
  console.log(`-- ${statement.name} (${declaringFile(statement)})\n${text}\n`)
}
