import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { HttpConnection } from '../http-connection.ts'
import { floorRoom, makeFloor } from '../mutations/mutations-floor-rooms.ts'
import { loadOn, makeTargets, type Target } from '../mutations/mutations-load.ts'
import { compare, withProcessor, type Contender } from '../rounds.ts'
import { startProcess } from '../service-process.ts'
import type { FilesBench } from './files-bench.ts'
import { textsTables } from './texts-floor-sql.ts'

const connections = 16
const places = { in_16_workspaces: connections, in_one_workspace: 1 }
type Place = keyof typeof places

/** Creates text Files of 1 KiB over 16 connections, in 16 Workspaces and in one, in turns with the floor. */
export async function measureTexts({ service, folder, rounds, seconds }: FilesBench): Promise<object> {
  const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
  const { user_id, access_token } = service.owner
  await makeFloor(address, user_id, connections)
  const client = new pg.Client(address)
  await client.connect()
  await client.query(textsTables)
  await client.end()
  const content = join(folder, 'floor')
  await mkdir(content)
  const floor = await startProcess(new URL('./texts-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ address, user_id, connections, folder: content }),
  })
  try {
    const targets = {
      in_16_workspaces: await targetsIn(service, 'in_16_workspaces'),
      in_one_workspace: await targetsIn(service, 'in_one_workspace'),
    }
    const load = { seconds, connections }
    const ours: Contender<Place> = (place, seconds) =>
      withProcessor(service, () =>
        loadOn(
          service.base_url,
          targets[place],
          (line, target) => createText(line, '/v1/files/text', target, access_token),
          {
            ...load,
            seconds,
          },
        ),
      )
    const bare: Contender<Place> = (place, seconds) =>
      withProcessor(floor, () =>
        loadOn(
          floor.base_url,
          floorTargets(place),
          (line, target) => createText(line, target.path, target, ''),
          {
            ...load,
            seconds,
          },
        ),
      )
    return {
      connections,
      create_text_file: await compare(
        Object.keys(places) as Place[],
        { rounds, seconds },
        { ours, floor: bare },
      ),
    }
  } finally {
    await floor.stop()
  }
}

const targetsIn = ({ base_url, owner }: FilesBench['service'], place: Place) =>
  makeTargets(base_url, owner, { workspaces: places[place], connections })

const floorTargets = (place: Place): Target[] =>
  Array.from({ length: connections }, (_, i) => {
    const { workspace_id } = floorRoom('node', places[place], i)
    return { path: `/${workspace_id}/files/text`, workspace_id, revision: 1 }
  })

/** POSTs a text of 1 KiB that no File has. */
const createText = (
  connection: HttpConnection,
  path: string,
  { workspace_id }: Target,
  token: string,
): Promise<string> =>
  connection.send(
    'POST',
    path,
    {
      authorization: `Bearer ${token}`,
      'svc-workspace-id': workspace_id,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    JSON.stringify({ name: 'Notes.md', content: randomBytes(512).toString('hex') }),
  )
