import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ImportError } from '../../../src/businesses/import/rows/import-error.ts'
import { columns, csv, openBench, row } from './import-harness.ts'
import type { ImportBench } from './import-harness.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

const good = (...ids: string[]) => csv(ids.map(source_id => row({ source_id })))

async function countBusinesses(): Promise<number> {
  const [found] = await bench.query<{ count: string }>('select count(*) from businesses')
  return Number(found?.count)
}

/** The import fails with this message, and nothing is written. */
async function assertRefused(content: string | Buffer, message: RegExp, name?: string): Promise<void> {
  const before = await countBusinesses()
  await assert.rejects(bench.run([await bench.file(content, name)]), (error: unknown) => {
    assert.ok(error instanceof ImportError, String(error))
    assert.match(error.message, message)
    return true
  })
  assert.equal(await countBusinesses(), before)
  assert.ok(!existsSync(bench.rejectsFile))
}

test('a file without a header is refused', () => assertRefused('', /is empty/))

test('a file with only a header has no rows', async () => {
  const result = await bench.run([await bench.file(`${columns}\n`)])
  assert.deepEqual([result.read, result.created, result.rejected], [0, 0, 0])
  assert.ok(!existsSync(bench.rejectsFile))
})

test('an unknown column is named', () => assertRefused(`${columns},naics\n`, /unknown columns "naics"/))

test('missing columns are named', () =>
  assertRefused('source,source_id,name\n', /lacks the columns status, founded_on, .*description/))

test('a repeated column is named', () => assertRefused(`${columns},name\n`, /twice name/))

test('a file with other separators is refused', () =>
  assertRefused(columns.replaceAll(',', ';'), /unknown columns/))

test('a file in UTF-16 is refused', () =>
  assertRefused(Buffer.from(`\ufeff${columns}\n`, 'utf16le'), /is not UTF-8/))

test('a compressed file whose name does not end in .gz is refused', () =>
  assertRefused(gzipSync(good('zip-0')), /must end in \.gz/, 'named-wrongly.csv'))

test('a truncated file has no effect', async () => {
  const packed = gzipSync(csv(Array.from({ length: 5000 }, (_, at) => row({ source_id: `cut-${at}` }))))
  await assertRefused(
    packed.subarray(0, packed.length - 200),
    /cannot be read to its end: unexpected end of file/,
    'cut.csv.gz',
  )
})

test('a damaged compressed file has no effect', async () => {
  const packed = gzipSync(good('damaged'))
  packed[20] = 255 - (packed[20] ?? 0)
  await assertRefused(packed, /cannot be read to its end/, 'damaged.csv.gz')
})

test('a missing file is named before the import begins', async () => {
  await assert.rejects(
    bench.run([await bench.file(good('first')), '/nowhere/at-all.csv']),
    /\/nowhere\/at-all.csv cannot be read: there is no such file/,
  )
  assert.deepEqual(await bench.query(`select 1 from business_sources where source_id = 'first'`), [])
})

test('an error in the second file also stops the first one', async () => {
  const before = await countBusinesses()
  await assert.rejects(
    bench.run([await bench.file(good('one-of-two')), await bench.file('nonsense\n')]),
    ImportError,
  )
  assert.equal(await countBusinesses(), before)
})

test('compressed files, byte order marks, CRLF and any order of columns are read', async () => {
  const reordered =
    'name,source_id,source,status,description,phone,website_url,naics_vintage,naics_code,postal_code,state,city,address1,closed_on,founded_on'
  const files = [
    await bench.file(gzipSync(good('zip-1', 'zip-2')), 'rows.csv.gz'),
    await bench.file(`\ufeff${good('bom')}`),
    await bench.file(good('crlf').replaceAll('\n', '\r\n')),
    await bench.file(`${reordered}\nSwapped Inc,swapped,demo,active,,,,,,,,,,,\n`),
    await bench.file(good('no-end').trimEnd()),
    await bench.file(good('blank').replace('\n', '\n\n\r\n')),
  ]
  const result = await bench.run(files)
  assert.deepEqual([result.read, result.created], [7, 7])
  const [swapped] = await bench.query(`select name, status from businesses where name = 'Swapped Inc'`)
  assert.deepEqual(swapped, { name: 'Swapped Inc', status: 'active' })
})

test('rows in Latin-1 are rejected, and others imported', async () => {
  const text = csv([
    row({ source_id: 'utf8-1' }),
    row({ source_id: 'latin', name: 'Café' }),
    row({ source_id: 'utf8-2', name: 'Café' }),
  ])
  const bytes = Buffer.from(text)
  const at = bytes.indexOf('Café')
  const mixed = Buffer.concat([bytes.subarray(0, at), Buffer.from('Café', 'latin1'), bytes.subarray(at + 5)])
  const result = await bench.run([await bench.file(mixed)])
  assert.deepEqual([result.created, result.rejected], [2, 1])
  const [reject] = await bench.rejected()
  assert.deepEqual([reject?.source_id, reject?.column, reject?.code], ['latin', 'name', 'invalid_utf8'])
})

test('a lone surrogate encoded as bytes is rejected', async () => {
  const bytes = Buffer.from(good('surrogate').replace('Plain Business', 'Plain ?? Business'))
  const at = bytes.indexOf('??')
  const smuggled = Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([0xed, 0xa0, 0xbd]),
    bytes.subarray(at + 2),
  ])
  const result = await bench.run([await bench.file(smuggled)])
  assert.deepEqual(result.reasons, { invalid_utf8: 1 })
})

test('ragged rows, invalid quotes and a field of 10 MB do not affect other rows', async () => {
  const tail = ','.repeat(12)
  const lines = [
    columns,
    `demo,ragged-1,Too short`,
    `demo,kept-1,Kept${tail}`,
    `demo,ragged-2,Too long${tail},`,
    `demo,quote-1,The "Best" Co${tail}`,
    `demo,kept-2,"Kept, too"${tail}`,
    `demo,large,${'x'.repeat(10_000_000)}${tail}`,
    `demo,kept-3,Kept${tail}`,
    `demo,quote-2,"Never closed${tail}`,
    `demo,kept-4,Kept${tail}`,
  ]
  const result = await bench.run([await bench.file(lines.join('\n'))])
  assert.deepEqual([result.read, result.created, result.rejected], [9, 4, 5])
  const rejects = await bench.rejected()
  assert.deepEqual(
    rejects.map(({ line, code }) => [line, code]),
    [
      ['2', 'column_count'],
      ['4', 'column_count'],
      ['5', 'broken_quotes'],
      ['7', 'record_too_large'],
      ['9', 'broken_quotes'],
    ],
  )
  assert.equal(rejects[2]?.row, lines[4])
  assert.equal(rejects[0]?.source_id, 'ragged-1')
})

test('rejected rows are kept unchanged, so that they can be corrected and imported', async () => {
  const odd = `demo,mend,"Mend, ""me""",active,,,,,PR,,,,,,"two\nlines"`
  await bench.run([await bench.file(`${columns}\n${odd}\n`)])
  const [reject] = await bench.rejected()
  assert.equal(reject?.row, odd)
  const result = await bench.run([await bench.file(`${columns}\n${reject?.row.replace('PR', 'GA')}\n`)])
  assert.equal(result.created, 1)
  assert.ok(!existsSync(bench.rejectsFile), 'the rejects of an earlier run are not left lying about')
})

test('the rejects file must not be an input file', async () => {
  const file = await bench.file(good('precious'))
  await assert.rejects(bench.run([file], { rejectsFile: file }), /is one of the files to import/)
  assert.equal(await readFile(file, 'utf8'), good('precious'))
})

test('the import does not start if the rejects file cannot be written', async () => {
  const folder = `${bench.rejectsFile}.folder`
  await mkdir(folder)
  const before = await countBusinesses()
  await assert.rejects(
    bench.run([await bench.file(good('unstarted'))], { rejectsFile: folder }),
    /cannot be written/,
  )
  assert.equal(await countBusinesses(), before)
})

test('/dev/null can be the rejects file, and is not deleted', async () => {
  await bench.run([await bench.file(good('null'))], { rejectsFile: '/dev/null' })
  assert.ok(existsSync('/dev/null'))
})

test('sources of a catalogue are known in later imports', async () => {
  const sources = await bench.file(
    'source,title,publisher,url,licence,observed_on\nfresh,Fresh,Somebody,,free,\n',
    'catalogue.csv',
  )
  const first = await bench.file([row({ source: 'fresh', source_id: '1' })])
  assert.deepEqual((await bench.run([first], { sourceCatalogue: undefined })).reasons, { unknown_source: 1 })
  assert.equal((await bench.run([first], { sourceCatalogue: sources })).created, 1)
  const second = await bench.file([row({ source: 'fresh', source_id: '2' })])
  assert.equal((await bench.run([second], { sourceCatalogue: undefined })).created, 1)
})

test('an invalid catalogue is refused with its line', async () => {
  const header = 'source,title,publisher,url,licence,observed_on\n'
  const faults: [string, RegExp][] = [
    ['Bad Name,T,P,,L,\n', /line 2: source must be/],
    ['ok,T,P,,L,\nother,,P,,L,\n', /line 3: title must have a value/],
    ['ok,T,P,,L,2021-02-30\n', /line 2: observed_on must be a day/],
    ['ok,T,P,javascript:x,L,\n', /line 2: url must be/],
    ['ok,T,P\n', /line 2: the row is not whole/],
  ]
  const rows = await bench.file(good('catalogued'))
  for (const [text, message] of faults) {
    const sourceCatalogue = `${bench.sources}.faulty`
    await writeFile(sourceCatalogue, header + text)
    await assert.rejects(bench.run([rows], { sourceCatalogue }), message)
  }
})
