import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Rule } from '@wbs/contract/lists/rules'
import pg from 'pg'
import { explainedReader } from '../../../../../bench/reads/explained-reader.ts'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { pageOfEntries } from '../../../src/lists/entries/entry-page-store.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { superuserPool } from '../../harness/postgres/superuser-pool.ts'

const businesses = 20_000
/** The most buffers that a page of 20 entries may read. The published Businesses alone have about twice as many. */
const most = 600

const leaf = (...given: Parameters<typeof where>) => where(...given) as Rule
const and = (...rules: Rule[]): Rule => ({ kind: 'and', rules })

describe('a page of entries reads as much as it shows', () => {
  let world: ListWorld
  let list_id: string

  before(async () => {
    world = await makeListWorld()
    list_id = (await world.list({ kind: 'all' })).id
    const { service, workspace_id, people } = world
    const pool = superuserPool(service.testDatabase.address)
    for (const text of fill) await pool.query(text)
    await pool.query(linkSome, [workspace_id, people.owner.user_id])
    await pool.query(overrideSome, [workspace_id, list_id, people.owner.user_id])
    await pool.query('vacuum (analyze)')
    await pool.end()
  })
  after(() => world.close())

  async function taken(rule: Rule, after = '') {
    const { service, workspace_id, people } = world
    const { user_id } = people.member
    const scope = {
      'svc.workspace_id': workspace_id,
      'svc.user_id': user_id,
      plan_cache_mode: 'force_custom_plan',
    }
    const client = new pg.Client(connectionConfig(service.testDatabase.address, 'svc_reader', scope))
    await client.connect()
    try {
      const { reader, taken: reads } = explainedReader(client)
      const viewer = { workspace_id, reads_businesses: true }
      const { rows } = await pageOfEntries(
        reader,
        { membership: { viewer, list_id, rule, today: '2026-11-22' }, filter: [] },
        { column_ids: null, fields: [] },
        { after, limit: 20 },
      )
      const buffers = reads.reduce((sum, one) => sum + one.buffers, 0)
      return { entries: rows.length, statements: reads.length, buffers }
    } finally {
      await client.end()
    }
  }

  async function inFull(rule: Rule, entries: number, after?: string) {
    const read = await taken(rule, after)
    const told = JSON.stringify(read)
    assert.deepEqual([read.entries, read.statements], [entries, 1], told)
    assert.ok(read.buffers <= most, told)
  }

  it('of a rule that most Businesses meet', () => inFull(leaf('status', 'eq', 'active'), 20))
  it('of such a rule, deep in the List', () => inFull(leaf('status', 'eq', 'active'), 20, idOf(18_000)))
  it('of a state that a tenth of them are in', () => inFull(leaf('state', 'eq', 'OH'), 20))
  it('of several common facts', () =>
    inFull(
      and(
        leaf('state', 'in', ['OH', 'IN']),
        leaf('status', 'eq', 'active'),
        leaf('founded_on', 'before', '2005-01-01'),
      ),
      20,
    ))
  it('of a name that few have', () => inFull(leaf('name', 'contains', 'rare 77'), 2))
  it('of a name that none has', () => inFull(leaf('name', 'contains', 'qzxv'), 0))
  it('of one of several names', () => inFull(leaf('name', 'in', ['Common 501', 'common 1001', 'nobody']), 2))
  it('of a city that few are in', () => inFull(leaf('city', 'eq', 'Village 7'), 4))
  it('of several facts of which one is rare', () =>
    inFull(
      and(leaf('state', 'in', ['OH', 'IN']), leaf('status', 'eq', 'active'), leaf('city', 'eq', 'Village 7')),
      4,
    ))
  it('of an observation that many have', () => inFull(leaf('observations.stage', 'eq', 'Met'), 20))
})

const idOf = (number: number) => `biz_0${String(number).padStart(25, '0')}`

const idSql = `'biz_0' || lpad(i::text, 25, '0')`
const fill = [
  `insert into businesses (id, name, name_folded, publication_status, status, description, founded_on, published_at)
   select ${idSql}, initcap(name), name, 'published', case when i % 11 = 0 then 'closed' else 'active' end, repeat('It sells. ', 20),
     date '1980-01-01' + i, now()
   from generate_series(1, ${businesses}) i, lateral (select case when i % 10000 = 77 then 'rare 77 ' || i else 'common ' || i end) named (name)`,
  `insert into business_locations (id, business_id, kind, country_code, state, city, city_folded, is_primary, published)
   select 'loc_' || i, ${idSql}, 'principal', 'US', ('{CA,TX,NY,GA,MA,PA,IL,OH,IN,MT}'::text[])[1 + i % 10], 'Village ' || i % 5000,
     'village ' || i % 5000, true, true
   from generate_series(1, ${businesses}) i`,
  `select project_businesses(array(select ${idSql} from generate_series(1, ${businesses}) i))`,
]

const linkSome = `
  with linked as (
    insert into workspace_businesses (workspace_id, business_id, access_level, linked_by)
    select $1, ${idSql}, 'full_access', $2 from generate_series(10, ${businesses}, 10) i
    returning business_id
  )
  insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by)
  select $1, business_id, 'obs_' || business_id, 'stage', 'text', to_jsonb(case when hashtext(business_id) % 2 = 0 then 'Met' else 'Won' end),
    date '2026-01-01', '{"kind":"statement"}', $2
  from linked`

const overrideSome = `
  insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at)
  select $1, $2, ${idSql}, 'exclude', $3, now() from generate_series(25, ${businesses}, 25) i`
