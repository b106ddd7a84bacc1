import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ofOperators, writeResults } from '../../bench/results.ts'
import type { MeasuredProcess } from '../../bench/service-process.ts'
import { startLoad } from '../load/load.ts'
import { stopAfter } from '../load/loads.ts'
import { makeWorkspaces } from '../load/workspaces.ts'
import { startDatabase } from '../nodes/database.ts'
import { prepareNodes } from '../nodes/nodes.ts'
import { startedParts } from '../nodes/stack.ts'

/**
 * What a node takes: its connections to the database and its memory, at rest and under a load of `--clients N` that change
 * and as many that read, for `--seconds S`; then two nodes on the same database with half of the clients each, and one with
 * `--connections N` connections. The clients, the nodes and PostgreSQL share the machine.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '32' },
    connections: { type: 'string', default: '16' },
    port: { type: 'string', default: '23200' },
  },
})
const port = Number(values.port)
const clients = Number(values.clients)
await using running = startedParts()
const database = await startDatabase(running)
const prepared = await prepareNodes(running, database)
const admin = new pg.Client(database.address)
await admin.connect()
running.defer(() => admin.end())

const single = await measure([{ SVC_SAMPLE_DATA: 'on' }])
const two = await measure([{}, {}])
const bounded = await measure([{ SVC_DATABASE_CONNECTIONS: values.connections }])
const figures = {
  clients,
  one_node: single,
  two_nodes: two,
  [`one_node_with_${values.connections}`]: bounded,
}
console.log(JSON.stringify(figures, null, 2))
console.error(`# written to ${writeResults('node-figures', figures, ofOperators)}`)

async function measure(settings: readonly Record<string, string>[]) {
  const nodes: MeasuredProcess[] = []
  for (const [number, env] of settings.entries()) nodes.push(await prepared.start(port + number, env))
  const workspaces = await makeWorkspaces(nodes[0]?.base_url ?? '', prepared.access_token, 8)
  await sleep(2000)
  const atRest = { connections: await connections(), memory_mib: nodes.map(node => node.memory().now) }
  const each = { changers: clients / nodes.length, readers: clients / nodes.length }
  const loads = nodes.map(({ base_url }) => startLoad({ base_url, workspaces, ...each }))
  const { reports, most, ...perSecond } = await stopAfter(
    loads,
    Number(values.seconds),
    connections,
    ({ all = 0 }) => all,
  )
  const underLoad = {
    connections: most,
    memory_mib: nodes.map(node => node.memory().peak),
    ...perSecond,
    failed_attempts: reports.reduce((total, { attempts }) => total + attempts.length, 0),
  }
  await Promise.all(nodes.map(node => node.stop()))
  return { at_rest: atRest, under_load: underLoad }
}

/** The sessions of PostgreSQL by the names that the pools give them, and all of them. */
async function connections(): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ name: string; count: number }>(
    `select coalesce(nullif(application_name, ''), 'others') as name, count(*)::int as count from pg_stat_activity
     where backend_type = 'client backend' and application_name like 'wbs %' group by 1 order by 1`,
  )
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return { ...Object.fromEntries(rows.map(({ name, count }) => [name, count])), all }
}
