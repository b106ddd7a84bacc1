import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../packages/sdk/src/index.ts'
import { sendRequest } from '../load.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import type { MeasuredRule } from './lists-rules.ts'
import type { ListsWorld, Owner } from './lists-world.ts'

interface Neighbours {
  base_url: string
  /** The Workspace in which eight clients page through a List with the slow rule. */
  busy: ListsWorld
  /** The owner of another Workspace. */
  neighbour: Owner
  /** A rule whose pages end early. */
  slow: MeasuredRule
  fast: MeasuredRule
  seconds: number
}

const clients = 8

/** How long the requests of a Workspace take alone, and while another one pages through a List with a slow rule. */
export async function measureNeighbours({ base_url, busy, neighbour, slow, fast, seconds }: Neighbours) {
  const { workspace } = await createClient({
    base_url,
    access_token: neighbour.access_token,
  }).createWorkspace({ name: 'Beside a busy one' }, { idempotency_key: randomUUID() })
  const quiet = { ...neighbour, workspace_id: workspace.id }
  const slowPath = await pathOf(base_url, busy, slow)
  const asked = {
    search: '/v1/businesses?query=first&state=GA',
    'entries of a fast rule': await pathOf(base_url, quiet, fast),
    'entries of the slow rule': await pathOf(base_url, quiet, slow),
  }
  const alone = await timesOf(base_url, quiet, asked, seconds)
  const load = { stop: false, pages: 0 }
  const paging = Promise.all(Array.from({ length: clients }, () => pageOn(base_url, busy, slowPath, load)))
  await sleep(1000)
  const beside = await timesOf(base_url, quiet, asked, seconds)
  load.stop = true
  await paging
  const figures = Object.keys(asked).map(name => [
    name,
    { alone_ms: shown(alone[name] ?? []), beside_ms: shown(beside[name] ?? []) },
  ])
  return { ...Object.fromEntries(figures), pages_of_the_busy_one: load.pages }
}

type InWorkspace = Pick<ListsWorld, 'access_token' | 'workspace_id'>

const headersOf = ({ access_token, workspace_id }: InWorkspace) => ({
  authorization: `Bearer ${access_token}`,
  'svc-workspace-id': workspace_id,
})

async function pathOf(base_url: string, owner: InWorkspace, { name, rule }: MeasuredRule): Promise<string> {
  const definition = { schema_version: 'svc.list.v1', subject_type: 'business', rule } as const
  const { data } = await createClient({ base_url, ...owner }).createList({
    name: name.slice(0, 200),
    definition,
    columns: [],
  })
  return `/v1/lists/${data.id}/entries?limit=20`
}

/** Sends one request after the other, each kind in turn, and records how long each took. */
async function timesOf(base_url: string, owner: InWorkspace, asked: Record<string, string>, seconds: number) {
  const agent = new Agent({ keepAlive: true })
  const times: Record<string, number[]> = {}
  const end = performance.now() + seconds * 1000
  while (performance.now() < end)
    for (const [name, path] of Object.entries(asked)) {
      const begun = performance.now()
      await sendRequest(`${base_url}${path}`, agent, { method: 'GET', headers: headersOf(owner) })
      ;(times[name] ??= []).push(performance.now() - begun)
    }
  agent.destroy()
  return times
}

/** Follows the cursors of a List without a pause, and begins again at its end. */
async function pageOn(
  base_url: string,
  owner: InWorkspace,
  path: string,
  load: { stop: boolean; pages: number },
): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  let cursor: string | null = null
  while (!load.stop) {
    const url = `${base_url}${path}${cursor ? `&cursor=${cursor}` : ''}`
    const text = await sendRequest(url, agent, { method: 'GET', headers: headersOf(owner) })
    cursor = (JSON.parse(text) as { page: { cursor: string | null } }).page.cursor
    load.pages++
  }
  agent.destroy()
}

const shown = (times: readonly number[]) => ({
  median: rounded(median(times)),
  p99: rounded(quantile(times, 0.99)),
  asked: times.length,
})
