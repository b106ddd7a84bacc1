import pg from 'pg'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }

/** The schema of the database that holds the jobs, and nothing else. */
export const jobsSchema = 'svc_jobs'

/** The version of its tables that this version of the service works with. */
export const jobsVersion = bossPackage.pgboss.schema

/**
 * Makes the tables of the jobs, or brings them up to this version, and lets svc_writer use them. `owner` connects as
 * the schema's owner. Any number of nodes may start at once; one does the work and the others wait for it. Where there
 * is nothing to do, which is at every start but the first, the library itself is not even loaded.
 */
export async function installJobs(owner: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(owner)
  // One that breaks fails the statement under way; unheard, it would end the process besides.
  client.on('error', () => undefined)
  await client.connect()
  try {
    if ((await installedVersion(client)) >= jobsVersion) return
    // For the session: the library's own statements come with a transaction of theirs.
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await install(client, await installedVersion(client))
  } finally {
    await client.end()
  }
}

const lockKey = 7_230_146

/** The version of the tables that are there; 0 where there is nothing yet. */
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
