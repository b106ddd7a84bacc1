import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '../../packages/sdk/src/index.ts'
import { randomUUID } from 'node:crypto'
import { openHttpConnection, type HttpConnection } from '../http-connection.ts'
import { startService, startWithDatabase } from '../mutations/mutations-services.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'

const tell = (line: string) => console.error(`# ${line}`)

/** A node under measurement, and a Room that only its load changes. */
interface Node {
  name: string
  process: MeasuredProcess
  path: string
  revision: number
}

type Kind = 'read' | 'change'

/**
 * What metrics and traces cost: nodes on one database, one without either, one with metrics, and others that trace all
 * requests or a tenth of them.
 * Requests go to the nodes in turn, one at a time, so that what else the machine does disturbs all of them alike; the order
 * changes each time. `without_again` is a second node without either: what it differs by is noise. `--rounds N` (20),
 * `--requests N` (300 of each kind to each node in a round).
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { rounds: { type: 'string', default: '20' }, requests: { type: 'string', default: '300' } },
  })
  const [rounds, requests] = [Number(values.rounds), Number(values.requests)]
  await using running = new AsyncDisposableStack()
  const collector = await startProcess(new URL('./collector.ts', import.meta.url), {})
  running.defer(() => collector.stop())
  const { nodes, headers } = await startNodes(running, collector.base_url)
  const kinds: Record<string, object> = {}
  for (const kind of ['read', 'change'] as const) {
    tell(`warming up: ${kind}`)
    await measure(nodes, kind, headers, requests * 2)
    const spans = await spansOf(collector)
    const taken: Record<string, Sample>[] = []
    for (let round = 1; round <= rounds; round++) taken.push(await measure(nodes, kind, headers, requests))
    kinds[kind] = summary(nodes, taken)
    tell(`${kind}: ${JSON.stringify(kinds[kind])}, ${(await spansOf(collector)) - spans} spans arrived`)
  }
  const figures = { rounds, requests, ...kinds, memory_mib: memoryOf(nodes) }
  console.log(JSON.stringify(figures, null, 2))
  tell(`written to ${writeResults('telemetry', figures)}`)
}

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))

async function startNodes(running: AsyncDisposableStack, collector: string) {
  const first = await startWithDatabase(running)
  const { access_token } = first.service.owner
  const owner = createClient({ base_url: first.service.base_url, access_token })
  const { workspace } = await owner.createWorkspace({ name: 'Of the bench' })
  const client = createClient({ base_url: first.service.base_url, access_token, workspace_id: workspace.id })
  // Nodes of their own development provider do not know each other's tokens. All know the key.
  const { secret } = await client.createApiKey({ name: 'Bench', scopes: ['rooms:read', 'rooms:write'] })
  const headers = { 'x-svc-api-key': secret ?? '', 'svc-workspace-id': workspace.id }
  const DATABASE_URL = `postgresql://svc@/postgres?host=${encodeURIComponent(join(first.folder, 'postgres'))}`
  const traced = { DATABASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT: collector }
  const tenth = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  const settings: Record<string, Record<string, string>> = {
    without: { DATABASE_URL },
    without_again: { DATABASE_URL },
    metrics: { DATABASE_URL, SVC_METRICS_PORT: '0' },
    a_tenth: { ...traced, ...tenth },
    all: { ...traced, OTEL_TRACES_SAMPLER: 'always_on' },
  }
  const nodes: Node[] = []
  for (const [name, env] of Object.entries(settings)) {
    const process = await startService(main, join(first.folder, name), env)
    running.defer(() => process.stop())
    const { room } = await client.createRoom({ title: `Of ${name}` })
    nodes.push({ name, process, path: `/v1/rooms/${room.room_id}`, revision: room.revision })
  }
  return { nodes, headers }
}

async function send(
  node: Node,
  connection: HttpConnection,
  kind: Kind,
  headers: Record<string, string>,
): Promise<void> {
  if (kind === 'read') return void (await connection.send('GET', node.path, headers, ''))
  const body = JSON.stringify({ expected_revision: node.revision, title: `Title ${node.revision}` })
  const more = { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
  await connection.send('PATCH', node.path, { ...headers, ...more }, body)
  node.revision++
}

/** The median time of a request, and the processor time of the node for each, in milliseconds. */
interface Sample {
  p50_ms: number
  processor_ms: number
}

async function measure(
  nodes: readonly Node[],
  kind: Kind,
  headers: Record<string, string>,
  requests: number,
): Promise<Record<string, Sample>> {
  // The service closes a connection that is idle, and after a thousand requests.
  const connections = await Promise.all(nodes.map(({ process }) => openHttpConnection(process.base_url)))
  const took = new Map(nodes.map(node => [node, [] as number[]]))
  const before = nodes.map(({ process }) => process.processorTime())
  for (let i = 0; i < requests; i++)
    for (let at = 0; at < nodes.length; at++) {
      const turn = (at + i) % nodes.length
      const node = nodes[turn] as Node
      const begun = performance.now()
      await send(node, connections[turn] as HttpConnection, kind, headers)
      took.get(node)?.push(performance.now() - begun)
    }
  for (const connection of connections) connection.close()
  return Object.fromEntries(
    nodes.map((node, at) => [
      node.name,
      {
        p50_ms: quantile(took.get(node) ?? [], 0.5),
        processor_ms: (node.process.processorTime() - (before[at] ?? 0)) / requests,
      },
    ]),
  )
}

/** The medians of the rounds, and how much longer each took than the node without either, in percent of it. */
function summary(nodes: readonly Node[], rounds: readonly Record<string, Sample>[]) {
  const of = (name: string, figure: keyof Sample) => rounds.map(round => round[name]?.[figure] ?? Number.NaN)
  return Object.fromEntries(
    nodes.map(({ name }) => {
      const more = of(name, 'p50_ms').map((ms, at) => (ms / (of('without', 'p50_ms')[at] ?? 1) - 1) * 100)
      return [
        name,
        {
          p50_ms: rounded(median(of(name, 'p50_ms')), 3),
          processor_ms: rounded(median(of(name, 'processor_ms')), 3),
          more_than_without_percent: rounded(median(more), 1),
        },
      ]
    }),
  )
}

const memoryOf = (nodes: readonly Node[]) =>
  Object.fromEntries(nodes.map(({ name, process }) => [name, process.memory().now]))

const spansOf = async ({ base_url }: MeasuredProcess) => Number(await (await fetch(base_url)).text())
