import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sourceKinds } from '@wbs/contract/businesses/input'
import { rowChanges } from '../../harness/transactions/row-changes.ts'
import { addSource, type BusinessFacts } from '../../harness/businesses.ts'
import { editableBusiness, twoWorkspaces, type OfEditable, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

const source = { kind: 'website', url: 'https://said.example/here' } as const

describe('PATCH /v1/businesses/{business_id}, of a published one', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  const business = (...of: OfEditable) => editableBusiness(world, ...of)
  const update = (business_id: string, facts: object, expected_revision = 1) =>
    world.us.updateBusiness({ business_id, expected_revision, ...facts })
  const others = {
    name: 'Renamed',
    legal_name: 'Renamed LLC',
    status: 'inactive',
    description: 'Two lines.',
    founded_on: '1999-05-01',
    public_email: 'hello@renamed.example',
    public_phone: '+14045550123',
    website_url: 'https://renamed.example/',
    country_code: 'CA',
    state: 'MA',
    city: 'Bath',
    postal_code: '31201',
    line1: '1 Peach St',
    naics_code: '722511',
  }
  const published: Partial<BusinessFacts> = {
    publication_status: 'published',
    locations: [{ state: 'GA', city: 'Macon' }],
    classifications: [{ code: '311811' }],
  }

  it('requires a source for public facts, and changes nothing without one', async () => {
    const id = await business(published)
    await rowChanges(world.service)
    for (const [field, value] of Object.entries(others)) {
      const { missing_evidence } = await refused(update(id, { [field]: value }), 'evidence_required')
      const named = missing_evidence.map(one => one.pointer)
      assert.ok(named.includes(`/${field}`), field)
      for (const one of missing_evidence) {
        assert.equal(one.code, 'source')
        assert.deepEqual(one.accepted, [...sourceKinds])
        assert.ok(!one.detail.includes(value))
      }
    }
    assert.deepEqual(await rowChanges(world.service), [])
  })

  it('shows the change in search, with kind, address and day as provenance', async () => {
    const id = await business(published)
    await addSource(world.service, 'registry', id, ['name', 'city', 'state'])
    const { data, projection } = await update(id, {
      name: 'Published Anew',
      city: 'Athens',
      description: 'Fact',
      source: { ...source, note: 'Seen by Olivia' },
    })
    assert.equal(projection, 'public')
    assert.equal(data.city, 'Athens')
    const found = await world.them.searchBusinesses({ query: 'published anew', city: 'athens' })
    assert.equal(found.data[0]?.id, id)
    const today = new Date().toISOString().slice(0, 10)
    const said = (field: string) => ({
      business_id: id,
      field,
      source: 'website',
      source_url: source.url,
      observed_at: today,
    })
    const { data: read } = await world.them.getBusiness({ business_id: id, include: ['provenance'] })
    const registry = read.provenance?.find(one => one.source === 'registry')
    assert.deepEqual(
      read.provenance,
      [said('city'), said('description'), said('name'), registry],
      'a source that said otherwise no longer stands for the fact',
    )
    assert.equal(registry?.field, 'state')
    assert.doesNotMatch(JSON.stringify([found, read]), /Olivia|Seen by|Harbor/)
    const [statement] = await world.service.sql(
      'select * from business_fact_statements where business_id = $1',
      [id],
    )
    assert.deepEqual(
      [statement?.['workspace_id'], statement?.['recorded_by'], statement?.['note'], statement?.['revision']],
      [world.workspace_id, world.olivia.user_id, 'Seen by Olivia', 2],
    )
    assert.deepEqual(statement?.['fields'], ['name', 'description', 'city'])
  })

  it('replaces the source of a changed fact, and deletes that of a cleared one', async () => {
    const id = await business(published)
    await update(id, { description: 'One', source })
    await update(id, { description: 'Two', source: { kind: 'statement' } }, 2)
    const provenance = async () =>
      (await world.us.getBusiness({ business_id: id, include: ['provenance'] })).data.provenance?.map(one => [
        one.field,
        one.source,
        one.source_url,
      ])
    assert.deepEqual(await provenance(), [['description', 'statement', null]])
    await update(id, { description: null, source: { kind: 'other' } }, 3)
    assert.deepEqual(await provenance(), [])
  })

  it('requires no source for unpublished parts, which stay unpublished', async () => {
    const id = await business({
      publication_status: 'published',
      locations: [{ state: 'GA', city: 'Macon', published: false }],
      classifications: [{ code: '311811', published: false }],
    })
    const { data } = await update(id, { city: 'Athens', naics_code: '722511' })
    assert.equal(data.revision, 2)
    assert.deepEqual([data.city, data.naics_code, data.locations], [null, null, []])
    assert.deepEqual((await world.service.anonymous.getBusiness({ business_id: id })).data.city, null)
    assert.deepEqual(
      (await world.service.anonymous.searchBusinesses({ city: 'Athens', query: 'glacier' })).data.filter(
        one => one.id === id,
      ),
      [],
    )
    await refused(update(id, { country_code: 'CA' }, 2), 'evidence_required')
  })

  it('publishes a new location and classification', async () => {
    const id = await business({ publication_status: 'published' })
    await refused(update(id, { city: 'Athens' }), 'evidence_required')
    const { data } = await update(id, { city: 'Athens', naics_code: '722511', source })
    assert.deepEqual([data.city, data.naics_code], ['Athens', '722511'])
    assert.equal((await world.service.anonymous.getBusiness({ business_id: id })).data.city, 'Athens')
  })
})
