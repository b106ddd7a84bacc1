import { rm } from 'node:fs/promises'
import { prepareTestServer } from '../../packages/server/test/harness/postgres/test-server.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/** Runs work that starts test services, outside of a test run: with the database server and the folder that they need. */
export async function onTestServer(work: () => Promise<void>): Promise<void> {
  const scratch = makeScratchFolder()
  const server = await prepareTestServer({ databaseUrl: process.env.DATABASE_URL || null, folder: scratch })
  try {
    Object.assign(process.env, server.environment, { TMPDIR: scratch })
    await work()
  } finally {
    await server.close()
    await rm(scratch, { recursive: true, force: true })
  }
}
