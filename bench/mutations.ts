import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Agent } from 'node:http'
import { createClient } from '../packages/sdk/src/index.ts'
import { exchange, throughputOf } from './load.ts'
import { ratioOf, writeResults } from './results.ts'
import { startProcess } from './service-process.ts'

const tell = (line: string) => console.error(`# ${line}`)
const connections = 16

/** A Room that one connection of the load changes over and over. */
interface Target {
  workspace_id: string
  room_id: string
  user_id: string
  revision: number
}

/**
 * PATCH of a Room, with all that a change comes with (idempotency, standing, access, revision, event, receipt, stored
 * answer), against the floor of mutations-floor.ts: its statements by hand in one transaction.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { rounds: { type: 'string', default: '7' } } })
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const service = await startProcess('../packages/server/src/main.ts', {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    SVC_SAMPLE_DATA: 'off',
  })
  try {
    const quickstart = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as {
      users: { owner: { access_token: string; user_id: string } }
    }
    const { owner } = quickstart.users
    const targets = await makeTargets(service.base_url, owner)
    const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
    const floor = await startProcess('./mutations-floor.ts', { FLOOR: JSON.stringify({ address, targets }) })
    const patchOurs = (i: number, agent: Agent) =>
      patchRoom(service.base_url, owner.access_token, targets[i] as Target, agent)
    const patchFloor = (i: number, agent: Agent) =>
      exchange(`${floor.base_url}/rooms/${i}`, agent, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: bodyOf(0),
      })
    const pairs: number[][] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      tell(`round ${round + 1} of ${values.rounds}`)
      pairs.push([
        await throughputOf(patchOurs, { seconds: 3, connections }),
        await throughputOf(patchFloor, { seconds: 3, connections }),
      ])
      // The floor counts revisions too, behind the clients' backs.
      await readRevisions(service.base_url, owner.access_token, targets)
    }
    await floor.stop()
    const figures = { connections, patch_room: ratioOf(pairs), memory_mib: service.memory() }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('mutations', figures)}`)
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A Room for each connection, four of them in a Workspace. */
async function makeTargets(
  base_url: string,
  owner: { access_token: string; user_id: string },
): Promise<Target[]> {
  const targets: Target[] = []
  for (let i = 0; i < connections / 4; i++) {
    const { access_token, user_id } = owner
    const client = createClient({ base_url, access_token })
    const { workspace } = await client.createWorkspace({ name: `Bench ${i}` })
    for (let j = 0; j < 4; j++) {
      const here = createClient({ base_url, access_token, workspace_id: workspace.id })
      const { room } = await here.createRoom({ title: `Room ${j}` })
      targets.push({ workspace_id: workspace.id, room_id: room.room_id, user_id, revision: room.revision })
    }
  }
  return targets
}

const bodyOf = (expected_revision: number) =>
  JSON.stringify({ expected_revision, title: `Title ${Math.random()}` })

async function patchRoom(base_url: string, token: string, target: Target, agent: Agent): Promise<void> {
  await exchange(`${base_url}/v1/rooms/${target.room_id}`, agent, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'svc-workspace-id': target.workspace_id,
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    body: bodyOf(target.revision),
  })
  target.revision++
}

async function readRevisions(
  base_url: string,
  access_token: string,
  targets: readonly Target[],
): Promise<void> {
  for (const target of targets) {
    const client = createClient({ base_url, access_token, workspace_id: target.workspace_id })
    target.revision = (await client.getRoom({ room_id: target.room_id })).room.revision
  }
}
