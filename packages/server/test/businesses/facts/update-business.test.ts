import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { factNames } from '@wbs/contract/businesses/facts'
import { unstorableTexts } from '../../hostile/hostile-text.ts'
import { addBusiness } from '../../harness/businesses.ts'
import {
  assertOnce,
  editableBusiness,
  eventsAbout,
  faults,
  twoWorkspaces,
  type OfEditable,
  type TwoWorkspaces,
} from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

const source = { kind: 'website', url: 'https://said.example/here' } as const

describe('PATCH /v1/businesses/{business_id}', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  const business = (...of: OfEditable) => editableBusiness(world, ...of)
  const update = (business_id: string, facts: object, expected_revision = 1) =>
    world.us.updateBusiness({ business_id, expected_revision, ...facts })
  const all = {
    name: 'Renamed',
    legal_name: 'Renamed LLC',
    status: 'closed',
    closed_on: '2020-06-30',
    description: 'Two\nlines.',
    founded_on: '1999-05-01',
    public_email: 'hello@renamed.example',
    public_phone: '+14045550123',
    website_url: 'https://renamed.example/',
    country_code: 'US',
    state: 'GA',
    city: 'Macon',
    postal_code: '31201',
    line1: '1 Peach St',
    naics_code: '311811',
    naics_vintage: '2017',
  } as const

  it('changes every fact, and returns the full record with the next revision', async () => {
    const id = await business()
    assert.deepEqual(Object.keys(all), factNames)
    const { data, projection, action_receipt } = await update(id, all)
    const { postal_code, line1, ...inRecord } = all
    for (const [field, value] of Object.entries(inRecord))
      assert.equal(data[field as keyof typeof data], value, field)
    assert.deepEqual([data.locations?.[0]?.postal_code, data.locations?.[0]?.line1], [postal_code, line1])
    assert.equal(data.founded_year, 1999)
    assert.equal(data.revision, 2)
    assert.equal(projection, 'workspace')
    // The country did not change.
    assert.deepEqual(
      action_receipt.changed,
      factNames.filter(name => name !== 'country_code'),
    )
    assert.deepEqual(await eventsAbout(world, id), ['business.facts_changed'])
    const read = await world.us.getBusiness({
      business_id: id,
      include: ['locations', 'classifications', 'identifiers'],
    })
    assert.deepEqual(read.data, data)
  })

  it('keeps facts that are not given, and clears those that are null', async () => {
    const id = await business()
    await update(id, all)
    const { data } = await update(id, { description: null, naics_code: null, founded_on: null }, 2)
    assert.deepEqual(
      [data.description, data.naics_code, data.naics_vintage, data.founded_on, data.founded_year],
      [null, null, null, null, null],
    )
    assert.deepEqual([data.classifications, data.city, data.name], [[], 'Macon', 'Renamed'])
    const { data: nowhere } = await update(id, { state: null, city: null, postal_code: null, line1: null }, 3)
    assert.deepEqual([nowhere.locations, nowhere.primary_location_id], [[], null])
    for (const name of ['name', 'status', 'country_code', 'naics_vintage'])
      assert.equal((await faults(update(id, { [name]: null }, 4)))[0], `/${name} type`)
  })

  it('keeps the founding year if the day is not known', async () => {
    const id = await business({ founded_year: 1999 })
    const { data } = await update(id, { founded_on: null, city: 'Macon' })
    assert.equal(data.founded_year, 1999)
    assert.deepEqual(await faults(update(id, { status: 'closed', closed_on: '1998-12-31' }, 2)), [
      '/closed_on conflict',
    ])
  })

  it('creates no revision, event or source if nothing changes', async () => {
    const id = await business({
      publication_status: 'published',
      description: 'As it is',
      website_url: 'https://a.example',
    })
    const before = await world.service.sql('select * from businesses where id = $1', [id])
    const { data, action_receipt } = await update(id, {
      description: 'As it is',
      website_url: ' https://a.example ',
    })
    assert.equal(data.revision, 1)
    assert.deepEqual(action_receipt.changed, [])
    assert.deepEqual(await eventsAbout(world, id), [])
    assert.deepEqual(await world.service.sql('select * from businesses where id = $1', [id]), before)
  })

  it('refuses an empty change', async () => {
    const id = await business()
    assert.deepEqual(await faults(update(id, {})), [' required'])
    assert.deepEqual(await faults(update(id, { source })), [' required'])
  })

  it('takes effect once for a key, and replays only while the Business is visible', async () => {
    const id = await business()
    await assertOnce(
      options => world.us.updateBusiness({ business_id: id, expected_revision: 1, city: 'Macon' }, options),
      options => world.us.updateBusiness({ business_id: id, expected_revision: 1, city: 'Bath' }, options),
    )
    assert.deepEqual(await eventsAbout(world, id), ['business.facts_changed'])
    const options = { idempotency_key: crypto.randomUUID() }
    const ask = () =>
      world.us.updateBusiness({ business_id: id, expected_revision: 2, city: 'Bath' }, options)
    await ask()
    await world.us.unlinkBusiness({ workspace_id: world.workspace_id, business_id: id })
    await refused(ask(), 'not_found')
  })

  it('refuses a stale revision, and names the fields that changed since', async () => {
    const id = await business()
    await update(id, { city: 'Macon' })
    await update(id, { description: 'New', state: 'GA' }, 2)
    const stale = async (revision: number) => {
      const { expected, current, changed_fields } = await refused(
        update(id, { name: 'Late' }, revision),
        'revision_conflict',
      )
      return { expected, current, changed_fields: changed_fields.sort() }
    }
    assert.deepEqual(await stale(1), {
      expected: 1,
      current: 3,
      changed_fields: ['city', 'description', 'state'],
    })
    assert.deepEqual(await stale(2), { expected: 2, current: 3, changed_fields: ['description', 'state'] })
    assert.deepEqual(await stale(9), { expected: 9, current: 3, changed_fields: [] })
  })

  it('applies one of 50 concurrent changes of a revision', async () => {
    const id = await business()
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => update(id, { description: `Of ${i}` })),
    )
    const won = answers.filter(one => one.status === 'fulfilled')
    assert.equal(won.length, 1)
    const { data } = await world.us.getBusiness({ business_id: id })
    assert.equal(data.revision, 2)
    assert.equal(data.description, won[0]?.value.data.description)
    assert.deepEqual(await eventsAbout(world, id), ['business.facts_changed'])
  })

  it('lets two Workspaces edit in turn', async () => {
    const id = await business()
    await world.service.link(world.sams, id, world.sam, 'edit')
    await update(id, { city: 'Macon' })
    await refused(
      world.them.updateBusiness({ business_id: id, expected_revision: 1, city: 'Bath' }),
      'revision_conflict',
    )
    const { data } = await world.them.updateBusiness({ business_id: id, expected_revision: 2, city: 'Bath' })
    assert.equal(data.revision, 3)
  })

  it('requires a link with the level edit', async () => {
    const viewed = await business({}, 'view')
    await refused(update(viewed, { city: 'Macon' }), 'forbidden')
    await refused(update(viewed, { city: 'Macon' }, 99), 'forbidden')
    const unlinked = await addBusiness(world.service, { name: 'Published' })
    await refused(update(unlinked, { city: 'Macon' }), 'forbidden')
    const mine = await business({}, 'full_access')
    await update(mine, { city: 'Macon' })
    await refused(
      world.as(world.viktor).updateBusiness({ business_id: mine, expected_revision: 2, city: 'Bath' }),
      'forbidden',
    )
  })

  it('answers for a hidden Business as for an unknown one', async () => {
    const { data } = await world.them.createBusiness({ name: 'Hidden' })
    await refused(update(data.id, { city: 'Macon' }), 'not_found')
    await refused(update('biz_01ARZ3NDEKTSV4RRFFQ69G5FAV', { city: 'Macon' }), 'not_found')
  })

  it('refuses a merged Business', async () => {
    const into = await addBusiness(world.service, { name: 'Into' })
    const id = await business({ publication_status: 'merged', merged_into_id: into })
    const { current_status } = await refused(update(id, { city: 'Macon' }, 99), 'state_conflict')
    assert.equal(current_status, 'merged')
  })

  it('refuses facts that contradict each other', async () => {
    const id = await business({ founded_on: '2000-01-01', locations: [{ state: 'GA' }] })
    const cases: [facts: object, expected: string][] = [
      [{ closed_on: '2020-01-01' }, '/closed_on conflict'],
      [{ closed_on: '2020-01-01', status: 'inactive' }, '/closed_on conflict'],
      [{ closed_on: '1999-12-31', status: 'closed' }, '/closed_on conflict'],
      [{ closed_on: '2001-01-01', status: 'closed', founded_on: '2002-01-01' }, '/closed_on conflict'],
      [{ naics_code: null, naics_vintage: '2022' }, '/naics_vintage conflict'],
      [{ naics_vintage: '2022' }, '/naics_vintage requires'],
      [{ state: 'Ontario' }, '/state format'],
      [{ source: { kind: 'website' }, city: 'x' }, '/source/url required'],
      [{ source: { kind: 'government_record' }, city: 'x' }, '/source/url required'],
    ]
    for (const [facts, expected] of cases)
      assert.deepEqual(await faults(update(id, facts)), [expected], JSON.stringify(facts))
    await update(id, { country_code: 'CA', state: 'Ontario' })
    assert.deepEqual(await faults(update(id, { country_code: 'US' }, 2)), ['/country_code conflict'])
  })

  it('clears the day of closing when the Business reopens', async () => {
    const id = await business({ status: 'closed', closed_on: '2020-01-01' })
    const { data, action_receipt } = await update(id, { status: 'active' })
    assert.deepEqual([data.status, data.closed_on], ['active', null])
    assert.deepEqual(action_receipt.changed, ['status', 'closed_on'])
  })

  it('refuses malformed facts', async () => {
    const id = await business()
    const cases: [facts: object, expected: string][] = [
      [{ name: 'two\nlines' }, '/name format'],
      [{ name: '\u00ad' }, '/name format'],
      [{ legal_name: 'x'.repeat(501) }, '/legal_name too_long'],
      [{ description: 'bell \u0007' }, '/description format'],
      [{ description: 'x'.repeat(10_001) }, '/description too_long'],
      [{ description: 'x'.repeat(2 ** 20) }, '/description too_long'],
      [{ status: 'open' }, '/status unknown'],
      [{ founded_on: '2021-02-29' }, '/founded_on format'],
      [{ founded_on: '0001-01-01' }, '/founded_on format'],
      [{ founded_on: '2021' }, '/founded_on format'],
      [{ status: 'closed', closed_on: '9999-12-31' }, '/closed_on format'],
      [{ public_email: 'nobody' }, '/public_email format'],
      [{ public_email: 'a@b' }, '/public_email format'],
      [{ public_phone: '404 555 0123' }, '/public_phone format'],
      [{ website_url: 'javascript:alert(1)' }, '/website_url format'],
      [{ website_url: 'https://me:secret@a.example' }, '/website_url format'],
      [{ website_url: 'https://a b.example' }, '/website_url format'],
      [{ country_code: 'GU' }, '/country_code format'],
      [{ postal_code: '1'.repeat(21) }, '/postal_code too_long'],
      [{ naics_code: '999999' }, '/naics_code format'],
      [{ city: 'x', source: { kind: 'guess' } }, '/source/kind unknown'],
      [{ city: 'x', source: { kind: 'other', file_id: 'fil_1' } }, '/source/file_id unknown'],
      [{ city: 'x', source: { kind: 'other', url: 'ftp://a.example' } }, '/source/url format'],
      [{ city: 'x', source: { kind: 'other', url: 'https://me:secret@a.example' } }, '/source/url format'],
      [{ revision: 2 }, ' required'],
    ]
    for (const [facts, expected] of cases)
      assert.ok((await faults(update(id, facts))).includes(expected), JSON.stringify(facts).slice(0, 80))
    for (const text of unstorableTexts)
      for (const name of ['name', 'description', 'city'])
        assert.ok((await faults(update(id, { [name]: text }))).includes(`/${name} format`))
    assert.deepEqual(await eventsAbout(world, id), [])
  })

  it('does not echo submitted values', async () => {
    const id = await business()
    const secret = 'canary1234'
    for (const facts of [
      { public_email: secret },
      { website_url: `https://${secret}:x@a.example` },
      { city: 'x', source: { kind: 'other', url: secret } },
      { state: secret },
    ])
      assert.ok(!JSON.stringify(await refused(update(id, facts), 'validation_error')).includes(secret))
  })
})
