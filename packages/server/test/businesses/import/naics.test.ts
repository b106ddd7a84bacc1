import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadNaics, naicsCodes } from '../../../src/businesses/import/naics.ts'
import { openBench } from './import-harness.ts'
import type { ImportBench } from './import-harness.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

async function load(): Promise<boolean> {
  const client = await bench.connect()
  try {
    return await loadNaics(client)
  } finally {
    await client.end()
  }
}

test('all six editions have their number of codes of each length', async () => {
  const found = await bench.query(
    `select vintage, array_agg(n order by level) as counts
     from (select vintage, level, count(*)::integer as n from naics_codes group by 1, 2) c group by 1 order by 1`,
  )
  // Sectors, subsectors, industry groups, industries, national industries, as the Census Bureau counts them (of 1997,
  // one national industry is not known any more).
  assert.deepEqual(
    found.map(({ vintage, counts }) => [vintage, ...counts]),
    [
      ['1997', 20, 96, 313, 721, 1169],
      ['2002', 20, 100, 317, 725, 1179],
      ['2007', 20, 99, 313, 721, 1175],
      ['2012', 20, 99, 312, 713, 1065],
      ['2017', 20, 99, 311, 709, 1057],
      ['2022', 20, 96, 308, 689, 1012],
    ],
  )
})

test('every code has an existing parent, up to the sectors and their ranges', async () => {
  const orphans = await bench.query(
    `select c.vintage, c.code from naics_codes c
     left join naics_codes p on p.vintage = c.vintage and p.code = c.parent_code and p.level = c.level - 1
     where (c.level > 2) <> (p.code is not null)`,
  )
  assert.deepEqual(orphans, [])
  const ranges = await bench.query(`select distinct code from naics_codes where code like '%-%' order by 1`)
  assert.deepEqual(
    ranges.map(({ code }) => code),
    ['31-33', '44-45', '48-49'],
  )
})

test('loaded codes are not loaded again', async () => {
  assert.equal(await load(), false)
})

test('a missing code or digest is restored without deleting anything', async () => {
  await bench.query(`insert into businesses (id, name, name_folded) values ('biz_1', 'Kept', 'kept')`)
  await bench.query(
    `insert into business_classifications values ('cls_1', 'biz_1', 'naics', '541511', '2022', true, true)`,
  )
  await bench.administer(`delete from naics_codes where vintage = '2022' and code = '111110'`)
  assert.equal(await load(), true)
  await bench.administer(`update naics_codes set title = 'Wrong' where vintage = '2022' and code = '541511'`)
  await bench.administer(`delete from reference_data where name = 'naics'`)
  assert.equal(await load(), true)
  const [mended] = await bench.query(
    `select title from naics_codes where vintage = '2022' and code = '541511'`,
  )
  assert.equal(mended?.title, 'Custom Computer Programming Services')
  assert.equal(await load(), false)
})

test('nodes that start at the same time load the codes once', async () => {
  for (const table of ['reference_data', 'business_classifications', 'naics_codes'])
    await bench.administer(`delete from ${table}`)
  const loaded = await Promise.all([load(), load(), load()])
  assert.deepEqual(loaded.filter(Boolean), [true])
  const [count] = await bench.query<{ count: string }>('select count(*) from naics_codes')
  assert.equal(Number(count?.count), 13_518)
})

test('an import checks codes with their edition', async () => {
  const client = await bench.connect()
  const codes = await naicsCodes(client)
  await client.end()
  assert.equal(codes.size, 13_518)
  assert.deepEqual(
    ['2012:452990', '2017:452990', '2022:31-33', '2022:3133'].map(code => codes.has(code)),
    [true, false, true, true],
  )
})

test('a code is found under each of its prefixes and the range of its sector', async () => {
  assert.deepEqual(await termsOf('2022', '336411'), ['33', '336', '3364', '33641', '336411', '31-33'])
  assert.deepEqual(await termsOf('2022', '4841'), ['48', '484', '4841', '48-49'])
  assert.deepEqual(await termsOf('2017', '54'), ['54'])
  assert.deepEqual(await termsOf('2017', '31-33'), ['31-33'])
})

test('a code is found only under its prefixes and its range', async () => {
  const strays = await bench.query(
    `select vintage, code from naics_codes where code not like '%-%'
       and array_to_string(naics_terms(vintage, code), ' ') !~ ('^' || (
         select string_agg('naics' || vintage || ':' || left(code, n), ' ' order by n) from generate_series(2, length(code)) n
       ) || '( naics' || vintage || ':(31-33|44-45|48-49))?$')`,
  )
  assert.deepEqual(strays, [])
})

async function termsOf(vintage: string, code: string): Promise<string[]> {
  const [found] = await bench.query<{ terms: string[] }>('select naics_terms($1, $2) as terms', [
    vintage,
    code,
  ])
  return found?.terms.map(term => term.replace(`naics${vintage}:`, '')) ?? []
}
