import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { columns } from '../../../src/businesses/import/rows/columns.ts'
import { rejectCodes } from '../../../src/businesses/import/rows/row.ts'
import { openBench, row } from './import-harness.ts'
import type { ImportBench, Row } from './import-harness.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

const refused: [Row, string, string][] = [
  [{ name: '' }, 'name', 'required'],
  [{ name: ' \u00a0 ' }, 'name', 'required'],
  [{ name: '\u200b\u00ad' }, 'name', 'required'],
  [{ source: '' }, 'source', 'required'],
  [{ source_id: '' }, 'source_id', 'required'],
  [{ source: 'nobody' }, 'source', 'unknown_source'],
  [{ name: 'x'.repeat(501) }, 'name', 'too_long'],
  [{ source_id: 'x'.repeat(201) }, 'source_id', 'too_long'],
  [{ description: 'x'.repeat(10_001) }, 'description', 'too_long'],
  [{ city: 'x'.repeat(201) }, 'city', 'too_long'],
  [{ address1: 'x'.repeat(501) }, 'address1', 'too_long'],
  [{ postal_code: '1'.repeat(21) }, 'postal_code', 'too_long'],
  [{ legal_name: 'x'.repeat(501) }, 'legal_name', 'too_long'],
  [{ name: 'nul \0 inside' }, 'name', 'control_character'],
  [{ name: 'two\nlines' }, 'name', 'control_character'],
  [{ name: 'Caf\u008e' }, 'name', 'control_character'],
  [{ description: 'bell \u0007' }, 'description', 'control_character'],
  [{ name: 'Caf\ufffd' }, 'name', 'invalid_utf8'],
  [{ status: 'Active' }, 'status', 'unknown_status'],
  [{ status: 'open' }, 'status', 'unknown_status'],
  [{ state: 'PR' }, 'state', 'unknown_state'],
  [{ state: 'ZZ' }, 'state', 'unknown_state'],
  [{ state: 'Georgia' }, 'state', 'unknown_state'],
  [{ country_code: 'USA' }, 'country_code', 'too_long'],
  [{ country_code: 'us' }, 'country_code', 'unknown_country'],
  [{ country_code: 'PR' }, 'country_code', 'unknown_country'],
  [{ naics_code: '541511' }, 'naics_vintage', 'naics_vintage'],
  [{ naics_vintage: '2022' }, 'naics_vintage', 'naics_vintage'],
  [{ naics_code: '999999', naics_vintage: '2022' }, 'naics_code', 'unknown_naics_code'],
  [{ naics_code: '541511', naics_vintage: '2020' }, 'naics_code', 'unknown_naics_code'],
  // A code of one edition may be unknown in another: 452990 was removed in 2017.
  [{ naics_code: '452990', naics_vintage: '2017' }, 'naics_code', 'unknown_naics_code'],
  [{ founded_on: '2021-02-29' }, 'founded_on', 'bad_date'],
  [{ founded_on: '1900-02-29' }, 'founded_on', 'bad_date'],
  [{ founded_on: '2021-13-01' }, 'founded_on', 'bad_date'],
  [{ founded_on: '2021-00-10' }, 'founded_on', 'bad_date'],
  [{ founded_on: '2021-1-1' }, 'founded_on', 'bad_date'],
  [{ founded_on: '01/02/2021' }, 'founded_on', 'bad_date'],
  [{ founded_on: '2021-02' }, 'founded_on', 'bad_date'],
  [{ founded_on: '0000' }, 'founded_on', 'bad_date'],
  [{ founded_on: '2021-01-01T00:00:00Z' }, 'founded_on', 'bad_date'],
  [{ status: 'closed', closed_on: '2021' }, 'closed_on', 'bad_date'],
  [{ status: 'closed', closed_on: '9999-12-31' }, 'closed_on', 'bad_date'],
  [{ status: 'active', closed_on: '2021-01-01' }, 'closed_on', 'date_conflict'],
  [{ closed_on: '2021-01-01' }, 'closed_on', 'date_conflict'],
  [{ status: 'closed', founded_on: '2021-01-02', closed_on: '2021-01-01' }, 'closed_on', 'date_conflict'],
  [{ status: 'closed', founded_on: '2022', closed_on: '2021-12-31' }, 'closed_on', 'date_conflict'],
  [{ website_url: 'www.example.com' }, 'website_url', 'bad_url'],
  [{ website_url: 'ftp://example.com' }, 'website_url', 'bad_url'],
  [{ website_url: 'javascript:alert(1)' }, 'website_url', 'bad_url'],
  [{ website_url: 'http://exa mple.com' }, 'website_url', 'bad_url'],
  [{ website_url: 'http://' }, 'website_url', 'bad_url'],
  [{ website_url: 'https://user:secret@example.com/' }, 'website_url', 'url_credentials'],
  [{ website_url: 'https://user@example.com/' }, 'website_url', 'url_credentials'],
  [{ website_url: `https://example.com/${'x'.repeat(2048)}` }, 'website_url', 'too_long'],
  [{ phone: '404-555-0123' }, 'phone', 'bad_phone'],
  [{ phone: '+0404555012' }, 'phone', 'bad_phone'],
  [{ phone: `+1${'2'.repeat(15)}` }, 'phone', 'bad_phone'],
  [{ email: 'nobody' }, 'email', 'bad_email'],
  [{ email: 'a@b' }, 'email', 'bad_email'],
  [{ email: 'a b@example.com' }, 'email', 'bad_email'],
]

test('each reason for a rejection is reported with its column and code', async () => {
  const rows = refused.map(([values], at) => row({ source_id: String(at), ...values }))
  const result = await bench.run([await bench.file(rows)])
  const rejects = await bench.rejected()
  assert.equal(result.rejected, refused.length)
  assert.equal(result.created, 0)
  assert.equal(rejects.length, refused.length)
  for (const [at, [values, column, code]] of refused.entries())
    assert.deepEqual(
      [rejects[at]?.column, rejects[at]?.code],
      [column, code],
      JSON.stringify(values).slice(0, 80),
    )
})

test('every reason can occur', async () => {
  const cells = new Set(refused.map(([, , code]) => code))
  const elsewhere = ['column_count', 'broken_quotes', 'record_too_large', 'duplicate', 'published'] // import*.test.ts
  assert.deepEqual([...cells, ...elsewhere].sort(), Object.keys(rejectCodes).sort())
})

const taken: Row[] = [
  { name: 'x'.repeat(500) },
  { name: '\u{1f3ed}'.repeat(500) },
  { name: '=HYPERLINK("http://example.com","A")' },
  { name: '+1 Services' },
  { name: '"Quoted" & Sons, Inc.' },
  { description: 'two\r\nlines\tand a tab \\ and \\N' },
  { description: 'x'.repeat(10_000) },
  { city: 'ﷺ'.repeat(200), state: 'GA' },
  { state: 'dc' },
  { country_code: 'CA', state: 'Ontario', city: 'Toronto' },
  { founded_on: '2000-02-29' },
  { founded_on: '1789' },
  { status: 'closed', founded_on: '2021', closed_on: '2021-01-01' },
  { status: 'closed', founded_on: '2021-01-01', closed_on: '2021-01-01' },
  { status: 'closed' },
  { naics_code: '31-33', naics_vintage: '2022' },
  { naics_code: '452990', naics_vintage: '2012' },
  { website_url: 'HTTPS://EXAMPLE.com/A?b=c#d' },
  { website_url: 'http://пример.рф/' },
  { email: "o'neil+sales@mail.example.co.uk" },
  { phone: '+14045550123' },
]

test('unusual but valid values are stored unchanged', async () => {
  const rows = taken.map((values, at) => row({ source_id: `taken-${at}`, ...values }))
  const result = await bench.run([await bench.file(rows)])
  assert.deepEqual(await bench.rejected(), [])
  assert.equal(result.created, taken.length)
  const stored = await bench.query<Row & { source_id: string }>(
    `select s.source_id, b.name, b.description, b.website_url, b.public_email as email, b.public_phone as phone,
       l.city, upper(l.state) as state, c.code as naics_code
     from business_sources s join businesses b on b.id = s.business_id
     left join business_locations l on l.business_id = b.id
     left join business_classifications c on c.business_id = b.id`,
  )
  for (const [at, values] of taken.entries()) {
    const found = stored.find(({ source_id }) => source_id === `taken-${at}`)
    for (const [column, value] of Object.entries(values))
      if (found && column in found)
        assert.equal(found[column], column === 'state' ? value.toUpperCase() : value)
  }
})

test('a row with several errors reports them all in one line', async () => {
  const result = await bench.run([await bench.file([row({ name: '', state: 'PR', phone: '1' })])])
  const [reject] = await bench.rejected()
  assert.equal(result.rejected, 1)
  assert.equal(reject?.code, 'required; bad_phone; unknown_state')
  assert.equal(reject?.column, 'name; phone; state')
  assert.deepEqual(result.reasons, { required: 1, bad_phone: 1, unknown_state: 1 })
})

test('the guide names every column and every reason', async () => {
  const guide = await readFile(
    new URL('../../../../../docs/guides/importing-businesses.md', import.meta.url),
    'utf8',
  )
  for (const word of [...columns.required, ...columns.optional, ...Object.keys(rejectCodes)])
    assert.ok(guide.includes(`\`${word}\``), word)
})
