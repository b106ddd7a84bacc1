import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type pg from 'pg'
import { openConnection } from '../../packages/server/src/database/connections/connection.ts'
import { madeStatement } from '../../packages/server/src/database/statement.ts'
import { declaringFile, statements } from '../../packages/server/test/database/all-statements.ts'
import { createTestDatabase, type TestDatabase } from '../../packages/server/test/harness/database.ts'
import { planOf } from './plan.ts'
import { psqlText } from './psql.ts'
import { readable } from './readable.ts'

const example = madeStatement<unknown, 'read'>({
  name: 'example',
  text: `select r.title, 'it''s :no parameter' as noted
           from rooms r where r.workspace_id = :workspace_id and r.id = :room_id
             and (:after::text is null or r.id > :after)`,
  access: 'read',
  connectionClass: 'default',
})

const workspace_id = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('npm run sql', () => {
  let database: TestDatabase
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = await openConnection(database.address)
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, 'sql.ts'), ...args],
      { env: { ...process.env, DATABASE_URL: database.url } },
    )
    return stdout
  }

  it('lists every statement with the file that declares it', async () => {
    const lines = (await run()).trim().split('\n')
    assert.equal(lines.length, statements.length)
    const [standing] = lines.filter(line => line.startsWith('standing '))
    assert.match(standing ?? '', /^standing +packages\/server\/src\/call\/authority\/standing\.ts$/)
    assert.deepEqual(
      statements.filter(statement => declaringFile(statement) === undefined),
      [],
    )
  })

  it('prints the statements whose names have a part, as they are declared', async () => {
    const printed = await run('standing_gu')
    assert.match(
      printed,
      /^-- standing_guest \(packages\/server\/src\/call\/authority\/standing\.ts\)\nselect /,
    )
    assert.match(printed, /w\.id = :workspace_id/)
  })

  it('prints a plan with values', async () => {
    const printed = await run('standing', '--plan', '--values', JSON.stringify({ workspace_id }))
    assert.match(printed, /Scan .*on memberships m/)
  })

  it('indents by brackets, and breaks what is too long', () => {
    assert.equal(
      readable(example.named),
      [
        `select r.title, 'it''s :no parameter' as noted`,
        'from rooms r where r.workspace_id = :workspace_id and r.id = :room_id',
        '  and (:after::text is null or r.id > :after)',
      ].join('\n'),
    )
    assert.equal(
      readable(`select ${'a, '.repeat(40)}b from t where exists (select from u) order by a`),
      [`select ${'a, '.repeat(40)}b`, 'from t', 'where exists (select from u)', 'order by a'].join('\n'),
    )
  })

  it('has a plan for every statement without given values', async () => {
    for (const statement of statements)
      assert.match(await planOf(client, statement, {}), /cost=/, statement.name)
  })

  it('shows a plan for any values, unless the statement is planned for each', async () => {
    const given = { workspace_id, room_id: 'rom_1' }
    assert.match(await planOf(client, example, given), /\$1/)
    assert.match(await planOf(client, { ...example, connectionClass: 'custom_plan' }, given), /'rom_1'/)
  })

  it('plans and runs in the role and the row scope of the service', async () => {
    const seen = `select current_user || ' ' || current_setting('svc.workspace_id') as seen`
    const text = psqlText({ ...example, parameters: [], named: seen }, { workspace_id })
    const results = (await client.query(text)) as unknown as pg.QueryResult<{ seen?: string }>[]
    assert.deepEqual(
      results.flatMap(({ rows }) => rows.flatMap(({ seen: row }) => row ?? [])),
      [`svc_reader ${workspace_id}`],
    )
  })

  it('prints what psql can run, whatever the values contain', async () => {
    const given = { workspace_id, room_id: `O'Neill \\ "x"`, after: ['a', null] }
    const text = psqlText(example, given)
    assert.match(text, /^\\set workspace_id '''01890a5d-[^']*'''$/m)
    assert.match(text, /^\\set room_id '''O''''Neill \\\\ "x"'''$/m)
    assert.match(text, /^\\set after 'array\[''a'', null\]'$/m)
    assert.match(psqlText(example, {}), /^\\set room_id 'null'$/m)
  })

  it('reads with the values that psql puts in', async () => {
    for (const statement of statements.filter(({ access }) => access === 'read'))
      await client.query(asPsqlReads(psqlText(statement, {}))).catch((error: unknown) => {
        throw new Error(statement.name, { cause: error })
      })
  })
})

/** What psql sends for a text: without `\set`, and with the values of the variables. */
function asPsqlReads(text: string): string {
  const sets = [...text.matchAll(/^\\set (\w+) '(.*)'\n/gm)]
  const values = new Map(sets.map(([, name, value = '']) => [name, value.replaceAll("''", "'")]))
  return text
    .replaceAll(/^\\set .*\n/gm, '')
    .replaceAll(/'(?:[^']|'')*'|::|:([a-z_][a-z0-9_]*)/g, (found, name?: string) => values.get(name) ?? found)
}
