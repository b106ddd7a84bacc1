import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createClient } from '../../packages/sdk/src/index.ts'
import { loadOfGet } from '../get-load.ts'
import type { Load } from '../load.ts'
import { comparedTo } from '../results.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'

const connections = 32
const seconds = 1
const workspaces = 40

interface Measured {
  service: MeasuredProcess
  client: pg.Client
  /** How the floor connects: without row-level security. */
  address: object
  /** The data folder of the service, which has its quickstart file. */
  folder: string
  rounds: number
  tell(line: string): void
}

/** The requests to measure, by name: their URL and headers. */
type Requests = Record<string, { url: string; headers: Record<string, string> }>

/**
 * The throughput of a single Business and of a search, without a credential and with a token, each beside its floor in
 * the same round; and of GET /v1/me for a member of 40 Workspaces, beside the floor of a single Business.
 */
export async function measureLoad({ service, client, address, folder, rounds, tell }: Measured) {
  const { owner, api_key } = await quickstart(folder)
  await joinWorkspaces(service.base_url, owner.access_token)
  const floor = await startProcess(new URL('./search-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ address }),
  })
  try {
    const bearer = { authorization: `Bearer ${owner.access_token}` }
    const path = `/businesses/${await someId(client)}`
    const search = '/businesses?query=first&state=GA'
    const v1 = (path: string) => `${service.base_url}/v1${path}`
    const loads = await measureInTurn(
      {
        one: { url: v1(path), headers: {} },
        oneWithToken: { url: v1(path), headers: bearer },
        oneFloor: { url: `${floor.base_url}${path}`, headers: { 'x-svc-api-key': api_key.secret } },
        search: { url: v1(search), headers: {} },
        searchWithToken: { url: v1(search), headers: bearer },
        searchFloor: { url: `${floor.base_url}${search}`, headers: {} },
        me: { url: v1('/me'), headers: bearer },
      },
      rounds,
      tell,
    )
    const of = (name: string) => loads.get(name) ?? []
    return {
      single_business: comparedTo(of('oneFloor'), of('one')),
      single_business_with_token: comparedTo(of('oneFloor'), of('oneWithToken')),
      search: comparedTo(of('searchFloor'), of('search')),
      search_with_token: comparedTo(of('searchFloor'), of('searchWithToken')),
      me_in_40_workspaces: comparedTo(of('oneFloor'), of('me')),
    }
  } finally {
    await floor.stop()
  }
}

/**
 * Each once per round, so that disturbances of the machine affect all of them; the first round is a warm-up. With a
 * pause in between: for a second after another caller's request, a caller has fewer turns (decision 20).
 */
async function measureInTurn(
  requests: Requests,
  rounds: number,
  tell: (line: string) => void,
): Promise<ReadonlyMap<string, Load[]>> {
  const loads = new Map<string, Load[]>()
  for (let round = 0; round <= rounds; round++) {
    tell(`throughput, ${round === 0 ? 'to warm up' : `round ${round} of ${rounds}`}`)
    for (const [name, { url, headers }] of Object.entries(requests)) {
      await sleep(1100)
      const load = await loadOfGet(url, headers, { seconds: round === 0 ? 1 : seconds, connections })
      if (round > 0) loads.set(name, [...(loads.get(name) ?? []), load])
    }
  }
  return loads
}

async function quickstart(folder: string) {
  const { users, api_key } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as {
    users: { owner: { access_token: string } }
    api_key: { secret: string }
  }
  return { owner: users.owner, api_key }
}

async function joinWorkspaces(base_url: string, access_token: string): Promise<void> {
  const client = createClient({ base_url, access_token })
  const { data } = await client.getMe()
  for (let i = data.memberships.length; i < workspaces; i++)
    await client.createWorkspace({ name: `Bench ${i}` })
}

async function someId(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select id from published_businesses order by id offset 1000 limit 1',
  )
  return rows[0]?.id ?? ''
}
