import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { HttpConnection } from '../http-connection.ts'
import { floorRoom, makeFloor, requireWholeChanges } from './mutations-floor-rooms.ts'
import {
  createRoom,
  inviteParticipant,
  loadOn,
  makeTargets,
  patchRoom,
  type Target,
} from './mutations-load.ts'
import { findPgbench, pgbenchLoad } from './mutations-pgbench.ts'
import { startService, type StartedService } from './mutations-services.ts'
import { statementsOfPatch } from './mutations-statements.ts'
import { writeResults } from '../results.ts'
import { compare, shown, withProcessor, type Contender } from '../rounds.ts'
import { startProcess } from '../service-process.ts'

const tell = (line: string) => console.error(`# ${line}`)
const connections = 16
const mainOf = (checkout: string) => join(checkout, 'packages/server/src/main.ts')
const here = fileURLToPath(new URL('../..', import.meta.url))

/** Whether the changed Rooms are each in a Workspace of their own, or all in one. */
const places = { in_16_workspaces: connections, in_one_workspace: 1 }
type Place = keyof typeof places

/**
 * PATCH of a Room over 16 connections, in 16 Workspaces and in one: by the service, by the floor of mutations-floor.ts,
 * by pgbench with the statements of that floor, and with `--against FOLDER` by the service of another checkout; each in
 * turn for `--seconds S`, in `--rounds N`. Then other changes by the service, and the statements of a PATCH.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1.5' },
      against: { type: 'string' },
    },
  })
  const seconds = Number(values.seconds)
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rm(folder, { recursive: true, force: true }))
  const start = async (checkout: string, name: string) => {
    const service = await startService(mainOf(checkout), join(folder, name))
    running.defer(() => service.stop())
    return service
  }
  const ours = await start(here, 'ours')
  const against = values.against && (await start(resolve(values.against), 'against'))
  const address = { host: join(folder, 'ours/postgres'), port: 5432, user: 'svc', database: 'postgres' }
  const floors = await startFloors(address, ours.owner.user_id, running)
  const patch_room = await compare(
    Object.keys(places) as Place[],
    { rounds: Number(values.rounds), seconds },
    {
      ours: await patching(ours),
      ...floors,
      ...(against && { against: await patching(against) }),
    },
  )
  await requireWholeChanges(address)
  const figures = {
    connections,
    patch_room,
    ...(!floors.pgbench && { pgbench: 'not measured: there is no pgbench on this machine' }),
    create_room: await elsewhere(ours, createRoom, seconds),
    // A Room takes 500 participants, and a longer run would fill it.
    invite_participant: await elsewhere(ours, inviteParticipant, Math.min(seconds, 3)),
    statements_of_patch: await statementsOfPatch(mainOf(here), join(folder, 'counted')),
    memory_mib: ours.memory(),
    ...(against && { memory_mib_of_against: against.memory() }),
  }
  console.log(JSON.stringify(figures, null, 2))
  tell(`written to ${writeResults('mutations', figures)}`)
}

async function patching(service: StartedService): Promise<Contender<Place>> {
  const { base_url, owner } = service
  const targets = await targetsIn(service)
  const send = (connection: HttpConnection, target: Target) =>
    patchRoom(connection, target, owner.access_token)
  return (place, seconds) =>
    withProcessor(service, () => loadOn(base_url, targets[place], send, { seconds, connections }))
}

const targetsIn = async ({ base_url, owner }: StartedService) => ({
  in_16_workspaces: await makeTargets(base_url, owner, { workspaces: places.in_16_workspaces, connections }),
  in_one_workspace: await makeTargets(base_url, owner, { workspaces: places.in_one_workspace, connections }),
})

type Address = Parameters<typeof pgbenchLoad>[0]['address']

/** The floors use the service's PostgreSQL, so that the settings are the same. */
async function startFloors(address: Address, user_id: string, running: AsyncDisposableStack) {
  await makeFloor(address, user_id, connections)
  const process = await startProcess(new URL('./mutations-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ address, user_id, connections }),
  })
  running.defer(() => process.stop())
  const targetsOf = (workspaces: number): Target[] =>
    Array.from({ length: connections }, (_, i) => {
      const { workspace_id, room_id } = floorRoom('node', workspaces, i)
      return { path: `/${workspace_id}/rooms/${room_id}`, workspace_id, revision: 1 }
    })
  const targets = {
    in_16_workspaces: targetsOf(places.in_16_workspaces),
    in_one_workspace: targetsOf(places.in_one_workspace),
  }
  const send = (connection: HttpConnection, target: Target) => patchRoom(connection, target, '')
  const floor: Contender<Place> = (place, seconds) =>
    withProcessor(process, () => loadOn(process.base_url, targets[place], send, { seconds, connections }))
  const program = findPgbench()
  if (!program) return { floor }
  const pgbench: Contender<Place> = (place, seconds) =>
    pgbenchLoad({ program, address, user_id, workspaces: places[place], connections, seconds })
  return { floor, pgbench }
}

/** The same load with another change. */
async function elsewhere(service: StartedService, send: typeof createRoom, seconds: number) {
  const { base_url, owner } = service
  const targets = await targetsIn(service)
  const load = (place: Place) =>
    loadOn(base_url, targets[place], (connection, target) => send(connection, target, owner.access_token), {
      seconds,
      connections,
    })
  return {
    in_16_workspaces: shown([await load('in_16_workspaces')]),
    in_one_workspace: shown([await load('in_one_workspace')]),
  }
}
