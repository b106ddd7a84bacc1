import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'
import { row } from './row.ts'

let world: ValuationWorld
before(async () => void (world = await makeValuationWorld()))
after(() => world.close())
const member = () => world.client('member')

const full = { ...row, p25: null, p75: null, n: null }

describe('POST /v1/benchmark-sets', () => {
  it('keeps the rows with null for what is not known, and the SHA-256 of their canonical form', async () => {
    const { data, receipt, idempotent_replay } = await member().importBenchmarkSet({
      name: ' Own deals ',
      rows: [
        row,
        { ...row, naics: null, size_band: '50000000-', metric: 'ebitda', n: 12, p25: '2', p75: '3' },
      ],
    })
    assert.deepEqual(data.rows, [
      full,
      { ...full, naics: null, size_band: '50000000-', metric: 'ebitda', n: 12, p25: '2', p75: '3' },
    ])
    assert.deepEqual([data.name, data.row_count, data.is_default], ['Own deals', 2, false])
    assert.equal(idempotent_replay, false)
    const resource = { type: 'benchmark_set', id: data.benchmark_set_id }
    assert.deepEqual([receipt?.operation, receipt?.resource], ['import_benchmark_set', resource])
    for (const name of ['owner', 'viewer'] as const) {
      const { benchmark_set_id } = data
      assert.deepEqual((await world.client(name).getBenchmarkSet({ benchmark_set_id })).data, data)
    }
    const events = await world.historyOf(data.benchmark_set_id)
    assert.deepEqual(
      events.map(({ type, feed, room_id }) => [type, feed, room_id]),
      [['benchmark_set.imported', 'audit', null]],
    )
  })

  it('gives the same rows the same hash, whatever is left out and in whichever order the fields come', async () => {
    const one = await member().importBenchmarkSet({ rows: [row] })
    const reversed = Object.fromEntries(Object.entries(full).toReversed()) as typeof full
    const other = await member().importBenchmarkSet({ rows: [reversed] })
    assert.equal(one.data.sha256, other.data.sha256)
    // printf '[{"as_of":"2025-12-31",…}]' | sha256sum
    assert.equal(one.data.sha256, '33e4f16f13ef409337094d5cd29ab6b0ee06dd6cff9d551978d2b05cb58cf509')
    assert.notEqual(one.data.benchmark_set_id, other.data.benchmark_set_id)
  })

  it('refuses quartiles in another order and bands without a width, each with its pointer', async () => {
    const { errors } = await refused(
      member().importBenchmarkSet({
        rows: [
          { ...row, p25: '2.10000001', p75: '2.0999' },
          { ...row, size_band: '500000-500000' },
          { ...row, p25: '2.1', p75: '2.10', size_band: '0-1' },
        ],
      }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/rows/0/p25', 'out_of_range'],
        ['/rows/0/p75', 'out_of_range'],
        ['/rows/1/size_band', 'out_of_range'],
      ],
    )
  })

  it('refuses rows of another form', async () => {
    for (const [rows, pointer] of [
      [[], '/rows'],
      [[{ ...row, p50: '2,1' }], '/rows/0/p50'],
      [[{ ...row, naics: 'bakery' }], '/rows/0/naics'],
      [[{ ...row, size_band: '5-4-3' }], '/rows/0/size_band'],
      [[{ ...row, as_of: '2025-02-30' }], '/rows/0/as_of'],
      [[{ ...row, n: 0 }], '/rows/0/n'],
      [[{ ...row, source: 'a\u0000b' }], '/rows/0/source'],
      [[{ ...row, mean: '2' }], '/rows/0/mean'],
    ] as const) {
      const { errors } = await refused(
        member().importBenchmarkSet({ rows: rows as never }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(one => one.pointer),
        [pointer],
      )
    }
  })

  it('takes 2,000 rows and no more, and text with any character', async () => {
    const source = `'; drop table benchmark_sets; -- <script> ${'😀'.repeat(50)}`
    const rows = Array.from({ length: 2000 }, (_, n) => ({ ...row, n: n + 1, source }))
    const { data } = await member().importBenchmarkSet({ rows })
    const stored = await member().getBenchmarkSet({ benchmark_set_id: data.benchmark_set_id })
    assert.deepEqual(stored.data, data)
    assert.equal(stored.data.rows.at(-1)?.source, source)
    await refused(member().importBenchmarkSet({ rows: [...rows, row] }), 'validation_error')
  })

  it('refuses viewers, guests, and keys without valuations:run', async () => {
    await world.invite(await world.room(), world.people.guest, 'full_access')
    for (const client of [
      world.client('viewer'),
      world.client('guest'),
      await world.withKey(['valuations:read']),
    ])
      await refused(client.importBenchmarkSet({ rows: [row] }), 'forbidden')
    const key = await world.withKey(['valuations:run'])
    assert.ok((await key.importBenchmarkSet({ rows: [row] })).data.benchmark_set_id)
  })

  it('replays its answer with the same key, and only to who may read valuations', async () => {
    const options = { idempotency_key: randomUUID() }
    const key = await world.withKey(['valuations:run'])
    await key.importBenchmarkSet({ rows: [row] }, options)
    await refused(key.importBenchmarkSet({ rows: [row] }, options), 'not_found')
    const mine = { idempotency_key: randomUUID() }
    const first = await member().importBenchmarkSet({ rows: [row] }, mine)
    const again = await member().importBenchmarkSet({ rows: [row] }, mine)
    assert.deepEqual([again.idempotent_replay, again.data], [true, first.data])
    await refused(member().importBenchmarkSet({ rows: [row, row] }, mine), 'idempotency_key_reused')
  })
})

describe('GET /v1/benchmark-sets', () => {
  it('shows the set of the service first, then those of the Workspace in the order of import', async () => {
    const { as, people, service } = world
    const workspace_id = await service.workspace('Of lists', people.admin, { viewer: people.viewer })
    const client = as(people.admin)
    const imported: string[] = []
    for (let i = 0; i < 5; i++) {
      const { data } = await client.importBenchmarkSet({ rows: [row] }, { workspace_id })
      imported.push(data.benchmark_set_id)
    }
    const found: string[] = []
    for (let cursor: string | undefined; ;) {
      const { data, page } = await client.listBenchmarkSets(
        { limit: 1, ...(cursor && { cursor }) },
        { workspace_id },
      )
      assert.equal(data.length, 1)
      assert.equal(data[0]?.is_default, found.length === 0)
      assert.ok(!('rows' in (data[0] ?? {})))
      found.push(data[0]?.benchmark_set_id ?? '')
      assert.equal(page.has_more, page.cursor !== null)
      if (page.cursor === null) break
      cursor = page.cursor
    }
    assert.deepEqual(found.slice(1), imported)
    const whole = await client.listBenchmarkSets({}, { workspace_id })
    assert.deepEqual(
      whole.data.map(one => one.benchmark_set_id),
      found,
    )
    const { data } = await client.getBenchmarkSet({ benchmark_set_id: found[0] ?? '' }, { workspace_id })
    assert.deepEqual(
      [data.is_default, data.created_at, data.rows.length],
      [true, null, whole.data[0]?.row_count],
    )
    const upper = (found[0] ?? '').toUpperCase()
    assert.deepEqual((await client.getBenchmarkSet({ benchmark_set_id: upper }, { workspace_id })).data, data)
  })

  it('answers 404 for a set of another Workspace as for one that does not exist, and 403 to outsiders', async () => {
    const { data } = await member().importBenchmarkSet({ rows: [row] })
    const { benchmark_set_id } = data
    const { rival } = world.people
    const elsewhere = await world.service.workspace('Elsewhere', rival)
    const hidden = await refused(
      rival.client.getBenchmarkSet({ benchmark_set_id }, { workspace_id: elsewhere }),
      'not_found',
    )
    const absent = await refused(
      rival.client.getBenchmarkSet({ benchmark_set_id: randomUUID() }, { workspace_id: elsewhere }),
      'not_found',
    )
    assert.equal(hidden.detail, absent.detail)
    await refused(world.client('rival').getBenchmarkSet({ benchmark_set_id }), 'forbidden')
    await refused(world.client('guest').listBenchmarkSets({}), 'forbidden')
    await refused((await world.withKey(['valuations:run'])).listBenchmarkSets({}), 'forbidden')
  })

  it('ends at 200 sets a Workspace, however many are imported at once', async () => {
    const { people, service, as } = world
    const workspace_id = await service.workspace('Full', people.admin)
    const { user_id } = people.admin
    await service.sql(
      `insert into benchmark_sets (workspace_id, id, name, sha256, row_count, rows, created_by, created_at)
       select $1, gen_random_uuid(), 'Set ' || i, repeat('0', 64), 0, '[]', $2, now() from generate_series(1, 198) i`,
      [workspace_id, user_id],
    )
    const client = as(people.admin)
    const imports = await Promise.allSettled(
      Array.from({ length: 8 }, () => client.importBenchmarkSet({ rows: [row] }, { workspace_id })),
    )
    assert.equal(imports.filter(({ status }) => status === 'fulfilled').length, 2)
    await refused(client.importBenchmarkSet({ rows: [row] }, { workspace_id }), 'limit_reached')
    const [counted] = await service.sql(
      'select count(*)::integer as sets from benchmark_sets where workspace_id = $1',
      [workspace_id],
    )
    assert.deepEqual(counted, { sets: 200 })
  })
})
