import { Agent } from 'node:http'
import pg from 'pg'
import {
  connectionConfig,
  type DatabaseAddress,
} from '../../packages/server/src/database/connections/connection.ts'
import { nameParameters } from '../../packages/server/src/database/parameters.ts'
import { madeStatement, type Reader } from '../../packages/server/src/database/statement.ts'
import { sendRequest } from '../load.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import { startProcess } from '../service-process.ts'
import { explainedReader } from './explained-reader.ts'

/** The floor's statements, by name, written by hand for one kind of reader each. Their rows have an `id`. */
export type FloorStatements = Readonly<Record<string, string>>

/** One request, as the service and as the floor answer it, and the statements of the service. */
export interface Reading {
  name: string
  /** How the request identifies its sender. */
  headers: Record<string, string>
  reader: { workspace_id: string; user_id: string }
  path: string
  floor: { name: string; values: unknown[] }
  /** The ids in an answer of the service. */
  idsIn(answer: unknown): string[]
  run(reader: Reader): Promise<unknown>
}

/**
 * Measures each read in turns with the floor, one request at a time, and the buffers of the statements of both. The run fails
 * if the two do not find the same rows.
 */
export async function compareReads(
  base_url: string,
  address: DatabaseAddress,
  statements: FloorStatements,
  readings: readonly Reading[],
  requests: number,
) {
  const floor = await startProcess(new URL('./statement-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ address, statements }),
  })
  try {
    const figures: Record<string, object> = {}
    for (const reading of readings) {
      const times = await latencies(base_url, floor.base_url, reading, requests)
      figures[reading.name] = { ...times, ...(await buffers(address, statements, reading)) }
      console.error(`# ${reading.name}: ${JSON.stringify(figures[reading.name])}`)
    }
    return figures
  } finally {
    await floor.stop()
  }
}

/** The service and the floor in turns, so that other load on the machine slows both of them. */
async function latencies(base_url: string, floor_url: string, reading: Reading, requests: number) {
  const headers = { ...reading.headers, 'svc-workspace-id': reading.reader.workspace_id }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const values = encodeURIComponent(JSON.stringify(reading.floor.values))
  const ask = {
    ours: () => sendRequest(`${base_url}${reading.path}`, agent, { method: 'GET', headers }),
    floor: () => sendRequest(`${floor_url}/${reading.floor.name}?values=${values}`, agent, { method: 'GET' }),
  }
  requireSameRows(reading, await ask.ours(), await ask.floor())
  const times = { ours: [] as number[], floor: [] as number[] }
  for (let i = -10; i < requests; i++)
    for (const which of ['ours', 'floor'] as const) {
      const begun = performance.now()
      await ask[which]()
      if (i >= 0) times[which].push(performance.now() - begun)
    }
  agent.destroy()
  return {
    median_ms: rounded(median(times.ours)),
    p99_ms: rounded(quantile(times.ours, 0.99)),
    floor_median_ms: rounded(median(times.floor)),
    times_the_floor: rounded(median(times.ours) / median(times.floor), 1),
  }
}

/** Throws unless both answers have the same rows; that of the floor may have one more, which shows that a page follows. */
function requireSameRows({ name, floor, idsIn }: Reading, ours: string, other: string): void {
  const expected = (JSON.parse(other) as { data: { id: string }[] }).data.slice(0, 20).map(({ id }) => id)
  const found = idsIn(JSON.parse(ours))
  if (found.join() !== expected.join())
    throw new Error(
      `${name}: the service found ${found.length} rows, ${floor.name} ${expected.length} others.`,
    )
}

/** The buffers of all statements of a request, with the generic plan. */
async function buffers(
  address: DatabaseAddress,
  statements: FloorStatements,
  { reader, run, floor }: Reading,
) {
  const plans = { plan_cache_mode: 'force_generic_plan' }
  const scope = { ...plans, 'svc.workspace_id': reader.workspace_id, 'svc.user_id': reader.user_id }
  const client = new pg.Client(connectionConfig(address, 'svc_reader', scope))
  const plain = new pg.Client({ ...address, options: '-c search_path=svc,public' })
  await Promise.all([client.connect(), plain.connect()])
  await plain.query('set plan_cache_mode = force_generic_plan')
  const ours = explainedReader(client)
  const others = explainedReader(plain)
  await run(ours.reader)
  const { text, values } = nameParameters(statements[floor.name] ?? '', floor.values)
  const statement = madeStatement<unknown, 'read'>({
    name: floor.name,
    text,
    access: 'read',
    connectionClass: 'long',
  })
  await others.reader.many(statement, values)
  await Promise.all([client.end(), plain.end()])
  const sum = (taken: typeof ours.taken) => taken.reduce((total, read) => total + read.buffers, 0)
  return { statements: ours.taken.length, buffers: sum(ours.taken), floor_buffers: sum(others.taken) }
}
