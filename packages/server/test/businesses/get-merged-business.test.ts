import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Id } from '@wbs/contract/ids'
import { isProblem } from '@wbs/sdk'
import { startTestService, type TestService } from '../harness/service.ts'
import { addBusiness } from '../harness/businesses.ts'

describe('a Business that was merged', () => {
  let service: TestService
  let target: Id<'biz'>
  before(async () => {
    service = await startTestService()
    target = await addBusiness(service, { name: 'Target' })
  })
  after(() => service.close())

  it('is still returned to everybody, with the id of the other', async () => {
    const business_id = await addBusiness(service, {
      name: 'Glacier Tooling',
      locations: [{ state: 'OR', city: 'Portland' }],
      publication_status: 'merged',
      merged_into_id: target,
    })
    const { data, projection } = await service.anonymous.getBusiness({ business_id })
    assert.equal(data.merged_into_id, target)
    assert.equal(data.publication_status, 'merged')
    assert.equal(data.city, 'Portland')
    assert.equal(projection, 'public')
  })

  it('shows only parts that were published', async () => {
    const business_id = await addBusiness(service, {
      name: 'Merged',
      publication_status: 'merged',
      merged_into_id: target,
      locations: [{ country_code: 'CA', state: 'BC', city: 'Victoria', published: false }],
      classifications: [{ code: '332710', published: false }],
      identifiers: [{ scheme: 'ein', value: '12-3456789', published: false }],
    })
    const { data } = await service.anonymous.getBusiness({
      business_id,
      include: ['classifications', 'locations', 'identifiers'],
    })
    const {
      country_code,
      state,
      city,
      primary_location_id,
      naics_code,
      naics_vintage,
      naics_title,
      primary_classification_id,
    } = data
    assert.deepEqual(
      { state, city, primary_location_id, naics_code, naics_vintage, naics_title, primary_classification_id },
      {
        state: null,
        city: null,
        primary_location_id: null,
        naics_code: null,
        naics_vintage: null,
        naics_title: null,
        primary_classification_id: null,
      },
    )
    assert.equal(country_code, 'US')
    assert.deepEqual([data.locations, data.classifications, data.identifiers], [[], [], []])
  })

  it('answers 404 to the public if it was never published', async () => {
    const business_id = await addBusiness(service, {
      name: 'Draft, then merged',
      publication_status: 'merged',
      published_at: null,
      merged_into_id: target,
    })
    await assert.rejects(service.anonymous.getBusiness({ business_id }), error =>
      isProblem(error, 'not_found'),
    )
  })
})
