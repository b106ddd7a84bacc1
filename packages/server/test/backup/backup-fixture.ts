import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { backUp } from '../../src/backup/write-backup.ts'
import type { CheckedBackup } from '../../src/backup/read-archive.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'

/** A folder for backups, and databases to restore into, which are removed after the tests. */
export interface BackupBench extends AsyncDisposable {
  /** The path of a file in the folder. */
  path(name: string): string
  /** The content of the databases that are backed up, and of those that are restored. */
  store: BlobStore
  backUp(address: DatabaseAddress): Promise<CheckedBackup>
  /** A database that is set up and unused. */
  target(): Promise<DatabaseAddress>
  /** An empty database. */
  empty(): Promise<DatabaseAddress>
}

/** Content is in the given store, which the caller closes, or else in a folder of its own. */
export async function openBackupBench(given?: BlobStore): Promise<BackupBench> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-backup-'))
  const databases: TestDatabase[] = []
  let count = 0
  const path = (name: string) => join(folder, name)
  const store = given ?? createFilesystemStore(path('blobs'))
  async function target() {
    const database = await createTestDatabase()
    databases.push(database)
    return database.address
  }
  return {
    path,
    store,
    backUp: address => backUp({ address, store, file: path(`backup-${++count}.tar.gz`) }),
    target,
    async empty() {
      const address = await target()
      await sqlOn(
        address,
        'drop schema svc cascade; drop schema svc_jobs cascade; drop extension pg_trgm cascade',
      )
      return address
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(databases.map(database => database.drop()))
      if (!given) await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs statements as the superuser. */
export async function sqlOn<Row extends pg.QueryResultRow>(
  address: DatabaseAddress,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ ...address, options: '-c search_path=svc,public' })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
