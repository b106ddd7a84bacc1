import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBench, row } from './import-harness.ts'
import type { ImportBench, Row } from './import-harness.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

const full = (values: Row = {}) =>
  row({
    name: 'Full Facts, Inc.',
    status: 'closed',
    founded_on: '1999-05-01',
    closed_on: '2020-06-30',
    address1: '1 Peach St',
    city: 'Macon',
    state: 'GA',
    postal_code: '31201',
    naics_code: '541511',
    naics_vintage: '2017',
    website_url: 'https://full.example.com/',
    phone: '+14785550123',
    description: 'Everything there is.',
    email: 'hello@full.example.com',
    legal_name: 'Full Facts Incorporated',
    ...values,
  })

/** All stored data of the Business of one record. */
async function stored(source_id: string, source = 'demo') {
  const rows = await bench.query(
    `select b.*, s.fields, l.state, l.city, l.city_folded, l.postal_code, l.line1, l.kind, l.is_primary, l.published as location_published,
       c.code, c.vintage, c.published as classification_published, c.id as classification_id, l.id as location_id,
       p.id as published_id, p.naics_title, p.name as published_name,
       array(select term from unnest(p.terms) term where term not like 'gap:%') as terms
     from business_sources s join businesses b on b.id = s.business_id
     left join business_locations l on l.business_id = b.id
     left join business_classifications c on c.business_id = b.id
     left join published_businesses p on p.id = b.id
     where s.source = $1 and s.source_id = $2`,
    [source, source_id],
  )
  assert.equal(rows.length, 1, `${rows.length} Businesses of ${source} ${source_id}`)
  return rows[0] ?? {}
}

test('every fact of a row is stored, and found by search if published', async () => {
  const before = Date.now()
  const result = await bench.run([await bench.file([full({ source_id: 'full' })])])
  assert.deepEqual(
    { ...result, seconds: 0 },
    { read: 1, created: 1, updated: 0, unchanged: 0, rejected: 0, seconds: 0, reasons: {} },
  )
  const business = await stored('full')
  assert.match(business.id, /^biz_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  assert.equal(business.classification_id, business.id.replace('biz_', 'cls_'))
  assert.equal(business.location_id, business.id.replace('biz_', 'loc_'))
  assert.ok(Date.parse(business.published_at) >= before)
  const {
    id: _id,
    created_at: _c,
    updated_at: _u,
    published_at: _p,
    classification_id: _k,
    location_id: _l,
    field_revisions: _f,
    ...facts
  } = business
  assert.deepEqual(facts, {
    revision: 1,
    name: 'Full Facts, Inc.',
    name_folded: 'full facts, inc.',
    legal_name: 'Full Facts Incorporated',
    publication_status: 'published',
    status: 'closed',
    founded_on: '1999-05-01',
    founded_year: 1999,
    closed_on: '2020-06-30',
    description: 'Everything there is.',
    public_email: 'hello@full.example.com',
    public_phone: '+14785550123',
    website_url: 'https://full.example.com/',
    country_code: 'US',
    merged_into_id: null,
    fields: [
      'name',
      'legal_name',
      'status',
      'founded_on',
      'founded_year',
      'closed_on',
      'description',
      'public_email',
      'public_phone',
      'website_url',
      'state',
      'city',
      'postal_code',
      'line1',
      'naics_code',
      'naics_vintage',
    ],
    state: 'GA',
    city: 'Macon',
    city_folded: 'macon',
    description_folded: null,
    postal_code: '31201',
    line1: '1 Peach St',
    kind: 'principal',
    is_primary: true,
    location_published: true,
    code: '541511',
    vintage: '2017',
    classification_published: true,
    published_id: business.id,
    published_name: 'Full Facts, Inc.',
    naics_title: 'Custom Computer Programming Services',
    terms: [
      'status:closed',
      'state:GA',
      'city:macon',
      'place:GA/macon',
      'naics2017:54',
      'naics2017:541',
      'naics2017:5415',
      'naics2017:54151',
      'naics2017:541511',
    ],
  })
})

test('search does not find a draft; publishing it later keeps its id', async () => {
  const file = await bench.file([full({ source_id: 'draft' })])
  await bench.run([file], { publish: false })
  const draft = await stored('draft')
  assert.deepEqual(
    [
      draft.publication_status,
      draft.published_at,
      draft.published_id,
      draft.location_published,
      draft.classification_published,
    ],
    ['draft', null, null, false, false],
  )
  assert.equal((await bench.run([file], { publish: false })).unchanged, 1)
  const result = await bench.run([file], { publish: true })
  assert.deepEqual([result.updated, result.unchanged], [1, 0])
  const published = await stored('draft')
  assert.deepEqual(
    [
      published.id,
      published.publication_status,
      published.published_id,
      published.location_published,
      published.classification_published,
      published.revision,
    ],
    [draft.id, 'published', draft.id, true, true, 2],
  )
  assert.equal((await bench.run([file], { publish: true })).unchanged, 1)
})

test('a year alone gives no day, and a blank cell no fact', async () => {
  await bench.run([await bench.file([row({ source_id: 'sparse', founded_on: '1934' })])])
  const business = await stored('sparse')
  assert.deepEqual(
    [
      business.founded_on,
      business.founded_year,
      business.status,
      business.state,
      business.code,
      business.website_url,
    ],
    [null, 1934, 'unknown', null, null, null],
  )
  assert.deepEqual(business.fields, ['name', 'founded_year'])
  assert.deepEqual(business.terms, ['status:unknown'])
})

test('the ids of a source that are public identifiers become identifiers', async () => {
  await bench.run([
    await bench.file([
      row({ source: 'register', source_id: 'reg-77' }),
      row({ source: 'register', source_id: 'other-78' }),
    ]),
  ])
  const { id } = await stored('reg-77', 'register')
  assert.deepEqual(
    await bench.query('select scheme, value, published from business_identifiers where business_id = $1', [
      id,
    ]),
    [{ scheme: 'register_no', value: '77', published: true }],
  )
  assert.deepEqual(await bench.query('select 1 from business_identifiers where value like $1', ['%78%']), [])
})

test('importing the same rows again, in another order, changes nothing', async () => {
  const rows = ['a', 'b', 'c'].map(id => full({ source_id: `again-${id}` }))
  await bench.run([await bench.file(rows)])
  const before = await stored('again-b')
  const result = await bench.run([await bench.file(rows.toReversed())])
  assert.deepEqual([result.created, result.updated, result.unchanged], [0, 0, 3])
  assert.deepEqual(await stored('again-b'), before)
})

test('a changed fact is updated with the same id, also in search', async () => {
  await bench.run([await bench.file([full({ source_id: 'moved' })])])
  const before = await stored('moved')
  const changed = full({
    source_id: 'moved',
    name: 'Renamed Facts',
    city: 'Athens',
    naics_code: '541512',
    status: 'active',
    closed_on: '',
  })
  const result = await bench.run([await bench.file([changed])])
  assert.deepEqual([result.created, result.updated], [0, 1])
  const after = await stored('moved')
  assert.deepEqual(
    [
      after.id,
      after.revision,
      after.published_name,
      after.name_folded,
      after.city,
      after.code,
      after.status,
      after.closed_on,
    ],
    [before.id, 2, 'Renamed Facts', 'renamed facts', 'Athens', '541512', 'active', null],
  )
  assert.deepEqual(
    [after.location_id, after.classification_id, after.published_at],
    [before.location_id, before.classification_id, before.published_at],
  )
  assert.ok(after.terms.includes('place:GA/athens') && !after.terms.includes('place:GA/macon'))
  assert.ok(after.updated_at > before.updated_at)
})

test('facts that a record no longer has are cleared, and facts from elsewhere kept', async () => {
  await bench.run([await bench.file([full({ source_id: 'less', description: '' })])])
  const { id } = await stored('less')
  await bench.query(`update businesses set description = 'Told by somebody else' where id = $1`, [id])
  await bench.run([await bench.file([row({ source_id: 'less', name: 'Less' })])])
  const business = await stored('less')
  assert.deepEqual(
    [
      business.name,
      business.website_url,
      business.founded_on,
      business.founded_year,
      business.status,
      business.state,
      business.code,
    ],
    ['Less', null, null, null, 'unknown', null, null],
  )
  assert.equal(business.description, 'Told by somebody else')
  assert.deepEqual(business.fields, ['name'])
  await bench.run([await bench.file([full({ source_id: 'less' })])])
  assert.deepEqual([(await stored('less')).city, (await stored('less')).code], ['Macon', '541511'])
})

test('later corrections stay as long as the record is the same', async () => {
  const file = await bench.file([full({ source_id: 'mended' })])
  await bench.run([file])
  const { id } = await stored('mended')
  await bench.query(`update businesses set name = 'Mended by hand', revision = 2 where id = $1`, [id])
  assert.equal((await bench.run([file])).unchanged, 1)
  assert.equal((await stored('mended')).name, 'Mended by hand')
})

test('a fact that a record changes has the record as its source', async () => {
  await bench.run([await bench.file([row({ source_id: 'said', city: 'Macon', state: 'GA' })])])
  const { id } = await stored('said')
  await bench.query(
    `insert into business_fact_sources (business_id, field, kind, observed_on)
     select $1, field, 'statement', '2026-01-01' from unnest(array['city', 'description']) as f (field)`,
    [id],
  )
  await bench.run([await bench.file([row({ source_id: 'said', city: 'Athens', state: 'GA' })])])
  const left = await bench.query('select field from business_fact_sources where business_id = $1', [id])
  assert.deepEqual(left, [{ field: 'description' }])
  const { field_revisions } = await stored('said')
  assert.deepEqual([field_revisions.city, field_revisions.description], [2, undefined])
})

test('an import of drafts rejects rows of published Businesses', async () => {
  await bench.run([await bench.file([full({ source_id: 'public' })])])
  const result = await bench.run([await bench.file([full({ source_id: 'public', name: 'Otherwise' })])], {
    publish: false,
  })
  assert.deepEqual([result.updated, result.rejected], [0, 1])
  assert.deepEqual(
    (await bench.rejected()).map(({ code, source_id, line }) => [code, source_id, line]),
    [['published', 'public', '2']],
  )
  assert.equal((await stored('public')).name, 'Full Facts, Inc.')
})

test('a Business that was withdrawn stays withdrawn', async () => {
  await bench.run([await bench.file([full({ source_id: 'withdrawn' })])])
  const { id } = await stored('withdrawn')
  await bench.query(`update businesses set publication_status = 'withdrawn' where id = $1`, [id])
  await bench.query('select project_businesses(array[$1])', [id])
  await bench.run([await bench.file([full({ source_id: 'withdrawn', name: 'Newer name' })])])
  const business = await stored('withdrawn')
  assert.deepEqual(
    [business.name, business.publication_status, business.published_id],
    ['Newer name', 'withdrawn', null],
  )
})

test('two records of one merged Business are both applied in turn', async () => {
  await bench.run([await bench.file([full({ source_id: 'twin-1' }), full({ source_id: 'twin-2' })])])
  const { id } = await stored('twin-1')
  await bench.query(`update business_sources set business_id = $1 where source_id = 'twin-2'`, [id])
  const result = await bench.run([
    await bench.file([
      full({ source_id: 'twin-1', name: 'One' }),
      full({ source_id: 'twin-2', name: 'Two' }),
    ]),
  ])
  assert.equal(result.updated, 2)
  assert.equal((await stored('twin-1')).revision, 3)
})

test('the first of several rows of a record counts, also across files, and the others are rejected', async () => {
  const first = await bench.file([
    row({ source_id: 'twice', name: 'First' }),
    row({ source_id: 'twice', name: 'Second' }),
  ])
  const second = await bench.file([row({ source_id: 'twice', name: 'Third' }), row({ source_id: 'once' })])
  const result = await bench.run([first, second])
  assert.deepEqual([result.read, result.created, result.rejected], [4, 2, 2])
  assert.deepEqual(
    (await bench.rejected()).map(({ file, line, code, row }) => [file, line, code, row.includes('First')]),
    [
      [first, '3', 'duplicate', false],
      [second, '2', 'duplicate', false],
    ],
  )
  assert.equal((await stored('twice')).name, 'First')
})

test('ids do not follow the order of the file', async () => {
  const rows = Array.from({ length: 400 }, (_, at) =>
    row({ source_id: `mix-${at}`, state: at < 200 ? 'GA' : 'MA' }),
  )
  await bench.run([await bench.file(rows)])
  const order = await bench.query<{ state: string; same_time: boolean }>(
    `select l.state, left(b.id, 14) = left(min(b.id) over (), 14) as same_time from businesses b join business_sources s on s.business_id = b.id
     join business_locations l on l.business_id = b.id where s.source_id like 'mix-%' order by b.id`,
  )
  const firstHalf = order.slice(0, 200).filter(({ state }) => state === 'GA').length
  assert.ok(firstHalf > 60 && firstHalf < 140, `${firstHalf} of 200`)
  assert.ok(order.every(({ same_time }) => same_time))
})

test('progress is reported by phase, and never decreases', async () => {
  const phases: string[] = []
  let last = 0
  await bench.run(
    [await bench.file(Array.from({ length: 50 }, (_, at) => row({ source_id: `told-${at}` })))],
    {
      onProgress: ({ phase, read, created }) => {
        if (phases.at(-1) !== phase) phases.push(phase)
        assert.ok(read + created >= last)
        last = read + created
      },
    },
  )
  assert.deepEqual(phases, ['reading', 'matching', 'writing'])
  assert.equal(last, 100)
})
