import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openEmbeddedServer } from '../../src/database/embedded.ts'

const quiet = { info: () => {}, warn: () => {} }

/**
 * Fills a folder with what takes long to make and is the same for every test: the first who needs it in a run of tests
 * makes it, and all copy that.
 */
export async function fillFromPrepared(
  folder: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  // The temporary folder is the run's own: scripts/test.ts removes it.
  const prepared = join(tmpdir(), `wbs-prepared-${name}`)
  if (!existsSync(prepared)) await prepare(prepared, make)
  // Node's own copy would give the files to whoever copies them.
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder])
}

/** Whoever is first to be done gives it its name; what others made meanwhile is thrown away. */
async function prepare(prepared: string, make: (folder: string) => Promise<void>): Promise<void> {
  const making = await mkdtemp(`${prepared}-`)
  await make(making)
  await rename(making, prepared).catch(async (error: unknown) => {
    if (!existsSync(prepared)) throw error
    await rm(making, { recursive: true, force: true })
  })
}

/** Puts a new cluster into a data folder, as a server that is started there for the first time makes it. */
export const fillWithCluster = (dataDir: string): Promise<void> =>
  fillFromPrepared(dataDir, 'cluster', async path => {
    const server = await openEmbeddedServer({ dataDir: path, log: quiet, settings: { fsync: 'off' } })
    await server.stop()
  })
