import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { createClient } from '../../packages/sdk/src/index.ts'
import { openHttpConnection } from '../http-connection.ts'
import { loadOf, type Load } from '../load.ts'
import { floorRoom, makeFloor } from '../mutations/mutations-floor-rooms.ts'
import type { Owner } from '../mutations/mutations-load.ts'
import { startWithDatabase } from '../mutations/mutations-services.ts'
import { writeResults } from '../results.ts'
import { compare, withProcessor } from '../rounds.ts'
import { startProcess } from '../service-process.ts'
import { document } from './valuations-document.ts'
import { engineTimes } from './valuations-engine.ts'
import { valuationsTables } from './valuations-floor-sql.ts'

const connections = 16

/**
 * The engine in this process; then valuations over HTTP, in 16 Workspaces, by the service and by the floor of
 * valuations-floor.ts, each in turn for `--seconds S`, in `--rounds N`.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  })
  const engine = engineTimes()
  await using running = new AsyncDisposableStack()
  const { folder, service, address, client } = await startWithDatabase(running)
  const { base_url, owner } = service
  const workspaces = await makeWorkspaces(base_url, owner)
  const sample = join(folder, 'sample.json')
  await writeFile(sample, JSON.stringify(await sampleOf(base_url, owner, workspaces[0] as string, client)))
  await makeFloor(address, owner.user_id, connections)
  await client.query(valuationsTables)
  const floor = await startProcess(new URL('./valuations-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ address, user_id: owner.user_id, connections, sample }),
  })
  running.defer(() => floor.stop())
  const ofFloor = Array.from(
    { length: connections },
    (_, i) => floorRoom('node', connections, i).workspace_id,
  )
  const http = await compare(
    ['create_and_run'],
    { rounds: Number(values.rounds), seconds: Number(values.seconds) },
    {
      ours: (_kind, seconds) =>
        withProcessor(service, () =>
          createMany(base_url, () => '/v1/valuations', headersOf(owner.access_token, workspaces), seconds),
        ),
      floor: (_kind, seconds) =>
        withProcessor(floor, () =>
          createMany(floor.base_url, i => `/${ofFloor[i]}/valuations`, headersOf('', ofFloor), seconds),
        ),
    },
  )
  const figures = { engine, connections, http, memory_mib: service.memory() }
  console.log(JSON.stringify(figures, null, 2))
  console.error(`# written to ${writeResults('valuations', figures)}`)
}

const makeWorkspaces = (base_url: string, { access_token }: Owner): Promise<string[]> =>
  Promise.all(
    Array.from({ length: connections }, async (_, i) => {
      const { workspace } = await createClient({ base_url, access_token }).createWorkspace({
        name: `Bench ${i}`,
      })
      return workspace.id
    }),
  )

/** An answer of the service, and what it stored for it. */
async function sampleOf(base_url: string, { access_token }: Owner, workspace_id: string, client: pg.Client) {
  const us = createClient({ base_url, access_token, workspace_id })
  const answer = await us.createValuation({ ...(document as object), run: true } as Parameters<
    typeof us.createValuation
  >[0])
  const { rows } = await client.query<{ result: object; calculation: object }>(
    'select result, calculation from svc.valuation_results where valuation_id = $1',
    [answer.data.valuation_id],
  )
  return { answer, ...rows[0] }
}

const headersOf = (token: string, workspaces: readonly string[]) => (i: number) => ({
  ...(token && { authorization: `Bearer ${token}` }),
  'svc-workspace-id': workspaces[i] as string,
  'idempotency-key': randomUUID(),
  'content-type': 'application/json',
})

/** Creates valuations over all connections for a while, one at a time on each. */
async function createMany(
  base_url: string,
  pathOf: (i: number) => string,
  headers: (i: number) => Record<string, string>,
  seconds: number,
): Promise<Load> {
  const lines = await Promise.all(Array.from({ length: connections }, () => openHttpConnection(base_url)))
  const body = JSON.stringify({ ...document, run: true })
  try {
    return await loadOf(async i => void (await lines[i]?.send('POST', pathOf(i), headers(i), body)), {
      seconds,
      connections,
    })
  } finally {
    for (const line of lines) line.close()
  }
}
