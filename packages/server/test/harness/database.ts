import { randomBytes } from 'node:crypto'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { addressOf, administer } from './postgres/administer.ts'

/** A database of its own for a test file, migrated and with reference data. */
export interface TestDatabase {
  /** Connects as the superuser, without row-level security. */
  address: DatabaseAddress
  name: string
  /** The same as a URL. */
  url: string
  drop(): Promise<void>
}

/** Copying files takes half the time, but a server that waits for its disk would wait for each of them. */
const strategy = process.env['DATABASE_URL'] ? 'wal_log' : 'file_copy'

export async function createTestDatabase(): Promise<TestDatabase> {
  const { WBS_TEST_SERVER: server, WBS_TEST_TEMPLATE: template } = process.env
  if (!server || !template) throw new Error('Run tests through npm: npm test -- path/to/file.test.ts')
  const admin = JSON.parse(server) as DatabaseAddress
  const name = `${template}_${randomBytes(4).toString('hex')}`
  await administer(admin, client =>
    client.query(`create database ${name} template ${template} strategy ${strategy}`),
  )
  const address = addressOf(admin, name)
  return {
    address,
    name,
    url: urlOf(address),
    drop: () =>
      administer(
        admin,
        async client => void (await client.query(`drop database if exists ${name} with (force)`)),
      ),
  }
}

function urlOf({ connectionString, host, port, user, database }: DatabaseAddress): string {
  if (connectionString !== undefined) return connectionString
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`
}
