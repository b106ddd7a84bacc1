import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { delimiter } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { selfTest } from '../../src/database/self-test.ts'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { guideBlocks } from '../docs/guide-blocks.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { allRows, shapeOf } from './all-rows.ts'
import { openBackupBench, sqlOn, type BackupBench } from './backup-fixture.ts'

const versionIn = (text: string) => Number(/\d+/.exec(text)?.[0] ?? 0)
/** Debian installs each version in a folder of its own; the latest comes first. */
const folders = globSync('/usr/lib/postgresql/*/bin').toSorted(
  (one, other) => versionIn(other) - versionIn(one),
)
const PATH = [process.env.PATH, ...folders].join(delimiter)

/** The major version of pg_dump; 0 if there is none. */
function versionOfDump(): number {
  const env = { ...process.env, PATH }
  return versionIn(spawnSync('bash', ['-c', 'pg_dump --version'], { env, encoding: 'utf8' }).stdout)
}

async function versionOfServer(address: DatabaseAddress): Promise<number> {
  const [row] = await sqlOn<{ version: number }>(
    address,
    `select current_setting('server_version_num')::integer / 10000 as version`,
  )
  return row?.version ?? 0
}

describe('the commands of the guide for pg_dump', () => {
  let bench: BackupBench
  let source: TestDatabase
  let target: TestDatabase
  before(async () => {
    bench = await openBackupBench()
    source = await createTestDatabase()
    target = await createTestDatabase()
    await sqlOn(
      source.address,
      `insert into users select gen_random_uuid(), 'https://issuer.example', 'user ' || n from generate_series(1, 20) n;
       insert into workspaces (id, name, workspace_type, created_by) select gen_random_uuid(), subject, 'team', id from users;
       insert into memberships (workspace_id, id, user_id, role, status) select id, gen_random_uuid(), created_by, 'owner', 'active' from workspaces;
       insert into rooms (workspace_id, id, title, general_access, created_by, created_at, updated_at)
       select id, 'rom_0', 'A Room', 'invited_only', created_by, now(), now() from workspaces`,
    )
    await sqlOn(
      target.address,
      'drop schema svc cascade; drop schema svc_jobs cascade; drop extension pg_trgm cascade',
    )
  })
  after(async () => {
    await source.drop()
    await target.drop()
    await bench[Symbol.asyncDispose]()
  })

  async function isSkipped(context: TestContext): Promise<boolean> {
    const [dump, server] = [versionOfDump(), await versionOfServer(source.address)]
    if (dump === 0) context.skip('pg_dump is not installed')
    else if (dump < server) context.skip(`pg_dump ${dump} cannot dump a PostgreSQL ${server}`)
    return dump === 0 || dump < server
  }

  const run = (script: string) =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: bench.path(''),
      env: { ...process.env, PATH, DATABASE_URL: source.url, RESTORED_URL: target.url },
    })

  it('bring back every row of every table, and the same shape', async context => {
    if (await isSkipped(context)) return
    const blocks = await guideBlocks('operating.md', 'pg-dump.test.ts')
    assert.equal(blocks.length, 2)
    for (const block of blocks) await run(block)
    const rows = await allRows(target.address)
    assert.deepEqual(rows, await allRows(source.address))
    for (const table of ['svc.memberships', 'svc.rooms']) assert.match(rows[table] ?? '', /^20 rows/)
    assert.deepEqual(await shapeOf(target.address), await shapeOf(source.address))
    await selfTest(target.address)
  })

  it('are needed: without the role it fails', async context => {
    if (await isSkipped(context)) return
    await assert.rejects(run('pg_dump --role=svc_writer --schema=svc "$DATABASE_URL" >/dev/null'), {
      message: /row-level security|permission denied/,
    })
  })
})
