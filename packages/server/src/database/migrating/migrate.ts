import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { appliedMigrations, newerMigrations, type AppliedMigration } from './applied-migrations.ts'
import {
  connectionConfig,
  openConnection,
  type ConnectionConfig,
  type DatabaseAddress,
} from '../connections/connection.ts'
import { codeOf } from '../faults.ts'
import { requireFit, UnsupportedDatabase } from './fitting-version.ts'
import { readMigrations, type MigrationFile } from './migration-files.ts'

/** What newer versions added to a migrated database. */
export interface Migrated {
  /** The security-definer functions that newer versions added. */
  newerDefinerFunctions: readonly string[]
}

/**
 * Brings a database up to this version: the roles, the schema svc, and each migration once, in the order of their
 * numbers. Any number of nodes may call it at once; one does the work while the others wait. Migrations of newer
 * versions are left alone if they declare that this version can run with them. Throws UnsupportedDatabase, or
 * NewerDatabase if it cannot.
 */
export async function migrate(address: DatabaseAddress, folder?: URL): Promise<Migrated> {
  await prepareDatabase(address)
  const files = await readMigrations(folder)
  const config = connectionConfig(address, 'svc_owner', { statement_timeout: '0', lock_timeout: '0' })
  const client = await openConnection(config)
  try {
    // Another node may be applying migrations. The lock ends with the connection.
    await client.query(`select pg_advisory_lock(${migrationLock})`)
    const newer = (await newerIfComplete(client, files)) ?? (await applyMissing(config, files))
    return { newerDefinerFunctions: newer.flatMap(({ definer_functions }) => definer_functions ?? []) }
  } finally {
    await client.end()
  }
}

/** What newer versions applied to a database that lacks no migration of this one; null if one is missing. */
async function newerIfComplete(
  client: pg.Client,
  files: ReadonlyMap<string, MigrationFile>,
): Promise<readonly AppliedMigration[] | null> {
  try {
    const { rows } = await client.query<AppliedMigration>(appliedMigrations)
    requireFit(files, rows)
    const names = new Set(rows.map(({ name }) => name))
    return [...files.keys()].every(name => names.has(name)) ? newerMigrations(files, rows) : null
  } catch (error) {
    if (isNotThere(error)) return null
    throw error
  }
}

/** A database without migrations has no table of them. */
const isNotThere = (error: unknown): boolean => codeOf(error) === '42P01'

/** Loaded on demand: most starts have nothing to apply. */
async function applyMissing(config: ConnectionConfig, files: ReadonlyMap<string, MigrationFile>) {
  return (await import('./migrator.ts')).applyMissing(config, files)
}

/**
 * Runs what needs the login's own rights: the extension, the roles, the schemas. Each step may have been done before,
 * or be done by another node at the same time.
 */
export async function prepareDatabase(address: DatabaseAddress): Promise<void> {
  const client = await openConnection({
    ...address,
    application_name: 'wbs set-up',
    connectionTimeoutMillis: 5000,
  })
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(${setUpLock})`)
    await client.query(await readFile(new URL('../roles.sql', import.meta.url), 'utf8'))
    await client.query('commit')
  } catch (error) {
    throw unfit(error) ?? error
  } finally {
    await client.end()
  }
}

/** Translates the errors that roles.sql raises, and missing rights of the login. */
function unfit(error: unknown): UnsupportedDatabase | null {
  const reason = error instanceof Error ? error.message : ''
  if (codeOf(error) === 'P0001') return new UnsupportedDatabase(`The database cannot be used: ${reason}.`)
  if (codeOf(error) === '42501')
    return new UnsupportedDatabase(`The login of the database may not set it up: ${reason}.`)
  return null
}

const lockNumber = (name: string): number => createHash('sha256').update(name).digest().readInt32BE()

/** The advisory lock that is held while a database is set up; others wait for it. */
export const setUpLock = lockNumber('workspace business service set-up')

/** The same while it is found out which migrations are missing, and they are applied. */
const migrationLock = lockNumber('workspace business service migrations')
