import { chown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { ENVIRONMENT, majorVersion } from './binaries.ts'
import { EmbeddedServerError, errorOutput } from './errors.ts'
import { runProgram } from './run-program.ts'

/** The database's superuser. It can log in only over the socket in the private cluster folder. */
export const SUPERUSER = 'svc'

/**
 * The cluster's path for its own programs: their working folder, which they enter before they drop root's rights. So
 * they need no access to the folders above it.
 */
export const CLUSTER_BY_CWD = process.platform === 'linux' ? '/proc/self/cwd' : '.'

const INITDB_OPTIONS = [
  `--pgdata=${CLUSTER_BY_CWD}`,
  `--username=${SUPERUSER}`,
  '--auth-local=trust',
  '--auth-host=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
]

/**
 * Creates the cluster if there is none, and checks that its major version is that of the binaries. Call it in one
 * process at a time. With `durable` false, for throw-away clusters, nothing is synced to disk. Aborting the signal
 * removes an incomplete cluster. Throws EmbeddedServerError.
 */
export async function ensureCluster(
  cluster: string,
  binaries: Binaries,
  account: Account,
  durable = true,
  signal?: AbortSignal,
) {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(absent)
  if (version === undefined) return await createCluster(cluster, binaries, account, durable, signal)
  if (version.trim() === majorVersion(binaries)) return
  throw new EmbeddedServerError(
    'other_version',
    `The database in ${cluster} was made by PostgreSQL ${version.trim()}, and this release runs PostgreSQL ` +
      `${majorVersion(binaries)}: carry it over with pg_dump, or start the release that made it.`,
  )
}

// Created under another name and then renamed, so that a cluster is complete or absent, whenever the process is killed.
async function createCluster(
  cluster: string,
  binaries: Binaries,
  account: Account,
  durable: boolean,
  signal: AbortSignal | undefined,
) {
  await removeHalfMade(cluster)
  const making = await mkdtemp(`${cluster}.new-`)
  if (process.geteuid!() === 0) await chown(making, account.uid, account.gid)
  try {
    await initialize(making, binaries, account, durable, signal)
  } catch (error) {
    if (signal?.aborted) await removeHalfMade(cluster)
    throw error
  }
  await rename(making, cluster).catch(refuseOccupied(cluster))
  await flushFolder(dirname(cluster))
}

async function removeHalfMade(cluster: string) {
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}.new-`)) continue
    await rm(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 5 })
  }
}

async function initialize(
  folder: string,
  binaries: Binaries,
  account: Account,
  durable: boolean,
  signal: AbortSignal | undefined,
) {
  const options = durable ? INITDB_OPTIONS : [...INITDB_OPTIONS, '--no-sync']
  const how = { cwd: folder, uid: account.uid, gid: account.gid, env: ENVIRONMENT }
  try {
    await runProgram(join(binaries.folder, 'bin/initdb'), options, how, signal)
  } catch (cause) {
    signal?.throwIfAborted()
    const message = `PostgreSQL could not make its database: ${errorOutput(cause)}`
    throw new EmbeddedServerError('start_failed', message, { cause })
  }
}

function refuseOccupied(cluster: string) {
  return (cause: NodeJS.ErrnoException) => {
    throw new EmbeddedServerError(
      'foreign_cluster',
      `${cluster} is not a PostgreSQL database, and the service needs this path for its own (${cause.code}).`,
      { cause },
    )
  }
}

async function flushFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function absent(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
