import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { observationsOf } from '../../src/businesses/observations/observation-store.ts'
import { provenanceOf } from '../../src/businesses/business-provenance.ts'
import type { BusinessRow } from '../../src/businesses/business-view.ts'
import { workspaceBusinesses } from '../../src/businesses/workspace-links/workspace-business-store.ts'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { createReaderPool, type ReaderPool } from '../../src/database/connections/reader.ts'
import { valuesInOrder } from '../../src/database/parameters.ts'
import { declaredStatements, read, type Reader } from '../../src/database/statement.ts'
import { oneConnectionPerClass } from '../harness/one-connection.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const plansOn = (line: 'default' | 'long') =>
  read<{ generic: number; custom: number }>(
    `test_plans_${line}`,
    `select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where name = :name`,
    line,
  )
const plans = [plansOn('default'), plansOn('long')]

const businessId = (n: number) => `biz_0${String(n).padStart(25, '0')}`
const many = 20_000
/** The Business with many observations. */
const watched = businessId(777)

const page = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => businessId(from + i)) as BusinessRow['id'][]
const shown = (ids: readonly BusinessRow['id'][]) =>
  ids.map(
    id => ({ id, primary_location_id: 'loc_1', primary_classification_id: null }) as unknown as BusinessRow,
  )
const filters = { key: null, include_retracted: false, before: null }

type Value = string | number | boolean | null | readonly string[]

interface Scope {
  workspace_id: string
  user_id: string
}

interface KeptRead {
  /** Reads as the service does, with other values in each round. */
  ask(reader: Reader, scope: Scope, round: number): Promise<{ length: number }>
  /** Runs the statement once with given values. */
  values(scope: Scope): Record<string, Value>
  rows: number
  buffers: number
}

/** For one Business, and for as many as a search finds. */
const provenance = async (asking: object, round: number) =>
  (await provenanceOf(
    asking as Parameters<typeof provenanceOf>[0],
    shown(page(round * 7, round % 2 === 0 ? 1 : 20)),
  )) ?? []

const reads: Record<string, KeptRead> = {
  sources_by_business: {
    ask: (reader, _, round) =>
      provenance(
        { read: reader, caller: null, standing: { permissions: new Set(['businesses:read']) } },
        round,
      ),
    values: () => ({ business_ids: page(5000, 20) }),
    rows: 1,
    buffers: 200,
  },
  sources_for_member: {
    ask: (reader, { user_id }, round) =>
      provenance({ read: reader, caller: { kind: 'user', user_id }, standing: null }, round),
    values: ({ user_id }) => ({ business_ids: page(5000, 20), user_id }),
    rows: 1,
    buffers: 200,
  },
  observations_page: {
    ask: (reader, { workspace_id }, round) =>
      observationsOf(reader, workspace_id, watched, filters, [2, 21, 101][round % 3] ?? 0),
    values: ({ workspace_id }) => ({
      workspace_id,
      business_id: watched,
      include_retracted: false,
      before: null,
      limit: 21,
    }),
    rows: 21,
    buffers: 60,
  },
  observations_of_key_page: {
    ask: (reader, { workspace_id }, round) =>
      observationsOf(reader, workspace_id, watched, { ...filters, key: `key_${round % 3}` }, 21),
    values: ({ workspace_id }) => ({
      workspace_id,
      business_id: watched,
      key: 'key_7',
      include_retracted: true,
      before: null,
      limit: 21,
    }),
    rows: 21,
    buffers: 60,
  },
  workspace_businesses_page: {
    async ask(reader, { workspace_id }, round) {
      const limit = [1, 20, 100][round % 3] ?? 0
      return (await workspaceBusinesses(reader, workspace_id, null, businessId(round), limit)).rows
    },
    values: ({ workspace_id }) => ({
      workspace_id,
      after: businessId(400),
      name_pattern: null,
      limit: 21,
      most_scanned: 21,
    }),
    rows: 22,
    buffers: 700,
  },
}

describe('the plans of reads of Businesses are kept, and are good for all values', () => {
  let service: TestService
  let scope: Scope
  let readers: ReaderPool
  let explaining: pg.Client
  before(async () => {
    service = await startTestService()
    const olivia = service.person('Olivia')
    scope = { workspace_id: await service.workspace('Harbor', olivia), user_id: olivia.user_id }
    await fill(service, scope)
    const config = () => connectionConfig(service.testDatabase.address, 'svc_reader')
    readers = createReaderPool({ config, classes: oneConnectionPerClass(), onError: () => {} })
    explaining = new pg.Client(
      connectionConfig(service.testDatabase.address, 'svc_reader', { plan_cache_mode: 'force_generic_plan' }),
    )
    await explaining.connect()
    await explaining.query(
      `select set_config('svc.workspace_id', $1, false), set_config('svc.user_id', $2, false)`,
      [scope.workspace_id, scope.user_id],
    )
  })
  after(async () => {
    await explaining.end()
    await readers.close()
    await service.close()
  })

  for (const [name, { ask, ...expected }] of Object.entries(reads)) {
    it(`${name} keeps its plan`, async () => {
      const reader = readers.scoped(scope)
      for (let round = 0; round < 30; round++) assert.ok((await ask(reader, scope, round)).length > 0)
      // PostgreSQL uses a custom plan for the first five executions.
      const known = await Promise.all(plans.map(plansOf => reader.one(plansOf, { name })))
      assert.deepEqual(
        known.filter(one => one !== undefined),
        [{ generic: 25, custom: 5 }],
      )
    })

    it(`${name} reads no more than its answer needs`, async () => {
      const plan = await explained(name, expected.values(scope))
      assert.equal(plan['Actual Rows'], expected.rows)
      assert.deepEqual(tablesReadWhole(plan), [])
      const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      assert.ok(buffers <= expected.buffers, `${buffers} buffers`)
    })
  }

  it('a page with a rare name does not read a whole table', async () => {
    const { workspace_id } = scope
    const values = { workspace_id, after: '', name_pattern: '%needle%', limit: 21, most_scanned: 5000 }
    assert.deepEqual(tablesReadWhole(await explained('workspace_businesses_page', values)), [])
  })

  async function explained(name: string, values: Record<string, Value>): Promise<Plan> {
    const statement = [...declaredStatements()].find(one => one.name === name)
    assert.ok(statement, name)
    await explaining.query(`prepare ${name} as ${statement.text}`)
    const literals = valuesInOrder(statement, values)
      .map(value => literal(value as Value))
      .join(', ')
    const { rows } = await explaining.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) execute ${name}(${literals})`,
    )
    await explaining.query(`deallocate ${name}`)
    return (rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan
  }
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/** Tables with only a few rows in this test. */
const small = new Set([
  'memberships',
  'workspaces',
  'sources',
  'naics_codes',
  'business_fact_sources',
  'workspace_business_profiles',
])

function tablesReadWhole(plan: Plan): string[] {
  const { 'Relation Name': table = '', Plans = [] } = plan
  const isWhole = plan['Node Type'] === 'Seq Scan' && !small.has(table)
  return [...(isWhole ? [table] : []), ...Plans.flatMap(tablesReadWhole)]
}

function literal(value: Value): string {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  return Array.isArray(value) ? pg.escapeLiteral(`{${value.join(',')}}`) : String(value)
}

/** A Workspace with many Businesses, each with a location and a source, one of them with many observations. */
async function fill(service: TestService, { workspace_id, user_id }: Scope): Promise<void> {
  const id = `'biz_0' || lpad(n::text, 25, '0')`
  await service.sql(
    `insert into sources (source, title, publisher, licence) values ('registry', 'Registry', 'State', 'Public domain')`,
  )
  await service.sql(
    `insert into businesses (id, name, name_folded, publication_status, published_at)
     select ${id}, 'Hay ' || n, case when n % 4000 = 0 then 'needle ' else 'hay ' end || n, 'published', now()
     from generate_series(0, ${many} - 1) n`,
  )
  await service.sql(
    `insert into business_locations (id, business_id, kind, country_code, state, city, city_folded, is_primary, published)
     select 'loc_' || n, ${id}, 'principal', 'US', 'MA', 'Boston', 'boston', true, true from generate_series(0, ${many} - 1) n`,
  )
  await service.sql(
    `insert into business_classifications (id, business_id, scheme, code, vintage, is_primary, published)
     select 'cls_' || n, ${id}, 'naics', '541511', '2022', true, true from generate_series(0, ${many} - 1) n`,
  )
  await service.sql(
    `insert into business_sources (source, source_id, business_id, fields)
     select 'registry', n::text, ${id}, '{name,state,city}' from generate_series(0, ${many} - 1) n`,
  )
  await service.sql(
    `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by)
     select $1, ${id}, 'edit', $2 from generate_series(0, ${many} - 1) n`,
    [workspace_id, user_id],
  )
  await service.sql(
    `insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by)
     select $1, case when n < 5000 then $3 else ${id} end, 'obs_' || lpad(n::text, 26, '0'), 'key_' || n % 20, 'number', '1', '2026-01-01', '{}', $2
     from generate_series(0, 9999) n`,
    [workspace_id, user_id, watched],
  )
  await service.sql('vacuum (analyze)')
}
