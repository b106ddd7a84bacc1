import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../../harness/businesses.ts'
import { assertOnce, eventsAbout, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('POST /v1/businesses/{business_id}/publish', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  const draft = async () =>
    (
      await world.us.createBusiness({
        name: 'Glacier Tooling',
        state: 'GA',
        city: 'Macon',
        naics_code: '311811',
        match_policy: 'force_new',
      })
    ).data.id
  const publish = (business_id: string, expected_revision = 1) =>
    world.us.publishBusiness({ business_id, expected_revision })

  it('makes a draft public, with its primary location and classification', async () => {
    const id = await draft()
    assert.deepEqual((await world.service.anonymous.searchBusinesses({ query: 'glacier tooling' })).data, [])
    const { data, projection, action_receipt } = await publish(id)
    assert.equal(projection, 'public')
    assert.deepEqual([data.publication_status, data.revision], ['published', 2])
    assert.ok(data.published_at)
    assert.deepEqual(action_receipt.changed, ['publication_status', 'published_at'])
    const found = await world.service.anonymous.searchBusinesses({
      query: 'glacier tooling',
      state: 'GA',
      city: 'Macon',
      naics_code: '311811',
    })
    assert.deepEqual(
      found.data.map(one => one.id),
      [id],
    )
    assert.deepEqual(await eventsAbout(world, id), ['business.created', 'business.published'])
  })

  it('does not publish identifiers and other locations', async () => {
    const id = await addBusiness(world.service, {
      name: 'With identifiers',
      publication_status: 'draft',
      identifiers: [{ scheme: 'ein', value: '12-3456789', published: false }],
      locations: [
        { state: 'GA', published: false },
        { kind: 'branch', state: 'ME', is_primary: false, published: false },
      ],
    })
    await world.service.link(world.workspace_id, id, world.olivia, 'full_access')
    const { data } = await publish(id)
    assert.deepEqual(data.identifiers, [])
    assert.deepEqual(
      data.locations?.map(one => one.state),
      ['GA'],
    )
  })

  it('publishes a withdrawn Business again, with its first date and its public parts', async () => {
    const id = await addBusiness(world.service, {
      name: 'Kept back',
      locations: [{ state: 'GA', published: false }],
    })
    await world.service.link(world.workspace_id, id, world.olivia, 'full_access')
    const [before] = await world.service.sql('select published_at from businesses where id = $1', [id])
    await world.us.withdrawBusiness({ business_id: id, expected_revision: 1 })
    const { data, action_receipt } = await publish(id, 2)
    assert.equal(data.published_at, before?.['published_at'].toISOString())
    assert.deepEqual([data.state, data.locations], [null, []])
    assert.deepEqual(action_receipt.changed, ['publication_status'])
  })

  it('takes effect once for a key', async () => {
    const id = await draft()
    await assertOnce(
      options => world.us.publishBusiness({ business_id: id, expected_revision: 1 }, options),
      options => world.us.publishBusiness({ business_id: id, expected_revision: 2 }, options),
    )
    assert.deepEqual(await eventsAbout(world, id), ['business.created', 'business.published'])
  })

  it('refuses a published or merged Business, whatever the revision', async () => {
    const id = await draft()
    await publish(id)
    for (const revision of [1, 2])
      assert.equal((await refused(publish(id, revision), 'state_conflict')).current_status, 'published')
    const merged = await addBusiness(world.service, {
      name: 'Merged',
      publication_status: 'merged',
      merged_into_id: id,
    })
    await world.service.link(world.workspace_id, merged, world.olivia, 'full_access')
    assert.equal((await refused(publish(merged), 'state_conflict')).current_status, 'merged')
  })

  it('refuses a stale revision', async () => {
    const id = await draft()
    await world.us.updateBusiness({ business_id: id, expected_revision: 1, city: 'Athens' })
    const { expected, current, changed_fields } = await refused(publish(id), 'revision_conflict')
    assert.deepEqual([expected, current, changed_fields], [1, 2, ['city']])
  })

  it('requires full access and businesses:publish', async () => {
    const edited = await addBusiness(world.service, { name: 'Edited', publication_status: 'draft' })
    await world.service.link(world.workspace_id, edited, world.olivia, 'edit')
    await refused(publish(edited), 'forbidden')
    const id = await draft()
    const ofMia = world.as(world.mia).publishBusiness({ business_id: id, expected_revision: 1 })
    assert.equal((await refused(ofMia, 'forbidden')).required_permission, 'businesses:publish')
    await refused(publish(await addBusiness(world.service, { name: 'Not linked' })), 'forbidden')
  })

  it('answers for a hidden Business as for an unknown one', async () => {
    const { data } = await world.them.createBusiness({ name: 'Hidden' })
    await refused(publish(data.id), 'not_found')
  })

  it('succeeds for one of many concurrent requests', async () => {
    const id = await draft()
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => publish(id)))
    assert.equal(answers.filter(one => one.status === 'fulfilled').length, 1)
    assert.deepEqual(await eventsAbout(world, id), ['business.created', 'business.published'])
  })
})
