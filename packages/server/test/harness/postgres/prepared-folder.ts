import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openEmbeddedServer } from '../../../src/database/embedded.ts'
import { quietLog } from '../quiet-log.ts'

/**
 * Fills a folder with files that take long to create and are the same for every test. They are created once in a test run,
 * and copied for each test.
 */
export async function fillFromPrepared(
  folder: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  // scripts/test.ts creates and removes the temporary folder of a run.
  const prepared = join(tmpdir(), `wbs-prepared-${name}`)
  if (!existsSync(prepared)) await prepare(prepared, make)
  // fs.cp would change the owner of the files.
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder])
}

/** Several test files may do this at the same time. The first to finish wins; the results of the others are removed. */
async function prepare(prepared: string, make: (folder: string) => Promise<void>): Promise<void> {
  const making = await mkdtemp(`${prepared}-`)
  await make(making)
  await rename(making, prepared).catch(async (error: unknown) => {
    if (!existsSync(prepared)) throw error
    await rm(making, { recursive: true, force: true })
  })
}

/** Fills a data folder with a new cluster, as the first start of a server there would. */
export const fillWithCluster = (dataDir: string): Promise<void> =>
  fillFromPrepared(dataDir, 'cluster', async path => {
    const server = await openEmbeddedServer({ dataDir: path, log: quietLog, settings: { fsync: 'off' } })
    await server.stop()
  })
