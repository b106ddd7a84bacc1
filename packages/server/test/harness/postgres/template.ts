import { loadNaics } from '../../../src/businesses/import/naics.ts'
import type { DatabaseAddress } from '../../../src/database/connections/connection.ts'
import { connectOwner, connectWriter } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrating/migrate.ts'
import { installJobs } from '../../../src/jobs/install-jobs.ts'
import { addressOf, administer } from './administer.ts'

/** The environment by which tests find the server, and the database that theirs are copied from. */
export interface TestEnvironment {
  WBS_TEST_SERVER: string
  WBS_TEST_TEMPLATE: string
}

/** Makes a migrated database with the reference data on a server. */
export async function makeTemplate(server: DatabaseAddress, name: string): Promise<TestEnvironment> {
  await administer(server, client => client.query(`create database ${name}`))
  const template = addressOf(server, name)
  await migrate(template)
  await installJobs(() => connectOwner(template))
  const client = await connectWriter(template)
  await loadNaics(client)
  await client.end()
  return { WBS_TEST_SERVER: JSON.stringify(server), WBS_TEST_TEMPLATE: name }
}
