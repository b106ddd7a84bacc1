import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '../../packages/server/src/database/connections/connection.ts'
import { openEmbeddedServer } from '../../packages/server/src/database/embedded.ts'

/** A PostgreSQL of its own for a script, in a folder that is removed at the end. */
export interface ScriptDatabase {
  /** The folder, in which a script may keep more. */
  folder: string
  address: DatabaseAddress & { host: string; port: number; user: string }
  /** The value of DATABASE_URL. */
  url: string
}

export async function startDatabase(
  running: AsyncDisposableStack,
  settings: Record<string, string> = {},
): Promise<ScriptDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-ops-'))
  running.defer(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL and a pooler run as another user, if the script runs as root, and meet at a socket in there.
  await chmod(folder, 0o711)
  await mkdir(join(folder, 'database'))
  await chmod(join(folder, 'database'), 0o711)
  const quiet = { info() {}, warn: (details: object, message: string) => console.error(message, details) }
  const server = await openEmbeddedServer({ dataDir: join(folder, 'database'), log: quiet, settings })
  running.defer(() => server.stop())
  const address = { host: server.socketDir, port: server.port, user: server.user, database: 'postgres' }
  const url = `postgresql://${address.user}@/postgres?host=${encodeURIComponent(address.host)}&port=${address.port}`
  return { folder, address, url }
}
