import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { eventsPage } from '../../packages/server/src/activity/event-store.ts'
import {
  connectionConfig,
  type DatabaseAddress,
} from '../../packages/server/src/database/connections/connection.ts'
import { roomsPage } from '../../packages/server/src/rooms/room-page-store.ts'
import type { Viewer } from '../../packages/server/src/rooms/visibility/room-visibility-store.ts'
import { roomById } from '../../packages/server/src/rooms/room-store.ts'
import { createClient } from '../../packages/sdk/src/index.ts'
import { explainedReader } from '../reads/explained-reader.ts'
import { sendRequest } from '../load.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'
import { fillWithRooms, idOfRoom } from './room-world.ts'
import { startProcess } from '../service-process.ts'

const tell = (line: string) => console.error(`# ${line}`)

/** A reader: of all Rooms of the Workspace, or of some. */
interface Reading extends Viewer {
  name: string
  access_token: string
  rooms: number
}

interface Quickstart {
  users: Record<'owner' | 'member' | 'newcomer', { user_id: string; access_token: string }>
}

/**
 * Reads Rooms and events in one Workspace of `--rooms N` (100,000) Rooms with `--events N` (1) events each, as an owner
 * who participates in all of them, and as a member and a guest who participate in 26. Measures the time of each of
 * `--requests N` (300) over HTTP, one after the other, and the buffers of the same statements.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      rooms: { type: 'string', default: '100000' },
      events: { type: 'string', default: '1' },
      requests: { type: 'string', default: '300' },
    },
  })
  const size = { rooms: Number(values.rooms), events: Number(values.events) }
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
    const quickstart = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as Quickstart
    const readings = await makeWorld(client, service.base_url, quickstart, size)
    const readers: Record<string, object> = {}
    for (const reading of readings) {
      tell(`${reading.name}, ${values.requests} of each request`)
      readers[reading.name] = {
        ...(await latencies(service.base_url, reading, Number(values.requests))),
        buffers: await buffers(address, reading),
      }
    }
    const figures = { ...size, requests: Number(values.requests), readers, memory_mib: service.memory() }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('rooms', figures)}`)
  } finally {
    await client.end()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A Workspace with so many Rooms, and its readers. */
async function makeWorld(
  client: pg.Client,
  base_url: string,
  { users }: Quickstart,
  size: { rooms: number; events: number },
): Promise<Reading[]> {
  const { owner, member, newcomer } = users
  const open = async ({ access_token }: { access_token: string }) => {
    const { workspace } = await createClient({ base_url, access_token }).createWorkspace(
      { name: 'Of many Rooms' },
      { idempotency_key: randomUUID() },
    )
    return workspace.id
  }
  const workspace_id = await open(owner)
  // A guest must already be a user of the service.
  await open(newcomer)
  await client.query(
    `insert into memberships (id, workspace_id, user_id, role, status, joined_at, created_at)
     values (gen_random_uuid(), $1, $2, 'member', 'active', now(), now())`,
    [workspace_id, member.user_id],
  )
  const reading = (name: string, who: typeof owner, rooms: number): Reading => {
    const is_member = name !== 'guest'
    return {
      ...who,
      name,
      workspace_id,
      rooms,
      is_member,
      reads_businesses: is_member,
      reads_lists: is_member,
    }
  }
  const some = Math.min(26, size.rooms)
  const readings = [
    reading('owner', owner, size.rooms),
    reading('member', member, some),
    reading('guest', newcomer, some),
  ]
  tell(`filling a Workspace with ${size.rooms} Rooms`)
  const seats = readings.map(({ user_id, is_member, rooms }) => ({ user_id, as_guest: !is_member, rooms }))
  await fillWithRooms(client, workspace_id, size, seats)
  await client.query('vacuum (analyze)')
  return readings
}

async function latencies(base_url: string, reading: Reading, requests: number) {
  const { access_token, workspace_id } = reading
  const headers = { authorization: `Bearer ${access_token}`, 'svc-workspace-id': workspace_id }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string) => sendRequest(`${base_url}${path}`, agent, { method: 'GET', headers })
  const { data } = JSON.parse(await ask('/v1/rooms?limit=1')) as { data: [{ room_id: string }] }
  const paths = {
    list_of_rooms: '/v1/rooms?limit=20',
    newest_events: '/v1/events?limit=20',
    one_room: `/v1/rooms/${data[0].room_id}`,
  }
  const times = Object.fromEntries(Object.keys(paths).map(name => [name, [] as number[]]))
  // In turns, so that other load on the machine slows all of them alike.
  for (let i = -20; i < requests; i++)
    for (const [name, path] of Object.entries(paths)) {
      const begun = performance.now()
      await ask(path)
      if (i >= 0) times[name]?.push(performance.now() - begun)
    }
  agent.destroy()
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [
      name,
      { median_ms: rounded(median(all)), p99_ms: rounded(quantile(all, 0.99)) },
    ]),
  )
}

/** The cost of each statement of a request, with the generic plan. */
async function buffers(address: DatabaseAddress, reading: Reading) {
  const client = new pg.Client(
    connectionConfig(address, 'svc_reader', {
      plan_cache_mode: 'force_generic_plan',
      'svc.workspace_id': reading.workspace_id,
      'svc.user_id': reading.user_id,
    }),
  )
  await client.connect()
  const { reader, taken } = explainedReader(client)
  const room = { business_id: undefined, parent_room_id: undefined, status: undefined, title: undefined }
  const event = { actor: null, about: null, types: null, since: null }
  const rooms = { room_id: undefined, business_id: undefined }
  await roomsPage(reader, reading, room, { after: '', limit: 20 })
  await eventsPage(reader, reading, rooms, event, { before: null, limit: 20 })
  const [last] = (
    await client.query<{ id: string }>(`select ${idOfRoom('$1::integer')} as id`, [reading.rooms])
  ).rows
  await roomById(reader, reading, last?.id ?? '')
  await client.end()
  return Object.fromEntries(taken.map(({ statement, buffers }) => [statement, buffers]))
}
