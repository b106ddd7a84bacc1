import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createClient, type Client } from '../../packages/sdk/src/index.ts'
import { floorRoom, makeFloor } from '../mutations/mutations-floor-rooms.ts'
import type { Owner } from '../mutations/mutations-load.ts'
import { listValuesTables } from './list-values-floor-sql.ts'

/** A List whose values one connection of the load sets repeatedly. */
export interface Sheet {
  workspace_id: string
  list_id: string
  column_id: string
  /** The path of the List. */
  path: string
  version: number
}

const businesses = 5_000

/** SQL: the id of the Business with a number. */
const idSql = (number: string) => `'biz_0' || lpad((${number})::text, 25, '0')`

export const memberId = (i: number) => `biz_0${String((i % businesses) + 1).padStart(25, '0')}` as const

/** Inserts published Businesses of Ohio into the service, and into the tables of the floor. */
export async function makeBusinesses(client: pg.Client): Promise<void> {
  await client.query('set search_path = svc, public')
  await client.query(
    `insert into businesses (id, name, name_folded, country_code, publication_status, status, published_at)
     select ${idSql('i')}, 'Harbor Air ' || i, 'harbor air ' || i, 'US', 'published', 'active', now() from generate_series(1, $1::integer) i`,
    [businesses],
  )
  await client.query(
    `insert into business_locations (id, business_id, kind, country_code, state, city, city_folded, is_primary, published)
     select replace(b.id, 'biz_', 'loc_'), b.id, 'principal', 'US', 'OH', 'Toledo', 'toledo', true, true from businesses b`,
  )
  await client.query('select project_businesses(array(select id from businesses))')
  await client.query(
    `insert into floor.published (id, name, state, status) select id, name, state, status from published_businesses`,
  )
  // Only these: plans that were made for tables which are known to be empty would be kept while they grow.
  await client.query('vacuum (analyze) businesses, business_locations, published_businesses, floor.published')
}

const leaf = (field: string, operator: string, value: unknown) => ({ kind: 'field', field, operator, value })

const active = [leaf('state', 'eq', 'OH'), leaf('status', 'eq', 'active')]

/** Rules for which every Business of the bench is a member. The last of their leaves decides. */
export const rules = {
  of_2_leaves: { kind: 'and', rules: active },
  of_20_leaves: {
    kind: 'and',
    rules: [
      ...active,
      {
        kind: 'or',
        rules: [
          ...['Dayton', 'Lima', 'Parma', 'Akron', 'Canton'].map(city => leaf('city', 'eq', city)),
          ...['23822', '236', '5311', '4441', '81'].map(code =>
            leaf('naics_code', 'naics', { code, vintage: '2022' }),
          ),
          ...['1990-01-01', '1980-01-01', '1970-01-01'].map(day => leaf('founded_on', 'before', day)),
          ...['heating', 'cooling', 'plumbing', 'roofing'].map(text => leaf('name', 'contains', text)),
          leaf('name', 'contains', 'harbor'),
        ],
      },
    ],
  },
} as const

/** Creates a List for each connection, in as many Workspaces of one owner. */
export const makeSheets = (
  base_url: string,
  { access_token }: Owner,
  connections: number,
  rule: object,
): Promise<Sheet[]> =>
  Promise.all(
    Array.from({ length: connections }, async (_, i) => {
      const { workspace } = await createClient({ base_url, access_token }).createWorkspace({
        name: `Bench ${i}`,
      })
      const client = createClient({ base_url, access_token, workspace_id: workspace.id })
      return sheetOf(workspace.id, (await client.createList(candidates(rule))).data)
    }),
  )

const candidates = (rule: object): Parameters<Client['createList']>[0] => ({
  name: 'Candidates',
  definition: { schema_version: 'svc.list.v1', subject_type: 'business', rule },
  columns: [
    { name: 'Owner age', value_type: 'number' },
    { name: 'Owner', value_type: 'text' },
  ],
})

const sheetOf = (
  workspace_id: string,
  list: { id: string; version: number; columns: { column_id: string }[] },
): Sheet => ({
  workspace_id,
  list_id: list.id,
  column_id: String(list.columns[0]?.column_id),
  path: `/v1/lists/${list.id}`,
  version: list.version,
})

/** Creates the tables of the floor, with a List for each connection, in as many Workspaces. */
export async function makeFloorSheets(
  client: pg.Client,
  address: pg.ClientConfig,
  user_id: string,
  connections: number,
): Promise<Sheet[]> {
  await makeFloor(address, user_id, connections)
  await client.query(listValuesTables)
  const sheets: Sheet[] = []
  for (let i = 0; i < connections; i++) {
    const { workspace_id } = floorRoom('node', connections, i)
    const list_id = `lst_${String(i).padStart(26, '0')}`
    const column_id = randomUUID()
    await client.query(insertList, [workspace_id, list_id])
    await client.query(insertColumn, [workspace_id, list_id, column_id])
    sheets.push({ workspace_id, list_id, column_id, path: `/${workspace_id}/lists/${list_id}`, version: 1 })
  }
  return sheets
}

const insertList = `insert into floor.lists (workspace_id, id, name, rule) values ($1, $2, 'Candidates', '{}')`
const insertColumn = `insert into floor.list_columns (workspace_id, list_id, id, name, value_type, position)
  values ($1, $2, $3, 'Owner age', 'number', 0)`

/** Throws unless every change of the floor left all of its rows: a statement that finds no row is fast as well. */
export async function requireWholeChanges(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ left: (string | null)[] }>(countChanges)
  const left = rows[0]?.left ?? []
  if (new Set(left).size !== 1 || left[0] === '0')
    throw new Error(`The changes of the floor left different numbers of things: ${left.join(', ')}.`)
}

const countChanges = `
  select array[
    (select count(*) from floor.commands where status = 200), (select count(*) from floor.receipts),
    (select count(*) from floor.events), (select sum(version - 1) from floor.lists), (select count(*) from floor.list_value_changes),
    (select sum(last_position) from floor.feed_positions)
  ] as left`
