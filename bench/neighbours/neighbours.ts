import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@wbs/sdk'
import { sendRequest } from '../load.ts'
import { fillWorkspace } from './neighbours-workspace.ts'
import { quantile, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'

const tell = (line: string) => console.error(`# ${line}`)

interface Person {
  access_token: string
  user_id: string
}

/** How long each kind of request took, in milliseconds. */
type Times = Record<string, number[]>

/**
 * Measures what a busy Workspace costs its neighbours. The busy one has `--rooms N` (3,000) Rooms and `--events N`
 * (100,000) events, and `--readers N` (16) and `--writers N` (16) without pauses. A person in another Workspace sends
 * one request after the other, for `--seconds S` (10) alone and then beside that load, in each of `--rounds N` (3)
 * rounds. Everything shares one machine, so a bare route is measured as well.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      rooms: { type: 'string', default: '3000' },
      events: { type: 'string', default: '100000' },
      readers: { type: 'string', default: '16' },
      writers: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
    },
  })
  const sizes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]))
  const { rooms = 0, events = 0, readers = 0, writers = 0, seconds = 0, rounds = 0 } = sizes
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const service = await startProcess(new URL('../../packages/server/src/main.ts', import.meta.url), {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    SVC_SAMPLE_DATA: 'off',
  })
  stack.defer(() => service.stop())
  const { users } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as {
    users: Record<'owner' | 'outsider', Person>
  }
  const busy = await makeWorkspace(service, users.owner, writers)
  const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
  await fillWorkspace(address, { ...busy, user_id: users.owner.user_id }, { rooms, events })
  const quiet = await makeWorkspace(service, users.outsider, 25)
  tell(`the busy Workspace has ${rooms} Rooms and ${events} events`)

  const floor = await startProcess(new URL('./neighbours-floor.ts', import.meta.url), {})
  stack.defer(() => floor.stop())
  const { base_url } = service
  const load = await startProcess(new URL('./neighbours-load.ts', import.meta.url), {
    LOAD: JSON.stringify({ base_url, access_token: users.owner.access_token, ...busy, readers }),
  })
  stack.defer(() => load.stop())

  const neighbour = neighbourOf(service, floor, users.outsider, quiet)
  const [alone, beside]: [Times, Times] = [{}, {}]
  const done = { reads: 0, writes: 0, refused: 0 }
  await neighbour({}, 2)
  for (let round = 1; round <= rounds; round++) {
    tell(`round ${round} of ${rounds}`)
    await neighbour(alone, seconds)
    await post(`${load.base_url}/begin`)
    await sleep(1000)
    const begun = performance.now()
    await neighbour(beside, seconds)
    const spent = (performance.now() - begun + 1000) / 1000
    const counts = (await post(`${load.base_url}/end`)) as typeof done
    for (const kind of ['reads', 'writes', 'refused'] as const) done[kind] += counts[kind] / spent / rounds
  }
  const figures = {
    ...sizes,
    load_per_second: Object.fromEntries(Object.entries(done).map(([kind, rate]) => [kind, rounded(rate, 1)])),
    neighbour_ms: Object.fromEntries(
      Object.keys(alone).map(kind => [kind, compared(alone[kind] ?? [], beside[kind] ?? [])]),
    ),
    memory_mib: service.memory(),
  }
  console.log(JSON.stringify(figures, null, 2))
  tell(`written to ${writeResults('neighbours', figures)}`)
}

interface Workspace {
  workspace_id: string
  rooms: { room_id: string; revision: number }[]
}

async function makeWorkspace(
  { base_url }: MeasuredProcess,
  owner: Person,
  rooms: number,
): Promise<Workspace> {
  const { access_token } = owner
  const { workspace } = await createClient({ base_url, access_token }).createWorkspace({ name: 'Bench' })
  const client = createClient({ base_url, access_token, workspace_id: workspace.id })
  const made: Workspace = { workspace_id: workspace.id, rooms: [] }
  for (let i = 0; i < rooms; i++) {
    const { room } = await client.createRoom({ title: `Room ${i}` })
    made.rooms.push({ room_id: room.room_id, revision: room.revision })
  }
  return made
}

/** Sends one request after the other, with a pause after each, and records how long each took. */
function neighbourOf(service: MeasuredProcess, floor: MeasuredProcess, who: Person, workspace: Workspace) {
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${who.access_token}`, 'svc-workspace-id': workspace.workspace_id }
  const room = workspace.rooms[0] as Workspace['rooms'][number]
  const get = (path: string) => sendRequest(`${service.base_url}${path}`, agent, { method: 'GET', headers })
  const asked: Record<string, () => Promise<unknown>> = {
    get_room: () => get(`/v1/rooms/${room.room_id}`),
    list_rooms: () => get('/v1/rooms?limit=20'),
    newest_events: () => get('/v1/events?limit=20'),
    patch_room: async () => {
      const body = JSON.stringify({ expected_revision: room.revision, title: `Title ${Math.random()}` })
      const change = { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
      const sent = { method: 'PATCH', headers: { ...headers, ...change }, body }
      await sendRequest(`${service.base_url}/v1/rooms/${room.room_id}`, agent, sent)
      room.revision++
    },
    floor: () => sendRequest(`${floor.base_url}/nothing`, agent, { method: 'GET' }),
  }
  return async (times: Times, seconds: number): Promise<void> => {
    const end = performance.now() + seconds * 1000
    while (performance.now() < end)
      for (const [kind, ask] of Object.entries(asked)) {
        const begun = performance.now()
        await ask()
        ;(times[kind] ??= []).push(performance.now() - begun)
        await sleep(4)
      }
  }
}

async function post(url: string): Promise<unknown> {
  return JSON.parse(await sendRequest(url, new Agent(), { method: 'POST' })) as unknown
}

function compared(alone: readonly number[], beside: readonly number[]) {
  const of = (times: readonly number[]) => ({
    median: rounded(quantile(times, 0.5)),
    p99: rounded(quantile(times, 0.99)),
    asked: times.length,
  })
  return { alone: of(alone), beside_load: of(beside) }
}
