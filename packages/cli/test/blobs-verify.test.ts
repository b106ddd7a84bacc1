import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { NamedBlob } from '../../server/src/backup/content/named-blobs.ts'
import type { BlobStore } from '../../server/src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../server/src/blobs/filesystem/filesystem-store.ts'
import { openFileWriter, type FileWriter } from '../../server/test/backup/file-writer.ts'
import { sqlOn } from '../../server/test/backup/backup-fixture.ts'
import { temporaryFolder } from '../../server/test/backup/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../../server/test/harness/database.ts'
import { runWbs } from './run-wbs.ts'

describe('wbs blobs verify', () => {
  let database: TestDatabase
  let folder: string
  let store: BlobStore
  let files: FileWriter
  before(async () => {
    database = await createTestDatabase()
    folder = await temporaryFolder({ after })
    store = createFilesystemStore(join(folder, 'blobs'))
    files = await openFileWriter(database.address, store)
  })
  after(async () => {
    await files[Symbol.asyncDispose]()
    await store.close()
    await database.drop()
  })

  const verify = (...flags: string[]) =>
    runWbs({ DATABASE_URL: database.url, SVC_DATA_DIR: folder }, ['blobs', 'verify', ...flags])
  const keyOf = ({ workspace_id, sha256 }: NamedBlob) => `${workspace_id}/${sha256}`
  const pathOf = ({ workspace_id, sha256 }: NamedBlob) =>
    join(folder, 'blobs', workspace_id, sha256.slice(0, 2), sha256)

  async function versionOf({ sha256 }: NamedBlob): Promise<string> {
    const [row] = await sqlOn<{ id: string }>(
      database.address,
      `select id from file_versions where sha256 = '${sha256}'`,
    )
    return row?.id ?? ''
  }

  it('says how much is complete, and changes nothing', async () => {
    const blob = await files.add(randomBytes(1_500_000))
    const bytes = await readFile(pathOf(blob))
    const verified = await verify()
    assert.deepEqual(verified, {
      code: 0,
      stdout: 'Verified 1 blob, 1.5 MB: all complete.\n',
      stderr: '',
    })
    assert.ok(bytes.equals(await readFile(pathOf(blob))))
  })

  it('reports what is missing or damaged, with the versions that name it, and exits with 1', async () => {
    const missing = await files.addRows({ sha256: 'a'.repeat(64), size_bytes: 12_345 })
    const short = await files.add(randomBytes(2000))
    await truncate(pathOf(short), 1999)
    const other = await files.add(randomBytes(2000))
    await writeFile(pathOf(other), randomBytes(2000))

    const verified = await verify()
    assert.deepEqual([verified.code, verified.stderr], [1, ''])
    const lines = verified.stdout.trimEnd().split('\n')
    assert.equal(lines.pop(), 'Verified 4 blobs, 1.5 MB: 1 missing, 2 damaged.')
    assert.equal(lines.length, 3)
    const expected = [
      `missing  ${keyOf(missing)}  12,345 bytes of ${await versionOf(missing)}: it is not in the store`,
      `damaged  ${keyOf(short)}  2,000 bytes of ${await versionOf(short)}: it has 1999 bytes instead of 2000`,
    ]
    for (const line of expected) assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`)
    const damaged = `damaged  ${keyOf(other)}  2,000 bytes of ${await versionOf(other)}: its bytes have the SHA-256 `
    assert.ok(lines.some(line => line.startsWith(damaged)))

    const { code, stdout } = await verify('--json')
    const report = JSON.parse(stdout) as Record<string, unknown[]>
    assert.equal(code, 1)
    assert.deepEqual(report['missing'], [{ ...missing, file_version_ids: [await versionOf(missing)] }])
    assert.equal(report['damaged']?.length, 2)
    assert.deepEqual(report['unnamed'], [])
  })

  it('lists what no row names, which is harmless', async context => {
    const target = await createTestDatabase()
    context.after(() => target.drop())
    const content = await store.put(files.workspace_id, randomBytes(300_000))
    const blob = { workspace_id: files.workspace_id, ...content }
    const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3600 * 1000 - 60_000)
    await utimes(pathOf(blob), threeDaysAgo, threeDaysAgo)
    const where = { DATABASE_URL: target.url, SVC_DATA_DIR: folder }
    const verified = await runWbs(where, ['blobs', 'verify'])
    assert.equal(verified.code, 0, verified.stderr)
    assert.ok(
      verified.stdout.includes(`unnamed  ${keyOf(blob)}  300,000 bytes, stored 3 days ago\n`),
      verified.stdout,
    )
    assert.match(
      verified.stdout,
      /Verified 0 blobs, 0\.0 MB: all complete\.\nIn addition \d+ that no row names, \d+\.\d MB; the service removes them after a day\.\n$/,
    )
    const json = JSON.parse((await runWbs(where, ['blobs', 'verify', '--json'])).stdout) as {
      verified: unknown
      unnamed: { sha256: string; stored_at: string; size_bytes: number }[]
    }
    assert.deepEqual(json.verified, { count: 0, bytes: 0 })
    const { stored_at, size_bytes } = json.unnamed.find(({ sha256 }) => sha256 === blob.sha256) ?? {}
    assert.deepEqual([stored_at, size_bytes], [threeDaysAgo.toISOString(), 300_000])
  })

  it('says in one sentence that there is no database, no data or no store', async context => {
    const nowhere = join(folder, 'nowhere')
    const none = await runWbs(nowhere, ['blobs', 'verify'])
    assert.deepEqual([none.code, none.stdout], [1, ''])
    assert.match(none.stderr, /^There is no database to verify: DATABASE_URL is not set, .*\n$/)
    const wrong = await runWbs(
      {
        DATABASE_URL: database.url,
        SVC_DATA_DIR: nowhere,
        BLOBS_URL: 's3://absent?endpoint=http://127.0.0.1:1',
        S3_ACCESS_KEY_ID: 'a',
        S3_SECRET_ACCESS_KEY: 'secret',
      },
      ['blobs', 'verify'],
    )
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^The bucket absent at http:\/\/127\.0\.0\.1:1 cannot be used: .*\n$/)
    const empty = await createTestDatabase()
    context.after(() => empty.drop())
    await sqlOn(empty.address, 'drop schema svc cascade; drop schema svc_jobs cascade')
    const unused = await runWbs({ DATABASE_URL: empty.url, SVC_DATA_DIR: nowhere }, ['blobs', 'verify'])
    assert.deepEqual(
      [unused.code, unused.stderr],
      [1, 'The database has no data of the service: it has no tables.\n'],
    )
  })
})
