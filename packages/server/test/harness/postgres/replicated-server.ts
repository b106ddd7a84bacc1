import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import { plainServer, type PlainServer } from './plain-server.ts'
import { fillWithCluster } from './prepared-folder.ts'
import { prepareTestServer } from './test-server.ts'

/** A primary and a standby that replicates it. Databases of this process's tests are made on the primary. */
export interface ReplicatedServer {
  primary: PlainServer
  standby: PlainServer
  /** Waits until the standby has replayed what the primary has written by now. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

const quick = {
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '100ms',
  wal_keep_size: '1GB',
}

/** `settings` are those of the standby. */
export async function startReplicatedServer(
  settings: Record<string, string> = {},
): Promise<ReplicatedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-replicated-'))
  const [first, second] = [join(folder, 'primary'), join(folder, 'standby')]
  await promisify(execFile)('mkdir', [first])
  await fillWithCluster(first)
  await writeFile(
    join(first, 'postgres/pg_hba.conf'),
    'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
  )
  // A copy of a cluster that was stopped is a base backup of it.
  await promisify(execFile)('cp', ['-a', first, second])
  const signal = join(second, 'postgres/standby.signal')
  await promisify(execFile)('cp', ['-a', join(second, 'postgres/PG_VERSION'), signal])

  const primary = await plainServer(join(first, 'postgres'), quick)
  const { hostname, port, username } = new URL(primary.url('postgres'))
  const standby = await plainServer(join(second, 'postgres'), {
    ...quick,
    ...settings,
    primary_conninfo: `host=${hostname} port=${port} user=${username}`,
  })
  await primary.start()
  const { WBS_TEST_SERVER, WBS_TEST_TEMPLATE } = process.env
  const template = await prepareTestServer({ databaseUrl: primary.url('postgres'), folder })
  Object.assign(process.env, template.environment)
  await standby.start()
  return {
    primary,
    standby,
    async caughtUp() {
      const [now] = await primary.sql<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')
      await eventually(async () => {
        const [row] = await standby.sql<{ there: boolean }>(
          `select pg_last_wal_replay_lsn() >= '${now?.lsn}' as there`,
        )
        return row?.there || undefined
      })
    },
    async close() {
      Object.assign(process.env, { WBS_TEST_SERVER, WBS_TEST_TEMPLATE })
      await standby.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
