import { execFile, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { filled } from './filled.ts'
import { createMember, type Member } from './member.ts'
import { account, ended, requirePrograms, startProgram } from './programs.ts'

/** Three PostgreSQL under Patroni with etcd, and HAProxy at the address of their leader. */
export interface Cluster {
  /** For the service: through HAProxy. */
  database_url: string
  /** The member that Patroni calls its leader. Throws if there is none. */
  leader(): Promise<Member>
  /** The member that has each acknowledged change as well. Throws if there is none. */
  synchronousStandby(): Promise<Member>
  /** Waits until one member leads and all others stream from it, one of them synchronously. */
  settled(): Promise<void>
  /** Stops all members of etcd where they are. */
  freezeEtcd(): void
  thawEtcd(): void
  /** Hands the lead to another member, as before maintenance. */
  switchover(): Promise<void>
  close(): Promise<void>
}

const network = '127.0.0.0/8'
const ports = { etcd: 24_379, etcd_peer: 24_380, postgres: 24_432, rest: 24_008 }
const etcdHosts = ['127.0.0.11', '127.0.0.12', '127.0.0.13']
const memberHosts = ['127.0.0.14', '127.0.0.15', '127.0.0.16']
const proxyHost = '127.0.0.17'
const bin_dir = '/usr/lib/postgresql/15/bin'

export async function startCluster({ etcd }: { etcd: number }): Promise<Cluster> {
  requirePrograms()
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'wbs-patroni-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const keepers = startEtcd(folder, etcdHosts.slice(0, etcd))
  for (const keeper of keepers) starting.defer(() => ended(keeper, 'SIGKILL'))
  const secret = () => randomBytes(18).toString('base64url')
  const passwords = {
    superuser_password: secret(),
    replication_password: secret(),
    rewind_password: secret(),
  }
  const etcd_hosts = etcdHosts
    .slice(0, etcd)
    .map(host => `${host}:${ports.etcd}`)
    .join(',')
  const members = memberHosts.map((host, number) =>
    createMember(
      {
        name: `node${number + 1}`,
        host,
        network,
        rest_port: ports.rest,
        postgres_port: ports.postgres,
        etcd_hosts,
        bin_dir,
        ...passwords,
      },
      folder,
    ),
  )
  for (const member of members) {
    starting.defer(() => member.die())
    member.start()
  }
  starting.defer(startProxy(folder))

  async function connect(member: Member): Promise<pg.Client> {
    const client = new pg.Client({
      host: member.host,
      port: ports.postgres,
      user: 'postgres',
      password: passwords.superuser_password,
      database: 'postgres',
      connectionTimeoutMillis: 3000,
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  async function leader(): Promise<Member> {
    const states = await Promise.all(members.map(member => member.state()))
    const position = states.findIndex(
      state => state && /master|primary/.test(state.role) && state.state === 'running',
    )
    const found = members[position]
    if (!found) throw new Error('No member leads.')
    return found
  }

  /** The standbys that stream from the leader. */
  async function standbys(): Promise<{ name: string; sync_state: string }[]> {
    const client = await connect(await leader())
    try {
      const { rows } = await client.query<{ name: string; sync_state: string }>(
        `select application_name as name, sync_state from pg_stat_replication where state = 'streaming'`,
      )
      return rows
    } finally {
      await client.end()
    }
  }

  async function synchronousStandby(): Promise<Member> {
    const name = (await standbys()).find(row => row.sync_state === 'sync')?.name
    const found = members.find(member => member.name === name)
    if (!found) throw new Error('No standby is synchronous.')
    return found
  }

  async function isSettled(): Promise<boolean> {
    const streaming = await standbys()
    return streaming.length === members.length - 1 && streaming.some(row => row.sync_state === 'sync')
  }

  async function settled(): Promise<void> {
    for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(250))
      if (await isSettled().catch(() => false)) return
    const logs = members.map(member => `${member.name}: ${member.lastLines()}`)
    throw new Error(`The cluster did not settle in two minutes.\n${logs.join('\n')}`)
  }

  await settled()
  const password = secret()
  const superuser = await connect(await leader())
  await superuser.query(`create role wbs login createrole password '${password}'`)
  await superuser.query('create database wbs owner wbs')
  await superuser.end()
  const stack = starting.move()
  return {
    database_url: `postgresql://wbs:${password}@${proxyHost}:${ports.postgres}/wbs`,
    leader,
    settled,
    synchronousStandby,
    freezeEtcd: () => keepers.forEach(keeper => keeper.kill('SIGSTOP')),
    thawEtcd: () => keepers.forEach(keeper => keeper.kill('SIGCONT')),
    async switchover() {
      const { name } = await leader()
      const file = join(folder, 'node1/patroni.yaml')
      const args = ['-c', file, 'switchover', '--force', '--leader', name, 'wbs']
      await promisify(execFile)('/usr/bin/patronictl', args)
    },
    close: () => stack.disposeAsync(),
  }
}

function startEtcd(parent: string, hosts: readonly string[]): ChildProcess[] {
  const all = hosts.map(host => `${host}=http://${host}:${ports.etcd_peer}`).join(',')
  return hosts.map(host => {
    const folder = ownFolder(parent, `etcd-${host}`)
    return startProgram(
      '/usr/bin/etcd',
      [
        ['--name', host],
        ['--data-dir', join(folder, 'data')],
        ['--listen-client-urls', `http://${host}:${ports.etcd}`],
        ['--advertise-client-urls', `http://${host}:${ports.etcd}`],
        ['--listen-peer-urls', `http://${host}:${ports.etcd_peer}`],
        ['--initial-advertise-peer-urls', `http://${host}:${ports.etcd_peer}`],
        ['--initial-cluster', all],
        ['--log-level', 'warn'],
      ].flat(),
      folder,
      join(folder, 'etcd.log'),
    )
  })
}

function startProxy(parent: string): () => Promise<void> {
  const folder = ownFolder(parent, 'haproxy')
  const file = join(folder, 'haproxy.cfg')
  const servers = memberHosts
    .map((host, number) => `  server node${number + 1} ${host}:${ports.postgres} check port ${ports.rest}`)
    .join('\n')
  writeFileSync(file, filled('haproxy.cfg', { host: proxyHost, port: ports.postgres, servers }))
  const child = startProgram('/usr/sbin/haproxy', ['-db', '-f', file], folder, join(folder, 'haproxy.log'))
  return () => ended(child, 'SIGKILL')
}

function ownFolder(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder, { mode: 0o700 })
  const owner = account()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  return folder
}
