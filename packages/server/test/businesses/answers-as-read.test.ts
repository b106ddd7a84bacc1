import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Id } from '@wbs/contract/ids'
import { addBusiness, type BusinessFacts } from '../harness/businesses.ts'
import { editableBusiness, twoWorkspaces, type TwoWorkspaces } from './workspace-fixture.ts'

type Changed = Awaited<ReturnType<TwoWorkspaces['us']['publishBusiness']>>
type Given = Partial<Parameters<TwoWorkspaces['us']['updateBusiness']>[0]>

describe('the answer of a change of a Business equals what is read afterwards', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  async function assertAsRead({ data, projection }: Pick<Changed, 'data' | 'projection'>): Promise<void> {
    const read = await world.us.getBusiness({
      business_id: data.id,
      include: ['classifications', 'locations', 'identifiers'],
    })
    assert.deepEqual(data, read.data)
    assert.equal(projection, read.projection)
  }

  const drafts: Record<string, Partial<BusinessFacts>> = {
    'of which nothing is known': {},
    'of which all is known': {
      status: 'closed',
      legal_name: 'Glacier Tooling LLC',
      founded_on: '1987-04-01',
      founded_year: 1987,
      closed_on: '2020-02-29',
      description: 'Machine shop.',
      public_email: 'hello@example.com',
      public_phone: '+14045550123',
      website_url: 'https://glacier.example/about?x=1',
      locations: [
        { state: 'GA', city: 'Macon', postal_code: '31201', line1: '1 Mill Street', published: false },
        { kind: 'branch', state: 'ME', is_primary: false },
        { kind: 'mailing', state: 'VT', is_primary: false, published: false },
      ],
      classifications: [
        { code: '311811', published: false },
        { code: '311812', is_primary: false },
        { code: '2361', vintage: '2012', is_primary: false, published: false },
      ],
      identifiers: [
        { scheme: 'ein', value: '12-3456789', published: false },
        { scheme: 'duns', value: '123456789', published: true },
      ],
    },
    'that has no primary parts': {
      founded_year: 1900,
      locations: [{ country_code: 'FR', city: 'Lyon', is_primary: false }],
      classifications: [{ code: '311811', is_primary: false }],
    },
    'abroad, of which no more than the country is known': { locations: [{ country_code: 'FR' }] },
    'whose parts were kept back when it was published before': {
      published_at: '2020-01-01T00:00:00Z',
      locations: [{ country_code: 'CA', city: 'Québec', published: false }],
      classifications: [{ code: '311811', published: false }],
    },
  }

  const source = { kind: 'document' } as const
  const update = (given: Given) => (business_id: Id<'biz'>, expected_revision: number) =>
    world.us.updateBusiness({ business_id, expected_revision, source, ...given })
  const publish = (business_id: Id<'biz'>, expected_revision: number) =>
    world.us.publishBusiness({ business_id, expected_revision })
  const withdraw = (business_id: Id<'biz'>, expected_revision: number) =>
    world.us.withdrawBusiness({ business_id, expected_revision })
  const cleared = { state: null, city: null, postal_code: null, line1: null, naics_code: null }

  /** Changes that follow each other. */
  const courses: Record<string, (typeof publish)[]> = {
    'edited, published, edited, withdrawn and published again': [
      update({ description: 'Other words.', founded_on: '1999-12-31' }),
      update({ country_code: 'US', state: 'TX', city: 'El Paso', naics_code: '236115' }),
      publish,
      update({ line1: '2 Mill Street', naics_code: '236116', naics_vintage: '2017' }),
      update({ name: 'Ætna Möbel', country_code: 'DE', state: null }),
      withdraw,
      update({ status: 'inactive', website_url: null }),
      publish,
    ],
    'published as it is, and cleared': [publish, update({ country_code: 'DE' }), update(cleared), withdraw],
    'cleared, published, and told of anew': [
      update({ ...cleared, country_code: 'US' }),
      publish,
      update({ country_code: 'US', state: 'ME', naics_code: '2361' }),
      update({ city: 'Bath' }),
    ],
    'set to what it is': [update({ name: 'Glacier Tooling' }), publish, update({ name: 'Glacier Tooling' })],
  }

  for (const [kind, facts] of Object.entries(drafts))
    for (const [course, changes] of Object.entries(courses))
      it(`a draft ${kind}: ${course}`, async () => {
        const id = (await editableBusiness(world, facts, 'full_access')) as Id<'biz'>
        let revision = 1
        for (const change of changes) {
          const answer = await change(id, revision)
          await assertAsRead(answer)
          revision = answer.data.revision as number
        }
      })

  it('after creating it', async () => {
    const match_policy = 'force_new'
    await assertAsRead(await world.us.createBusiness({ name: 'Harbor', match_policy }))
    await assertAsRead(
      await world.us.createBusiness({
        name: 'Harbor',
        website_url: 'HTTPS://Harbor.example/',
        state: 'MA',
        city: 'Boston',
        naics_code: '311811',
        match_policy,
      }),
    )
    await assertAsRead(
      await world.us.createBusiness({
        name: 'Hafen',
        country_code: 'DE',
        state: 'Hamburg',
        naics_code: '236115',
        naics_vintage: '2012',
        match_policy,
      }),
    )
  })

  it('after finding it instead of creating it', async () => {
    const [locations, classifications] = [[{ state: 'GA', published: false }], [{ code: '311811' }]]
    await addBusiness(world.service, { name: 'Found published', locations, classifications })
    await editableBusiness(world, { name: 'Found as a draft', locations, classifications })
    const into = await addBusiness(world.service, { name: 'Into which' })
    const merged = { publication_status: 'merged', merged_into_id: into } as const
    await editableBusiness(world, { name: 'Found merged', ...merged, locations, classifications })
    for (const name of ['Found published', 'Found as a draft', 'Found merged']) {
      const answer = await world.us.createBusiness({ name, match_policy: 'return_existing' })
      assert.notEqual(answer.data.revision, undefined)
      await assertAsRead(answer)
    }
  })

  it('after linking it, as it is listed', async () => {
    const { workspace_id } = world
    const listed = async (business_id: string) => {
      for await (const one of world.us.listWorkspaceBusinesses.each({ workspace_id }))
        if (one.id === business_id) return one
      return undefined
    }
    const published = await addBusiness(world.service, { name: 'New here', locations: [{ state: 'GA' }] })
    const ours = (await editableBusiness(world, { locations: [{ state: 'ME' }] })) as Id<'biz'>
    const mood = { key: 'mood', value: { value_type: 'text', value: 'ours' } } as const
    await world.us.createObservation({ business_id: ours, ...mood, observed_on: '2026-01-01' })
    await world.us.setWorkspaceProfile({
      business_id: ours,
      logo_url: 'https://a.example/l.png',
      expected_revision: 0,
    })
    await world.us.unlinkBusiness({ workspace_id, business_id: ours })
    for (const business_id of [published, ours, ours])
      assert.deepEqual(
        (await world.us.linkBusiness({ workspace_id, business_id })).data,
        await listed(business_id),
      )
  })

  it('after an observation, its retraction, and a profile', async () => {
    const business_id = await editableBusiness(world)
    const listed = async () =>
      (await world.us.listObservations({ business_id, include_retracted: true, limit: 1 })).data[0]
    const given = [
      { value: { value_type: 'number', value: -1.5e-7 }, source: { kind: 'statement', note: 'By phone' } },
      { value: { value_type: 'number', value: 1e21 }, source: { kind: 'website', url: 'https://a.example' } },
      { value: { value_type: 'text', value: 'Two\nlines, "quoted" 𠮷' } },
    ] as const
    for (const one of given) {
      const made = await world.us.createObservation({
        business_id,
        key: 'any',
        observed_on: '2026-01-31',
        ...one,
      })
      assert.deepEqual(made.data, await listed())
      const { observation_id } = made.data
      const retracted = await world.us.retractObservation({ business_id, observation_id })
      assert.deepEqual(retracted.data, await listed())
    }
    const profile = await world.us.setWorkspaceProfile({ business_id, notes: 'Ours', expected_revision: 0 })
    assert.deepEqual(profile.data, (await world.us.getWorkspaceProfile({ business_id })).data)
  })
})
