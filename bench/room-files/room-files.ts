import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import {
  connectionConfig,
  type DatabaseAddress,
} from '../../packages/server/src/database/connections/connection.ts'
import { sendRequest } from '../load.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'
import { explainedReader } from '../rooms/explained-reader.ts'
import { startProcess } from '../service-process.ts'
import { floorStatements } from './floor-statements.ts'
import { readingsOf, type Reading } from './room-files-readings.ts'
import { makeFilesWorld, type People } from './room-files-world.ts'

const tell = (line: string) => console.error(`# ${line}`)

/**
 * Reads Files in a Workspace of `--files N` (1,000,000) with `--room-files N` (10,000) in each Room, and in one of
 * `--open-rooms N` (5,000) Rooms that everybody sees. Measures the time of each of `--requests N` (100) over HTTP in turns
 * with the floor of room-files-floor.ts, and the buffers of the statements of both.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      files: { type: 'string', default: '1000000' },
      'room-files': { type: 'string', default: '10000' },
      'open-rooms': { type: 'string', default: '5000' },
      requests: { type: 'string', default: '100' },
    },
  })
  const size = {
    files: Number(values.files),
    room_files: Number(values['room-files']),
    permissions: Number(values['room-files']) / 2,
    open_rooms: Number(values['open-rooms']),
  }
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const service = await startProcess(new URL('../../packages/server/src/main.ts', import.meta.url), {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_SCALE: '0',
    SVC_SAMPLE_DATA: 'off',
  })
  const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
  const client = new pg.Client({ ...address, options: '-c search_path=svc,public' })
  try {
    await client.connect()
    const { users } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as { users: People }
    tell(`filling a Workspace with ${size.files} Files`)
    const begun = performance.now()
    const readings = readingsOf(await makeFilesWorld(client, service.base_url, users, size))
    tell(`filled in ${Math.round((performance.now() - begun) / 1000)} s`)
    const measured = await measure(service.base_url, address, readings, Number(values.requests))
    const figures = {
      ...size,
      requests: Number(values.requests),
      reads: measured,
      memory_mib: service.memory(),
    }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('room-files', figures)}`)
  } finally {
    await client.end()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(
  base_url: string,
  address: DatabaseAddress,
  readings: readonly Reading[],
  requests: number,
) {
  const floor = await startProcess(new URL('./room-files-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ address }),
  })
  try {
    const figures: Record<string, object> = {}
    for (const reading of readings) {
      const times = await latencies(base_url, floor.base_url, reading, requests)
      figures[reading.name] = { ...times, ...(await buffers(address, reading)) }
      tell(`${reading.name}: ${JSON.stringify(figures[reading.name])}`)
    }
    return figures
  } finally {
    await floor.stop()
  }
}

/** The service and the floor in turns, so that other load on the machine slows both of them. */
async function latencies(base_url: string, floor_url: string, reading: Reading, requests: number) {
  const { access_token, workspace_id } = reading.reader
  const headers = { authorization: `Bearer ${access_token}`, 'svc-workspace-id': workspace_id }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const values = encodeURIComponent(JSON.stringify(reading.floor.values))
  const ask = {
    ours: () => sendRequest(`${base_url}${reading.path}`, agent, { method: 'GET', headers }),
    floor: () => sendRequest(`${floor_url}/${reading.floor.name}?values=${values}`, agent, { method: 'GET' }),
  }
  requireSameAnswer(reading, await ask.ours(), await ask.floor())
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

/** Throws unless both answers have the same Files; that of the floor may have one more, which shows that a page follows. */
function requireSameAnswer({ name, floor }: Reading, ours: string, other: string): void {
  const { data = [], file } = JSON.parse(ours) as Listed
  const files = file ? [file] : data.map(one => one.file ?? one)
  const expected = (JSON.parse(other) as { data: { id: string }[] }).data.slice(0, 20).map(({ id }) => id)
  const found = files.map(one => one.file_id)
  if (found.join() !== expected.join())
    throw new Error(
      `${name}: the service found ${found.length} Files, ${floor.name} ${expected.length} others.`,
    )
}

interface Listed {
  data?: { file_id?: string; file?: { file_id: string } }[]
  file?: { file_id: string }
}

/** The buffers of all statements of a request, with the generic plan. */
async function buffers(address: DatabaseAddress, { reader, run, floor }: Reading) {
  const plans = { plan_cache_mode: 'force_generic_plan' }
  const scope = { ...plans, 'svc.workspace_id': reader.workspace_id, 'svc.user_id': reader.user_id }
  const client = new pg.Client(connectionConfig(address, 'svc_reader', scope))
  const plain = new pg.Client({ ...address, options: '-c search_path=svc,public' })
  await Promise.all([client.connect(), plain.connect()])
  await plain.query('set plan_cache_mode = force_generic_plan')
  const ours = explainedReader(client)
  const others = explainedReader(plain)
  await run(ours.reader)
  const statement = {
    name: floor.name,
    text: floorStatements[floor.name],
    access: 'read',
    connectionClass: 'long',
  } as const
  await others.reader.many(statement, floor.values)
  await Promise.all([client.end(), plain.end()])
  const sum = (taken: typeof ours.taken) => taken.reduce((total, one) => total + one.buffers, 0)
  return { statements: ours.taken.length, buffers: sum(ours.taken), floor_buffers: sum(others.taken) }
}
