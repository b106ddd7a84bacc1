import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { accountFor } from '../../../src/database/embedded/account.ts'
import { ENVIRONMENT, runnableBinaries } from '../../../src/database/embedded/binaries.ts'
import { CLUSTER_BY_CWD, SUPERUSER } from '../../../src/database/embedded/cluster.ts'
import { codeOf } from '../../../src/database/faults.ts'
import { eventually } from '../eventually.ts'

/** A PostgreSQL on a port of 127.0.0.1 that nothing supervises, so that a test can kill it or stop it. */
export interface PlainServer {
  url(database: string): string
  /** Runs a statement as the superuser. */
  sql<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, database?: string): Promise<Row[]>
  /** Starts it, and waits until it answers. */
  start(): Promise<void>
  /** Halts all of its processes, as they are. Gives the function that lets them go on. */
  freeze(): Promise<() => void>
  /** Kills all of its processes, as a crash of the machine does. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** A server of the cluster in a folder, whose pg_hba.conf must let in connections of 127.0.0.1. It is not started yet. */
export async function plainServer(cluster: string, settings: Record<string, string>): Promise<PlainServer> {
  const port = await freePort()
  const account = accountFor(cluster)
  const { folder } = await runnableBinaries(account)
  const all = {
    fsync: 'off',
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    jit: 'off',
    ...settings,
  }
  let running: ChildProcess | null = null
  const url = (database: string) => `postgresql://${SUPERUSER}@127.0.0.1:${port}/${database}`

  async function sql<Row extends pg.QueryResultRow>(text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url(database), connectionTimeoutMillis: 2000 })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** The postmaster first, so that it starts no others. */
  async function processes(): Promise<number[]> {
    const others = await sql<{ pid: number }>('select pid from pg_stat_activity')
    return [running?.pid ?? 0, ...others.map(({ pid }) => pid)].filter(pid => pid > 0)
  }

  return {
    url,
    sql,
    async start() {
      const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      running = spawn(join(folder, 'bin/postgres'), ['-D', CLUSTER_BY_CWD, ...options], {
        ...account,
        cwd: cluster,
        env: ENVIRONMENT,
        detached: true,
        stdio: 'ignore',
      })
      const child = running
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error('The server ended while it started.')
        return sql('select 1').catch(() => undefined)
      })
    },
    async freeze() {
      const pids = await processes()
      for (const pid of pids) send(pid, 'SIGSTOP')
      return () => pids.forEach(pid => send(pid, 'SIGCONT'))
    },
    async crash() {
      const pids = await processes()
      const gone = running && once(running, 'exit')
      for (const pid of pids) send(pid, 'SIGKILL')
      await gone
    },
    async stop() {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const gone = once(running, 'exit')
      running.kill('SIGQUIT')
      await gone
    },
  }
}

/** Some have ended by themselves. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
