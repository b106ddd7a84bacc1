import { Agent } from 'node:http'
import { createClient } from '../../packages/sdk/src/index.ts'
import { sendRequest } from '../load.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import type { MeasuredRule } from './lists-rules.ts'
import type { ListsWorld } from './lists-world.ts'

/** The time of whole requests for entries, one after the other, in turns. */
export async function measureRequests(
  base_url: string,
  world: ListsWorld,
  rules: readonly MeasuredRule[],
  rounds: number,
): Promise<Record<string, object>> {
  const { access_token, workspace_id } = world
  const headers = { authorization: `Bearer ${access_token}`, 'svc-workspace-id': workspace_id }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const paths = await pathsOf(createClient({ base_url, access_token, workspace_id }), world, rules)
  const times = new Map(Object.keys(paths).map(name => [name, [] as number[]]))
  for (let round = -2; round < rounds; round++)
    for (const [name, path] of Object.entries(paths)) {
      const begun = performance.now()
      await sendRequest(`${base_url}${path}`, agent, { method: 'GET', headers })
      if (round >= 0) times.get(name)?.push(performance.now() - begun)
    }
  agent.destroy()
  return Object.fromEntries(
    [...times].map(([name, all]) => [
      name,
      { median_ms: rounded(median(all)), worst_ms: rounded(quantile(all, 1)) },
    ]),
  )
}

async function pathsOf(
  api: ReturnType<typeof createClient>,
  { full_list_id, sorted_list_id, column_id, number_column_id }: ListsWorld,
  rules: readonly MeasuredRule[],
): Promise<Record<string, string>> {
  const entries = (list_id: string, query: Record<string, string> = {}) =>
    `/v1/lists/${list_id}/entries?${new URLSearchParams({ limit: '20', ...query }).toString()}`
  const paths: Record<string, string> = {}
  for (const { name, rule } of rules) {
    const definition = { schema_version: 'svc.list.v1', subject_type: 'business', rule } as const
    const { data } = await api.createList({ name: name.slice(0, 200), definition, columns: [] })
    paths[name] = entries(data.id)
  }
  const filter = (id: string, operator: string, value: unknown) =>
    JSON.stringify({ column_id: id, operator, value })
  return {
    ...paths,
    'all Businesses, filter: a text that 50,000 have': entries(full_list_id, {
      filter: filter(column_id, 'eq', 'open'),
    }),
    'all Businesses, filter: a text that none has': entries(full_list_id, {
      filter: filter(column_id, 'eq', 'shut'),
    }),
    '9,999 members, filter: a number': entries(sorted_list_id, {
      filter: filter(number_column_id, 'gt', 490),
    }),
    '9,999 members, sort by name': entries(sorted_list_id, { sort: 'name' }),
    '9,999 members, sort by a number': entries(sorted_list_id, { sort: `-${number_column_id}` }),
  }
}
