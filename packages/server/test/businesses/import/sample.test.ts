import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { loadSample } from '../../../src/businesses/import/sample.ts'
import { openBench, processOf } from './import-harness.ts'
import type { ImportBench } from './import-harness.ts'
import { quietLog } from '../../harness/quiet-log.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

const noJobs = async () => {}
async function count(of = 'published_businesses'): Promise<number> {
  const [found] = await bench.query<{ count: number }>(`select count(*)::integer from ${of}`)
  return found?.count ?? 0
}

test('a start that is interrupted while loading the sample is completed by the next', async () => {
  const clients: pg.Client[] = []
  const connect = async () => {
    const client = await bench.connect()
    clients.push(client)
    return client
  }
  const loading = loadSample(connect, noJobs, quietLog)
  loading.catch(() => undefined)
  while ((await count()) === 0) await new Promise(resolve => setTimeout(resolve, 10))
  for (const client of clients) await bench.administer('select pg_terminate_backend($1)', [processOf(client)])
  await assert.rejects(loading)
  const half = await count()
  await loadSample(bench.connect, noJobs, quietLog)
  assert.ok((await count()) > half)
  assert.equal(await count(), await count('businesses'))
})

test('the sample is complete: every source exists and has a free licence', async () => {
  const sources = await bench.query(
    `select s.source, s.licence, count(*)::integer as rows from sources s left join business_sources b on b.source = s.source group by 1, 2`,
  )
  assert.equal(sources.length, 9)
  for (const { source, licence, rows } of sources) {
    assert.match(licence, /public domain \(17 U\.S\.C\. 105\)/, source)
    assert.ok(rows >= 1000, `${source}: ${rows}`)
  }
  assert.ok((await count()) > 20_000)
})

test('typical first searches find something', async () => {
  const searches = {
    'credit unions in Montana': `name_folded like '%credit union%' and terms @> '{state:MT}'`,
    'restaurants by NAICS 2017': `terms @> '{naics2017:7225}'`,
    'manufacturers by the range of their sector': `terms @> '{naics2017:31-33}'`,
    'Businesses in Atlanta': `terms @> '{place:GA/atlanta}'`,
    'closed ones': `terms @> '{status:closed}' and closed_on is not null`,
    'by web address': `website_url = 'http://www.gatech.edu/'`,
    'a company everybody knows': `name_folded like '%apple inc%'`,
  }
  for (const [what, condition] of Object.entries(searches)) {
    const [found] = await bench.query(`select count(*)::integer from published_businesses where ${condition}`)
    assert.ok(found?.count > 0, what)
  }
})

test('hospitals, colleges and credit unions have their public identifiers', async () => {
  const schemes = await bench.query(
    `select scheme, count(*)::integer from business_identifiers group by 1 order by 1`,
  )
  assert.deepEqual(
    schemes.map(({ scheme }) => scheme),
    ['cms_ccn', 'fsis_establishment', 'ipeds_unitid', 'ncua_charter', 'sec_cik'],
  )
  const [apple] = await bench.query(
    `select i.value from business_identifiers i join businesses b on b.id = i.business_id where b.name = 'Apple Inc' and i.scheme = 'sec_cik'`,
  )
  assert.equal(apple?.value, '320193')
})

test('a later start does not change the sample', async () => {
  const client = await bench.connect()
  const [one] = await bench.query(`select id from published_businesses limit 1`)
  await client.query(`update businesses set publication_status = 'withdrawn' where id = $1`, [one?.id])
  await client.query('select project_businesses(array[$1])', [one?.id])
  await client.query(`update business_sources set digest = null where business_id = $1`, [one?.id])
  await client.end()
  await loadSample(bench.connect, noJobs, quietLog)
  assert.deepEqual(await bench.query('select publication_status from businesses where id = $1', [one?.id]), [
    { publication_status: 'withdrawn' },
  ])
  assert.equal(await count(), (await count('businesses')) - 1)
})
