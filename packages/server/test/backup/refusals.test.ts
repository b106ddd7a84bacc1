import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { BackupError } from '../../src/backup/backup-error.ts'
import type { BackupProgress } from '../../src/backup/progress.ts'
import { checkBackup, type CheckedBackup } from '../../src/backup/read-archive.ts'
import { restoreBackup, type RestoreOptions } from '../../src/backup/restore-backup.ts'
import { backUp } from '../../src/backup/write-backup.ts'
import { connectionConfig, type DatabaseAddress } from '../../src/database/connections/connection.ts'
import { readMigrations, type MigrationFile } from '../../src/database/migrating/migration-files.ts'
import { proofRuns, proofSeed } from '../harness/proof.ts'
import { allRows, shapeOf } from './all-rows.ts'
import { openBackupBench, sqlOn, type BackupBench } from './backup-fixture.ts'

const told = (pattern: RegExp) => (error: unknown) =>
  error instanceof BackupError && pattern.test(error.message) && !error.message.includes('\n')

/** Ends the connections of backups and restores to a database, and waits until they are gone. */
function cutConnections(address: DatabaseAddress): void {
  const script = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    const client = new pg.Client(JSON.parse(process.argv[1]))
    await client.connect()
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wbs backup' and datname = current_database()")
    await client.end()`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script, JSON.stringify(address)])
}

describe('a restore', () => {
  let bench: BackupBench
  let source: DatabaseAddress
  let backup: CheckedBackup
  let target: DatabaseAddress
  let asItWas: unknown
  before(async () => {
    bench = await openBackupBench()
    source = await bench.target()
    await sqlOn(
      source,
      `insert into users select gen_random_uuid(), 'https://issuer.example', 'user ' || n, null, null, '2026-01-01 00:00:00.5Z' from generate_series(1, 40) n;
       insert into workspaces (id, name, workspace_type, created_by) select gen_random_uuid(), subject, 'team', id from users`,
    )
    backup = await bench.backUp(source)
    target = await bench.target()
    asItWas = [await allRows(target), await shapeOf(target)]
  })
  after(() => bench[Symbol.asyncDispose]())

  /**
   * Asserts that the restore fails with this message and leaves the database unchanged, so that a correct one succeeds
   * afterwards.
   */
  async function isRefused(options: Partial<RestoreOptions>, pattern: RegExp): Promise<void> {
    await assert.rejects(
      restoreBackup({ store: bench.store, address: target, backup, ...options }),
      told(pattern),
    )
    assert.deepEqual([await allRows(target), await shapeOf(target)], asItWas)
  }

  async function migrationsAnd(name: string, text: string): Promise<Map<string, MigrationFile>> {
    const sha256 = createHash('sha256').update(text).digest('hex')
    return new Map([...(await readMigrations()), [name, { name, text, sha256, runsWith: null }]])
  }

  it('over data is refused, and says where there is some', async () => {
    const used = await bench.target()
    await sqlOn(used, `insert into users values (gen_random_uuid(), 'https://issuer.example', 'olivia')`)
    const before = await allRows(used)
    await assert.rejects(
      restoreBackup({ store: bench.store, address: used, backup }),
      told(/in use: the table users has rows/),
    )
    assert.deepEqual(await allRows(used), before)
    await sqlOn(used, 'delete from users')
    await restoreBackup({ store: bench.store, address: used, backup })
    await assert.rejects(
      restoreBackup({ store: bench.store, address: used, backup }),
      told(/in use: 2 tables have rows, users/),
    )
  })

  it('over data that row-level security hides is refused too', async () => {
    const used = await bench.target()
    await sqlOn(
      used,
      `create table hidden (workspace_id uuid primary key); insert into hidden values (gen_random_uuid());
       alter table hidden owner to svc_owner; alter table hidden enable row level security; alter table hidden force row level security`,
    )
    await assert.rejects(
      restoreBackup({ store: bench.store, address: used, backup }),
      told(/the table hidden has rows/),
    )
  })

  it('is refused while a service works on the database', async () => {
    const client = new pg.Client(connectionConfig(target, 'svc_writer'))
    await client.connect()
    await isRefused({}, /A service or an import is using the database/)
    await client.end()
  })

  it('of a newer version is refused, and says which version would do', async () => {
    const migrations = new Map([...(await readMigrations())].slice(0, -1))
    const [last] = [...(await readMigrations()).keys()].slice(-1)
    await isRefused({ migrations }, new RegExp(`version \\d.*has the migration ${last}, unknown`))
    const jobs = { ...backup, header: { ...backup.header, jobs_version: 1000 } }
    await isRefused({ backup: jobs }, /the tables of its jobs are newer/)
  })

  it('of a database that other migrations made is refused', async () => {
    const first = { ...backup.header.migrations[0], name: '0001_workspaces', sha256: 'other' }
    const header = { ...backup.header, migrations: [first, ...backup.header.migrations.slice(1)] }
    await isRefused({ backup: { ...backup, header } }, /its migration 0001_workspaces was another one/)
  })

  it('whose tables are not those of the database is refused', async () => {
    const [first, ...tables] = backup.manifest.tables
    assert.ok(first)
    await isRefused(
      { backup: { ...backup, manifest: { ...backup.manifest, tables } } },
      /whose table svc\.api_key_uses is not/,
    )
    const more = { ...first, columns: [...first.columns, 'more'] }
    await isRefused(
      { backup: { ...backup, manifest: { ...backup.manifest, tables: [more, ...tables] } } },
      /svc\.api_key_uses/,
    )
  })

  it('that is interrupted while it loads leaves nothing', async () => {
    const stop = new AbortController()
    const restore = restoreBackup({
      store: bench.store,
      address: target,
      backup,
      signal: stop.signal,
      onProgress: ({ phase }) => phase === 'loading' && stop.abort(),
    })
    await assert.rejects(restore, { name: 'AbortError' })
    assert.deepEqual([await allRows(target), await shapeOf(target)], asItWas)
  })

  it('whose connection is lost says so, and leaves nothing', async () => {
    const onProgress = ({ phase }: BackupProgress) => phase === 'loading' && cutConnections(target)
    await isRefused({ onProgress }, /The connection to the database was lost/)
  })

  it('whose last migration fails leaves nothing, and one without it follows', async () => {
    const migrations = await migrationsAnd(
      '9001_fails',
      'create table more (); insert into nowhere values (1)',
    )
    await assert.rejects(restoreBackup({ store: bench.store, address: target, backup, migrations }), {
      code: '42P01',
    })
    assert.deepEqual([await allRows(target), await shapeOf(target)], asItWas)
  })

  it('notices rows that the database does not keep as they were', async () => {
    const text = 'alter table users alter column updated_at type timestamptz(0)'
    const migrations = await migrationsAnd('9001_coarse', text)
    const sha256 = migrations.get('9001_coarse')?.sha256 ?? ''
    const header = {
      ...backup.header,
      migrations: [...backup.header.migrations, { name: '9001_coarse', sha256 }],
    }
    await isRefused({ backup: { ...backup, header }, migrations }, /svc\.users would not have the rows that/)
  })

  it('of a file that is changed after it was checked leaves nothing', async () => {
    const changed = { ...backup, file: bench.path('changed.tar.gz') }
    await copyFile(backup.file, changed.file)
    await truncate(changed.file, (await stat(changed.file)).size - 100_000)
    await isRefused({ backup: changed }, /not a complete backup: it ends too early/)
  })

  it('of an older version is loaded as it was, then brought up to this one', async () => {
    const address = await bench.target()
    const migrations = await migrationsAnd(
      '9001_more',
      `alter table users add column shout text; update users set shout = upper(subject); create table more (id integer)`,
    )
    await restoreBackup({ store: bench.store, address, backup, migrations })
    const rows = await sqlOn<{ shout: string }>(
      address,
      'select shout from users order by length(shout), shout',
    )
    assert.deepEqual([rows.length, rows[0]?.shout], [40, 'USER 1'])
    // Also into a database that this version has set up.
    await sqlOn(address, 'truncate users cascade')
    await restoreBackup({ store: bench.store, address, backup, migrations })
    assert.equal((await sqlOn(address, 'select from users where shout is not null')).length, 40)
  })
})

/** As gzip, but without the time to make it smaller. */
const zip = (content: Buffer) => gzipSync(content, { level: 0 })

/** So many places in a content, evenly spaced from one that the seed draws, each a multiple of `unit`. */
function placesIn(content: Buffer, count: number, unit = 1): number[] {
  const step = Math.ceil(content.length / unit / count)
  const first = proofSeed() % step
  return Array.from({ length: count }, (_, at) => (first + at * step) * unit).filter(
    place => place < content.length,
  )
}

describe('a file', () => {
  let bench: BackupBench
  let whole: Buffer
  before(async () => {
    bench = await openBackupBench()
    const { file } = await bench.backUp(await bench.target())
    whole = await readFile(file)
  })
  after(() => bench[Symbol.asyncDispose]())

  async function isRefused(content: Buffer, pattern: RegExp): Promise<void> {
    const file = bench.path('refused.tar.gz')
    await writeFile(file, content)
    await assert.rejects(checkBackup(file), told(pattern))
  }

  it('that is cut off anywhere is no backup', async () => {
    for (const share of [0, 0.01, 0.3, 0.9, 0.999])
      await isRefused(
        whole.subarray(0, Math.floor(whole.length * share)),
        /not a complete backup: it ends too early/,
      )
    await isRefused(whole.subarray(0, -1), /ends too early/)
    const inner = gunzipSync(whole)
    for (const length of placesIn(inner, proofRuns({ full: 60, short: 10 }), 512))
      await isRefused(zip(inner.subarray(0, length)), /not a complete backup/)
  })

  it('of which a byte is another one is no backup, wherever it is', async () => {
    const places = proofRuns({ full: 40, short: 8 })
    for (const at of placesIn(whole, places)) {
      const altered = Buffer.from(whole)
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
      // The gzip header has a time and a system, which are not data.
      if (at >= 10) await isRefused(altered, /not a complete backup/)
    }
    const inner = gunzipSync(whole)
    for (const at of placesIn(inner, places)) {
      const altered = Buffer.from(inner)
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
      await isRefused(zip(altered), /not a complete backup/)
    }
  })

  it('in which something reads otherwise is no backup, though it fits together', async () => {
    const text = gunzipSync(whole).toString('latin1')
    for (const [was, is, pattern] of [
      ['Crop Production', 'Crop Protection', /the rows of svc\.naics_codes are not those that were written/],
      ['"svc_jobs"', '"svc_work"', /it was altered/],
      ['"jobs_version"', '"jobs_versiom"', /it was altered/],
    ] as const) {
      assert.ok(text.includes(was), was)
      await isRefused(gzipSync(Buffer.from(text.replace(was, is), 'latin1')), pattern)
    }
  })

  it('that has more behind its end, or is something else, is no backup', async () => {
    const inner = gunzipSync(whole)
    await isRefused(gzipSync(Buffer.concat([inner, Buffer.from('more')])), /something follows its end/)
    await isRefused(Buffer.from('Dear diary'), /it was altered, or is something else/)
    await isRefused(gzipSync(Buffer.alloc(4096, 'x')), /it was altered, or is something else/)
    await isRefused(gzipSync(Buffer.alloc(1024)), /it ends too early/)
    await assert.rejects(
      checkBackup(bench.path('nowhere')),
      told(/nowhere cannot be read: there is no such file/),
    )
    await assert.rejects(checkBackup(bench.path('')), told(/cannot be read: EISDIR/))
  })

  it('of a later format is refused, and says which version would do', async () => {
    const later = gunzipSync(whole).toString('latin1').replace('"format_version": 2', '"format_version": 3')
    const inner = Buffer.from(later, 'latin1')
    await isRefused(gzipSync(inner), /was made by version \d.*in a format that this version does not know/)
  })
})

describe('a backup', () => {
  let bench: BackupBench
  before(async () => void (bench = await openBackupBench()))
  after(() => bench[Symbol.asyncDispose]())

  const into = async (name: string, options: { address?: DatabaseAddress; signal?: AbortSignal } = {}) =>
    backUp({ file: bench.path(name), store: bench.store, address: await bench.target(), ...options })

  it('takes the place of no other file', async () => {
    await writeFile(bench.path('taken'), 'precious')
    await assert.rejects(into('taken'), told(/taken already exists; a backup needs a new file/))
    assert.equal(await readFile(bench.path('taken'), 'utf8'), 'precious')
  })

  it('that cannot be written says so, and one that is interrupted leaves nothing', async () => {
    await assert.rejects(into('nowhere/backup'), told(/cannot be written: its folder does not exist/))
    const stop = new AbortController()
    const address = await bench.target()
    const interrupted = backUp({
      store: bench.store,
      address,
      file: bench.path('interrupted'),
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    await assert.rejects(interrupted, { name: 'AbortError' })
    assert.deepEqual(
      (await readdir(bench.path(''))).filter(name => name.startsWith('interrupted')),
      [],
    )
  })

  it('whose connection is lost says so, and leaves nothing', async () => {
    const address = await bench.target()
    // More than the buffers between the two can hold.
    await sqlOn(
      address,
      `insert into users (id, issuer, subject, name)
       select gen_random_uuid(), 'https://issuer.example', n::text, repeat(md5(n::text), 1000) from generate_series(1, 2000) n`,
    )
    let cuts = 0
    const lost = backUp({
      store: bench.store,
      address,
      file: bench.path('lost'),
      onProgress: () => cuts++ === 0 && cutConnections(address),
    })
    await assert.rejects(lost, told(/The connection to the database was lost/))
    assert.deepEqual(
      (await readdir(bench.path(''))).filter(name => name.startsWith('lost')),
      [],
    )
  })

  it('of a database that the service has not set up is refused', async () => {
    const address = await bench.empty()
    await assert.rejects(into('empty', { address }), told(/no data of the service/))
  })

  it('that row-level security would keep rows from is refused, and says from which table', async () => {
    const address = await bench.target()
    await sqlOn(address, 'drop policy owner_reads_all on rooms')
    await assert.rejects(into('hidden', { address }), told(/would keep rows of svc\.rooms out of the backup/))
    await assert.rejects(stat(bench.path('hidden')), { code: 'ENOENT' })
  })
})
