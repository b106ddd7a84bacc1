import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { row, openBench, type ImportBench } from './import-harness.ts'

interface Partition {
  partition: string
  from_id: string | null
  to_id: string | null
  /** How many rows it has. */
  rows: number
}

describe('the partitions that search reads', () => {
  let bench: ImportBench
  let last = 0
  before(async () => void (bench = await openBench()))
  after(() => bench[Symbol.asyncDispose]())

  async function partitions(): Promise<Partition[]> {
    return bench.query<Partition & { rows: number }>(
      `select p.partition::text, from_id, to_id,
         (select count(*)::integer from published_businesses b where b.tableoid = p.partition) as rows
       from published_business_partitions p`,
    )
  }
  const rowsOf = async () => (await partitions()).map(one => one.rows)
  const rowOf = () => row({ source_id: `r${++last}`, name: `Business ${last}` })
  const importRows = async (count: number, options = {}) =>
    bench.run([await bench.file(Array.from({ length: count }, rowOf))], options)
  const extend = async (prefix: string, rows: number, most = 1000) =>
    (
      await bench.query<{ made: number }>('select extend_published_businesses($1, $2, $3) as made', [
        prefix,
        rows,
        most,
      ])
    )[0]?.made

  /** What the statistics say of the last partition; it counts as full from a million rows. */
  async function believedToHave(rows: number): Promise<void> {
    const [name] = (await partitions()).slice(-1)
    await bench.administer('update pg_class set reltuples = $2 where oid = $1::regclass', [
      name?.partition,
      rows,
    ])
  }

  it('are one at first, and stay one after a small import', async () => {
    await importRows(3)
    assert.deepEqual(await rowsOf(), [3])
  })

  it('are extended before an import that would make the last too large; its rows go to the new one', async () => {
    await believedToHave(999_999)
    const startedAt = Date.now()
    assert.equal((await importRows(4)).created, 4)
    const [, made] = await partitions()
    assert.deepEqual(await rowsOf(), [3, 4])
    const [{ id } = { id: '' }] = await bench.query<{ id: string }>(
      'select id from published_businesses order by published_at desc limit 1',
    )
    assert.equal(made?.from_id, `${id.slice(0, 14)}00`)
    assert.ok(Date.now() >= startedAt)
  })

  it('take the rows of drafts that are published later by their ids', async () => {
    const file = await bench.file(Array.from({ length: 2 }, rowOf))
    await bench.run([file], { publish: false })
    await believedToHave(1_000_000)
    await importRows(1)
    assert.deepEqual(await rowsOf(), [3, 4, 1])
    await bench.run([file])
    assert.deepEqual(await rowsOf(), [3, 6, 1])
  })

  it('are as many as a large import needs, and as even as its ids are', async () => {
    assert.equal(await extend('biz_7000000000', 4000), 4)
    const bounds = (await partitions()).map(one => one.from_id)
    assert.deepEqual(
      bounds.slice(-4),
      ['00', '80', 'G0', 'R0'].map(end => `biz_7000000000${end}`),
    )
  })

  it('are not divided where rows follow already, and are left as they are after a wrong prefix', async () => {
    const before = await partitions()
    assert.equal(await extend('biz_6000000000', 5000), 0)
    await assert.rejects(extend('biz_6', 5000), /prefix of the new ids is not biz_ and ten characters: biz_6/)
    assert.deepEqual(await partitions(), before)
  })

  it('are extended when a search that is under way has ended', async () => {
    const search = await bench.connect()
    await search.query('begin')
    await search.query('select count(*) from published_businesses')
    const made = extend('biz_7100000000', 2000)
    setTimeout(() => void search.query('commit'), 1500)
    assert.equal(await made, 2)
    await search.end()
  })

  it('are divided by the owner alone, with every row, index and rule as before', async () => {
    await importRows(0)
    const contents = () => bench.query('select * from published_businesses order by id')
    const before = await contents()
    await assert.rejects(bench.query('select divide_published_businesses(1)'), /permission denied/)
    await bench.administer('select divide_published_businesses(2)')
    await bench.administer('select divide_published_businesses(2)')
    assert.deepEqual(await contents(), before)
    assert.ok((await rowsOf()).every(rows => rows <= 4))
    const [faults] = await bench.query<{ indexes: number; allowed: number; keys: number }>(
      `select (select count(distinct n)::integer from (
           select count(*) as n from published_business_partitions p
           join pg_index i on i.indrelid = p.partition and i.indisvalid join pg_inherits h on h.inhrelid = i.indexrelid
           group by p.partition) counts) as indexes,
         (select count(*)::integer from published_business_partitions p
          where has_table_privilege('svc_reader', p.partition, 'select')
             or has_table_privilege('svc_writer', p.partition, 'insert')) as allowed,
         (select count(*)::integer from published_business_partitions p
          where not exists (select from pg_constraint c where c.conrelid = p.partition and c.contype = 'f')) as keys`,
    )
    assert.deepEqual(faults, { indexes: 1, allowed: 0, keys: 0 })
    const statistics = await bench.query(
      `select distinct attname::text, attstattarget::integer from pg_attribute join published_business_partitions on partition = attrelid
       where attname in ('name_folded', 'terms') order by 1`,
    )
    assert.deepEqual(statistics, [
      { attname: 'name_folded', attstattarget: 2000 },
      { attname: 'terms', attstattarget: 1000 },
    ])
    assert.equal((await bench.query<{ made: number }>('select 0 as made'))[0]?.made, 0)
  })
})
