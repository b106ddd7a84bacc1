import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { processorShare, type ProcessorShare } from './processor-share.ts'

const bin = '/usr/lib/postgresql/15/bin'

/** A PostgreSQL with a share of a processor. */
export interface Server {
  url: string
  share: ProcessorShare
  start(): Promise<void>
  /** Kills all of its processes at once. */
  crash(): Promise<void>
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '4GB',
  wal_keep_size: '2GB',
  jit: 'off',
  // For the figures, the machine's disk does not count.
  fsync: 'off',
  hot_standby_feedback: 'on',
  max_standby_streaming_delay: '1s',
}

/** Makes a primary, which is started, and so many standbys that replicate it as it is then. */
export interface Servers {
  primary: Server
  addStandby(): Promise<Server>
}

export async function startServers(running: AsyncDisposableStack, firstPort: number): Promise<Servers> {
  if (!existsSync(`${bin}/pg_basebackup`)) throw new Error('Install first: apt-get install postgresql-15')
  if (process.getuid?.() !== 0)
    throw new Error('Run it as root: it gives each PostgreSQL a share of the processors.')
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const account = { uid: id('-u'), gid: id('-g') }
  const folder = mkdtempSync(join(tmpdir(), 'wbs-replicas-'))
  chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const run = (program: string, args: string[]) =>
    execFileSync(`${bin}/${program}`, args, {
      ...account,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  let count = 0

  function serverIn(name: string): Server {
    const port = firstPort + count++
    const share = processorShare(`wbs-${name}-${process.pid}`)
    running.defer(() => share.remove())
    let child: ChildProcess | null = null
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
    const processes = () =>
      query<{ pid: number }>(url, 'select pid from pg_stat_activity').then(rows => rows.map(({ pid }) => pid))
    running.defer(async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGQUIT')
      await once(child, 'exit')
    })
    return {
      url,
      share,
      async start() {
        const log = openSync(join(folder, `${name}.log`), 'a')
        const options = Object.entries({ ...settings, port }).flatMap(([key, value]) => [
          '-c',
          `${key}=${value}`,
        ])
        child = spawn(`${bin}/postgres`, ['-D', join(folder, name), ...options], {
          ...account,
          cwd: folder,
          stdio: ['ignore', log, log],
        })
        closeSync(log)
        share.add(Number(child.pid))
        for (let tries = 0; ; tries++)
          try {
            await query(url, 'select 1')
            return
          } catch (error) {
            if (tries === 300) throw error
            await sleep(100)
          }
      },
      async crash() {
        const pids = await processes()
        const gone = child && once(child, 'exit')
        for (const pid of [Number(child?.pid), ...pids])
          try {
            process.kill(pid, 'SIGKILL')
          } catch {
            // It has ended already.
          }
        await gone
      },
    }
  }

  const primary = serverIn('primary')
  run('initdb', ['-D', 'primary', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'])
  appendFileSync(join(folder, 'primary/pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
  await primary.start()
  return {
    primary,
    async addStandby() {
      const name = `standby-${count}`
      run('pg_basebackup', ['-D', name, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast', '-N'])
      const standby = serverIn(name)
      await standby.start()
      return standby
    },
  }
}

/** Runs a statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
