import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { ofOperators, writeResults } from '../../bench/results.ts'
import { startLoad } from '../load/load.ts'
import { stopAfter } from '../load/loads.ts'
import { faultsOf, verifyInDatabase, verifyOverHttp } from '../load/verify.ts'
import { makeWorkspaces } from '../load/workspaces.ts'
import { startDatabase } from '../nodes/database.ts'
import { prepareNodes } from '../nodes/nodes.ts'
import { startedParts } from '../nodes/stack.ts'
import { failThrough } from './failures.ts'
import { startPooler } from './pooler.ts'

/**
 * Two nodes whose requests reach PostgreSQL through PgBouncer in transaction mode, with `--size N` connections for both,
 * under load for `--seconds S`; then the same nodes without it. `--program FILE` is a PgBouncer from 1.21 on: earlier ones
 * have no named statements in this mode. docs/guides/scaling.md has the figures.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    size: { type: 'string', default: '10' },
    program: { type: 'string', default: 'pgbouncer' },
    port: { type: 'string', default: '23100' },
  },
})
const port = Number(values.port)
// The jobs and the script itself connect to PostgreSQL directly.
const connectionsSql = `
  select count(*)::int as connections, count(*) filter (where application_name not in ('wbs jobs', ''))::int as of_requests
  from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
await using running = startedParts()
const database = await startDatabase(running)
const prepared = await prepareNodes(running, database)
const admin = new pg.Client(database.address)
await admin.connect()
running.defer(() => admin.end())

const direct = await loadOn({ SVC_SAMPLE_DATA: 'on' })
await admin.query(await readFile(new URL('./pooler.sql', import.meta.url), 'utf8'))
const pooler = await startPooler(running, database, {
  program: values.program,
  port: port + 2,
  size: Number(values.size),
})
const failed = await failThrough(pooler)
const pooled = await loadOn({ DATABASE_POOLER_URL: pooler })
const figures = { pool_size: Number(values.size), direct: direct.figures, pooled: pooled.figures }
console.table({ direct: direct.figures, pooled: pooled.figures })
console.error(`# written to ${writeResults('pgbouncer', figures, ofOperators)}`)
for (const fault of [...failed, ...direct.faults, ...pooled.faults]) {
  console.error(fault)
  process.exitCode = 1
}

async function connections(): Promise<{ connections: number; of_requests: number }> {
  const { rows } = await admin.query<{ connections: number; of_requests: number }>(connectionsSql)
  return rows[0] ?? { connections: 0, of_requests: 0 }
}

async function loadOn(env: Record<string, string>) {
  const nodes = [await prepared.start(port, env), await prepared.start(port + 1, env)] as const
  const workspaces = await makeWorkspaces(nodes[0].base_url, prepared.access_token, 4)
  const loads = nodes.map(({ base_url }) =>
    startLoad({ base_url, workspaces, changers: 4, readers: 4, attempts: 3 }),
  )
  const { reports, most, ...perSecond } = await stopAfter(
    loads,
    Number(values.seconds),
    connections,
    sample => sample.connections,
  )
  const findings = []
  for (const report of reports)
    findings.push(
      await verifyInDatabase(report, database.address),
      await verifyOverHttp(report, nodes[1].base_url, workspaces),
    )
  await Promise.all(nodes.map(node => node.stop()))
  const failed = reports.flatMap(({ attempts }) => attempts)
  return {
    figures: {
      most_connections: most.connections,
      of_them_for_requests: most.of_requests,
      ...perSecond,
      acknowledged: reports.reduce((total, { acknowledged }) => total + acknowledged.length, 0),
      failed_attempts: failed.length,
    },
    faults: [
      ...faultsOf(...findings),
      ...failed.map(({ operation, status, reason }) => `${operation}: ${status ?? 'no answer'} ${reason}`),
      ...reports.flatMap(({ stale_reads }) => stale_reads.map(read => JSON.stringify(read))),
    ],
  }
}
