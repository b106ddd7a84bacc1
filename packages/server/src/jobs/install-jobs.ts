import type pg from 'pg'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }

/** The schema of the jobs, which is pg-boss's own. */
export const jobsSchema = 'svc_jobs'

/** The version of pg-boss's tables that this version of the service needs. */
export const jobsVersion = bossPackage.pgboss.schema

/**
 * Creates or migrates the tables of the jobs, and grants svc_writer access to them. `connectOwner` connects as the
 * schema's owner. Any number of nodes may call it at once; one does the work while the others wait. If there is nothing to do,
 * pg-boss is not even loaded.
 */
export async function installJobs(connectOwner: () => Promise<pg.Client>): Promise<void> {
  const client = await connectOwner()
  try {
    if ((await installedVersion(client)) >= jobsVersion) return
    // A session lock, because pg-boss's statements manage their own transaction.
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await install(client, await installedVersion(client))
  } finally {
    await client.end()
  }
}

const lockKey = 7_230_146

/** The installed version of the tables; 0 if there are none. */
export async function installedVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('${jobsSchema}.version') is not null as there`,
  )
  if (!rows[0]?.there) return 0
  const versions = await client.query<{ version: number }>(`select version from ${jobsSchema}.version`)
  return versions.rows[0]?.version ?? 0
}

async function install(client: pg.Client, installed: number): Promise<void> {
  if (installed >= jobsVersion) return
  const { getConstructionPlans, getMigrationPlans } = await import('pg-boss')
  await client.query(
    installed === 0
      ? getConstructionPlans(jobsSchema, { createSchema: false })
      : getMigrationPlans(jobsSchema, installed),
  )
  await client.query(
    `grant usage on schema ${jobsSchema} to svc_writer;
     grant select, insert, update, delete on all tables in schema ${jobsSchema} to svc_writer`,
  )
}
