import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { createClient } from '@wbs/sdk'
import { latestMigrationNumber, readMigrations } from '../../src/database/migrating/migration-files.ts'
import { migrate } from '../../src/database/migrating/migrate.ts'
import { migrationFolder } from '../database/migrating/migration-folder.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { dataFolder, failToStart, type ServiceProcess } from '../harness/process.ts'
import { notDrawn } from '../harness/proof.ts'
import { administer } from '../harness/postgres/administer.ts'
import { eventually } from '../harness/eventually.ts'
import { previousVersion } from './previous-version.ts'

const migrations = new URL('../../src/database/migrations/', import.meta.url)
const level = String(latestMigrationNumber(await readdir(migrations))).padStart(4, '0')

describe('a service on a database that a newer version has upgraded', () => {
  it('serves and writes where it can be run with all that the newer one did', async t => {
    const database = await upgraded(
      t,
      `-- Runs with versions from ${level} on.
       alter table workspaces add column colour text not null default 'green';
       alter table published_businesses add column rating integer;
       create table paintings (
         workspace_id uuid not null references workspaces, id uuid not null, primary key (workspace_id, id));
       alter table paintings enable row level security;
       alter table paintings force row level security;
       create policy within_workspace on paintings using (workspace_id = (select current_workspace()));
       create policy owner_reads_all on paintings for select to svc_owner using (true);
       grant select on paintings to svc_reader;
       create function paintings_in_all() returns bigint language sql security definer set search_path = svc
         as 'select count(*) from svc.paintings';
       update svc_jobs.version set version = version + 1`,
    )
    const folder = await dataFolder(t)
    await serves(await folder.start({ DATABASE_URL: database.url, SVC_SAMPLE_DATA: 'off' }))
  })

  it('does not start where it cannot, and says what can be done', async t => {
    const database = await upgraded(
      t,
      '-- Runs with no earlier version.\nalter table workspaces drop column name',
    )
    await administer(database.address, admin =>
      admin.query(`update svc.migration_files set service_version = '7.0.0' where name > '9'`),
    )
    const folder = await dataFolder(t)
    const { code, output } = await failToStart({ SVC_DATA_DIR: folder.path, DATABASE_URL: database.url })
    assert.equal(code, 1)
    assert.match(
      output,
      /^The database was upgraded by version 7\.0\.0 [^\n]*: start version 7\.0\.0 or a newer one, or restore the backup [^\n]*\.\n$/,
    )
  })
})

const title =
  'the version before this one serves and writes on the database of this one, or is told that it cannot'
it(title, { skip: notDrawn() }, async t => {
  const previous = await previousVersion()
  if ('missing' in previous) return t.skip(previous.missing)
  t.after(() => previous.remove())
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const folder = await dataFolder(t)
  const env = { DATABASE_URL: database.url, SVC_SAMPLE_DATA: 'off' }
  const present = await folder.start(env)
  await serves(present)
  await present.end()
  const isToRun = await mayRun(previous.migrations)
  t.diagnostic(`the commit ${previous.commit} is ${isToRun ? 'to run' : 'to be refused'}`)
  if (isToRun) return serves(await folder.start(env, previous.main))
  const { output } = await failToStart({ SVC_DATA_DIR: folder.path, ...env }, previous.main)
  assert.match(output, /^The database was upgraded by [^\n]* or restore the backup [^\n]*\n$/)
})

/** Whether all migrations of this version that an earlier one lacks declare that it can run with them. */
async function mayRun(earlier: URL): Promise<boolean> {
  const known = await readMigrations(earlier)
  const newer = [...(await readMigrations(migrations)).values()].filter(({ name }) => !known.has(name))
  return newer.every(({ runsWith }) => runsWith !== null && runsWith <= latestMigrationNumber(known.keys()))
}

/** A database of this version on which a newer version has also run this migration. */
async function upgraded(t: TestContext, migration: string): Promise<TestDatabase> {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const { url, write } = await migrationFolder(t)
  await write('9001_from_the_future.sql', migration)
  await migrate(database.address, url)
  return database
}

/** Checks that the service is ready, finds Businesses, takes a change, and sends its mail. */
async function serves(service: ServiceProcess): Promise<void> {
  assert.equal((await fetch(`${service.base_url}/ready`)).status, 200)
  const { users } = await service.quickstart()
  const client = createClient({
    base_url: service.base_url,
    access_token: users.newcomer?.access_token ?? '',
  })
  assert.ok(Array.isArray((await client.searchBusinesses({ state: 'MT' })).data))
  const { workspace } = await client.createWorkspace({ name: 'Kept' })
  assert.equal((await client.getWorkspace({ workspace_id: workspace.id })).data.name, 'Kept')
  const { data } = await createClient({
    base_url: service.base_url,
    access_token: users.newcomer?.access_token ?? '',
    workspace_id: workspace.id,
  }).createTeamInvitation({ email: 'somebody@example.com', role: 'member' })
  assert.equal(data.status, 'pending')
  await eventually(() => /"file":"[^"]+\.eml"/.test(service.output()))
}
