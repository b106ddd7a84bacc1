import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createClient } from '../../packages/sdk/src/index.ts'

export interface Owner {
  user_id: string
  access_token: string
}

export interface Size {
  links: number
  /** How many of the links are to drafts. */
  drafts: number
  /** Of five keys. */
  observations: number
  overrides: number
  values: number
}

/** A Workspace with links, observations and two Lists. */
export interface ListsWorld extends Owner {
  workspace_id: string
  /** A List without overrides and values. */
  plain_list_id: string
  /** A List with all overrides and values; every fifth override includes a Business, the others exclude one. */
  full_list_id: string
  /** The first column of that List, of which every Business with values has the same text. */
  column_id: string
  /** A List of which 9,999 Businesses are members by overrides, with numbers in a column. */
  sorted_list_id: string
  number_column_id: string
  /** The id after which the last tenth of the Businesses comes. */
  deep: string
}

export async function makeListsWorld(
  client: pg.Client,
  base_url: string,
  owner: Owner,
  size: Size,
): Promise<ListsWorld> {
  const { access_token, user_id } = owner
  const { workspace } = await createClient({ base_url, access_token }).createWorkspace(
    { name: 'Of large Lists' },
    { idempotency_key: randomUUID() },
  )
  const workspace_id = workspace.id
  const api = createClient({ base_url, access_token, workspace_id })
  const list = async (name: string, kind = 'all') =>
    (
      await api.createList({
        name,
        definition: { schema_version: 'svc.list.v1', subject_type: 'business', rule: { kind } },
        columns: [
          { name: 'Stage', value_type: 'text' },
          { name: 'Score', value_type: 'number' },
        ],
      })
    ).data
  const plain = await list('Plain')
  const full = await list('Full')
  const sorted = await list('Sorted', 'none')
  await client.query('set session_replication_role = replica')
  await client.query(insertDrafts, [size.drafts])
  await client.query(insertLinks, [workspace_id, user_id, size.links - size.drafts])
  await client.query(insertObservations, [workspace_id, user_id, size.observations])
  await client.query(insertOverrides, [workspace_id, full.id, user_id, size.overrides])
  const [stage, score] = full.columns.map(column => column.column_id)
  await client.query(insertValues, [workspace_id, full.id, stage, score, size.values / 2])
  const number = sorted.columns[1]?.column_id
  await client.query(insertIncluded, [workspace_id, sorted.id, user_id, number])
  await client.query('set session_replication_role = origin')
  for (const table of filled) await client.query(`vacuum (analyze) ${table}`)
  const { rows } = await client.query<{ deep: string }>(
    `select id as deep from published_businesses order by id desc offset (select count(*) * 0.08 from published_businesses) limit 1`,
  )
  return {
    ...owner,
    workspace_id,
    plain_list_id: plain.id,
    full_list_id: full.id,
    column_id: stage ?? '',
    sorted_list_id: sorted.id,
    number_column_id: number ?? '',
    deep: rows[0]?.deep ?? '',
  }
}

const filled = [
  'businesses',
  'workspace_businesses',
  'business_observations',
  'list_overrides',
  'list_values',
]

/** Drafts have ids between those of the published Businesses. */
const insertDrafts = `
  insert into businesses (id, name, name_folded, publication_status, status)
  select 'biz_02' || lpad((i % 4)::text, 4, '0') || substr(upper(md5('draft ' || i)), 1, 20), 'Draft ' || i, 'draft ' || i, 'draft', 'unknown'
  from generate_series(1, $1::integer) i on conflict do nothing`

const insertLinks = `
  insert into workspace_businesses (workspace_id, business_id, access_level, linked_by, sees_unpublished)
  select $1, id, 'full_access', $2, true from (
    (select id from published_businesses order by md5(id) limit $3)
    union all (select id from businesses where publication_status = 'draft')) linked`

/** The keys are number, text, boolean and date, each of an equal number of Businesses, which have all of them. */
const insertObservations = `
  insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by)
  select $1, business_id, 'obs_' || upper(substr(md5(business_id || key), 1, 26)), key, value_type, value, date '2026-01-01', '{"kind":"statement"}', $2
  from (select business_id, row_number() over (order by md5(business_id)) as n from workspace_businesses where workspace_id = $1) w
  cross join lateral (values
    ('employees', 'number', to_jsonb(n % 500)),
    ('stage', 'text', to_jsonb((array['Contacted', 'Met', 'Declined', 'Won'])[1 + n % 4])),
    ('family_owned', 'boolean', to_jsonb(n % 3 = 0)),
    ('met_on', 'date', to_jsonb(date '2020-01-01' + (n % 2000)::integer)),
    ('advisor', 'text', to_jsonb(case when n % 5000 = 7 then 'Seldom Seen' else 'Advisor ' || n % 50 end))) o (key, value_type, value)
  where n <= $3::integer / 5`

const insertOverrides = `
  insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at)
  select $1, $2, id, case when row_number() over (order by md5(id)) % 5 = 0 then 'include' else 'exclude' end, $3, now()
  from (select id from published_businesses order by md5(id || 'override') limit $4) chosen`

const insertValues = `
  insert into list_values (workspace_id, list_id, member_id, column_id, text_value, text_folded, number_value)
  select $1, $2, chosen.id, v.column_id, v.text_value, v.text_value, v.number_value
  from (select id from published_businesses order by md5(id || 'value') limit $5) chosen
  cross join lateral (values ($3::uuid, 'open', null::double precision), ($4::uuid, null, 7)) v (column_id, text_value, number_value)`

const insertIncluded = `
  with chosen as (select id, row_number() over (order by md5(id)) as n from published_businesses order by md5(id) limit 9999),
  included as (
    insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at)
    select $1, $2, id, 'include', $3, now() from chosen)
  insert into list_values (workspace_id, list_id, member_id, column_id, number_value)
  select $1, $2, id, $4, n % 500 from chosen where n % 10 > 0`
