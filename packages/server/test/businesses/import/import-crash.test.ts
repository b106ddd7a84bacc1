import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { ImportProgress } from '../../../src/businesses/import/progress.ts'
import { openBench, processOf, row } from './import-harness.ts'
import type { ImportBench } from './import-harness.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

/** Two connections have three batches each. */
const threeBatchesEach = 2_000
const batchSize = 400

let rows = 0
let file: string
let round = 0
/** Makes a file of so many Businesses that no test had before. */
async function newFile(length: number): Promise<void> {
  const ids = Array.from({ length }, (_, at) => `round${round}-${at}`)
  rows = ids.length
  round++
  file = await bench.file(
    ids.map(source_id =>
      row({ source_id, state: 'GA', city: 'Macon', naics_code: '541511', naics_vintage: '2017' }),
    ),
  )
}

/** Runs the import, and ends one of its connections when a phase begins. Returns the outcome. */
async function crash(phase: ImportProgress['phase'], victim: number): Promise<unknown> {
  const clients: pg.Client[] = []
  let killing: Promise<unknown> | undefined
  const connect = async () => {
    const client = await bench.connect()
    clients.push(client)
    return waitingFor(client, () => killing)
  }
  const onProgress = (progress: ImportProgress) => {
    if (progress.phase === phase)
      killing ??= bench.administer('select pg_terminate_backend($1)', [
        clients[victim] && processOf(clients[victim]),
      ])
  }
  const outcome = await bench.run([file], { connect, batchSize, onProgress }).then(
    () => undefined,
    (error: unknown) => error,
  )
  await killing
  return outcome
}

/** A connection whose next statement is sent once the session that is being ended has ended, however slow that is. */
function waitingFor(client: pg.Client, killing: () => Promise<unknown> | undefined): pg.Client {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const later = async (...given: unknown[]) => {
    await killing()
    return query(...given)
  }
  // Copying gives a stream at once.
  const isCopy = (asked: unknown) => typeof asked === 'object' && asked !== null && 'submit' in asked
  return Object.assign(client, {
    query: (...given: unknown[]) => (isCopy(given[0]) ? query(...given) : later(...given)),
  })
}

/** How many Businesses of this round exist. Each must be complete. */
async function wholeBusinesses(): Promise<number> {
  const [counts] = await bench.query<Record<string, string>>(
    `select count(*) as all, count(b.id) as businesses, count(l.id) as locations, count(c.id) as classifications,
       count(p.id) as published, count(distinct s.business_id) as distinct
     from business_sources s left join businesses b on b.id = s.business_id
     left join business_locations l on l.business_id = b.id
     left join business_classifications c on c.business_id = b.id
     left join published_businesses p on p.id = b.id
     where s.source_id like $1`,
    [`round${round - 1}-%`],
  )
  const values = Object.values(counts ?? {}).map(Number)
  assert.equal(new Set(values).size, 1, JSON.stringify(counts))
  const [strays] = await bench.query<{ count: string }>(
    'select count(*) from businesses b where not exists (select from business_sources s where s.business_id = b.id)',
  )
  assert.equal(Number(strays?.count), 0)
  return values[0] ?? 0
}

for (const phase of ['reading', 'matching', 'writing'] as const)
  for (const victim of [0, 1])
    test(`an import that loses connection ${victim} while ${phase} leaves whole batches, and the next run does the rest`, async () => {
      await newFile(threeBatchesEach)
      const outcome = await crash(phase, victim)
      assert.ok(outcome instanceof Error, 'the import must say that it failed')
      const left = await wholeBusinesses()
      if (phase === 'reading') assert.equal(left, 0)
      const result = await bench.run([file])
      assert.deepEqual([result.created, result.unchanged], [rows - left, left])
      assert.equal(await wholeBusinesses(), rows)
    })

test('two imports of one file at once take turns, and nothing is there twice', async () => {
  await newFile(6_000)
  let waited = false
  const second = () =>
    bench.run([file], {
      rejectsFile: `${bench.rejectsFile}.2`,
      onProgress: ({ phase }) => (waited ||= phase === 'waiting'),
    })
  const results = await Promise.all([
    bench.run([file], { onProgress: ({ phase }) => (waited ||= phase === 'waiting') }),
    second(),
  ])
  assert.deepEqual(
    results.map(({ created }) => created).sort((a, b) => a - b),
    [0, rows],
  )
  assert.deepEqual(
    results.map(({ unchanged }) => unchanged).sort((a, b) => a - b),
    [0, rows],
  )
  assert.ok(waited)
  assert.equal(await wholeBusinesses(), rows)
})

test('an import that is told to stop does so between batches, and can be taken up again', async () => {
  await newFile(threeBatchesEach)
  const stop = new AbortController()
  const onProgress = ({ phase }: ImportProgress) => void (phase === 'writing' && stop.abort())
  const { signal } = stop
  await assert.rejects(bench.run([file], { batchSize, signal, onProgress }), { name: 'AbortError' })
  const left = await wholeBusinesses()
  assert.ok(left > 0 && left < rows, `${left} of ${rows}`)
  assert.equal((await bench.run([file])).created, rows - left)
  assert.equal(await wholeBusinesses(), rows)
})

test('an import that is told to stop while it waits for another gives up at once', async () => {
  await newFile(100)
  const holder = await bench.connect()
  await holder.query(`select pg_advisory_lock(hashtext('svc.import'))`)
  const stop = new AbortController()
  const onProgress = ({ phase }: ImportProgress) => void (phase === 'waiting' && stop.abort())
  await assert.rejects(bench.run([file], { signal: stop.signal, onProgress }), { name: 'AbortError' })
  await holder.end()
  assert.equal(await wholeBusinesses(), 0)
})

test('no connection of an import outlives it', async () => {
  await newFile(100)
  await bench.run([file])
  await assert.rejects(bench.run(['/nowhere.csv']))
  const [open] = await bench.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'wbs svc_writer' and pid <> pg_backend_pid()`,
  )
  assert.equal(Number(open?.count), 0)
})
