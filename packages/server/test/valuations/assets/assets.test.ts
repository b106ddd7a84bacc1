import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'
import { oven } from './oven.ts'

let world: ValuationWorld
before(async () => void (world = await makeValuationWorld()))
after(() => world.close())
const member = () => world.client('member')
const create = async (about: Partial<Parameters<ReturnType<typeof member>['createAsset']>[0]> = {}) =>
  (await member().createAsset({ ...oven, ...about })).data

describe('POST /v1/assets', () => {
  it('records an asset, which every member who may read valuations sees', async () => {
    const business_id = await world.business()
    const { data, receipt } = await member().createAsset({
      ...oven,
      business_id,
      description: 'Deck oven,\nthree decks.',
    })
    const { asset_id, created_at, updated_at, ...rest } = data
    assert.deepEqual(rest, {
      ...oven,
      business_id,
      description: 'Deck oven,\nthree decks.',
      revision: 1,
    })
    assert.equal(created_at, updated_at)
    assert.deepEqual(
      [receipt?.operation, receipt?.resource],
      ['create_asset', { type: 'asset', id: asset_id }],
    )
    for (const name of ['owner', 'viewer'] as const)
      assert.deepEqual((await world.client(name).getAsset({ asset_id })).data, data)
    assert.deepEqual(
      (await world.historyOf(asset_id)).map(({ type, feed, subject }) => [type, feed, subject.name]),
      [['asset.created', 'audit', null]],
    )
  })

  it('keeps amounts and days as they are given', async () => {
    for (const [amount, acquired_on] of [
      ['0', '0001-01-01'],
      ['999999999999999999.123456789012', '9999-12-31'],
      ['0.10', '2024-02-29'],
    ] as const) {
      const { asset_id } = await create({ cost: { amount, currency: 'JPY' }, acquired_on })
      const { data } = await member().getAsset({ asset_id })
      assert.deepEqual([data.cost, data.acquired_on], [{ amount, currency: 'JPY' }, acquired_on])
    }
  })

  it('refuses what has another form', async () => {
    for (const [about, pointer] of [
      [{ class: 'ship' }, '/class'],
      [{ cost: { amount: '-1', currency: 'USD' } }, '/cost/amount'],
      [{ cost: { amount: '1', currency: 'usd' } }, '/cost/currency'],
      [{ acquired_on: '2021-02-29' }, '/acquired_on'],
      [{ acquired_on: '0000-01-01' }, '/acquired_on'],
      [{ condition: 'broken' }, '/condition'],
      [{ description: 'a'.repeat(2001) }, '/description'],
      [{ description: 'a\u0007' }, '/description'],
      [{ name: 'Oven' }, '/name'],
    ] as const) {
      const { errors } = await refused(
        member().createAsset({ ...oven, ...(about as object) }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(one => one.pointer),
        [pointer],
      )
    }
  })

  it('answers 404 for a Business that the caller cannot see, whether or not it exists', async () => {
    const hidden = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    const details = new Set<string>()
    for (const business_id of [hidden, newId('biz')] as `biz_${string}`[])
      details.add((await refused(member().createAsset({ ...oven, business_id }), 'not_found')).detail)
    assert.equal(details.size, 1)
    await world.service.link(world.workspace_id, hidden, world.people.owner)
    assert.equal((await create({ business_id: hidden })).business_id, hidden)
    const blind = await world.withKey(['valuations:read', 'valuations:run'])
    await refused(blind.createAsset({ ...oven, business_id: hidden }), 'not_found')
  })

  it('refuses viewers, guests, and keys without valuations:run', async () => {
    await world.invite(await world.room(), world.people.guest, 'full_access')
    for (const client of [
      world.client('viewer'),
      world.client('guest'),
      world.client('rival'),
      await world.withKey(['valuations:read']),
    ])
      await refused(client.createAsset(oven), 'forbidden')
  })
})

describe('GET /v1/assets', () => {
  it('lists the assets of a Workspace by pages, of a Business or of a class', async () => {
    const { people, service } = world
    const workspace_id = await service.workspace('Of lists', people.admin)
    const business_id = await world.business()
    const made: string[] = []
    for (let i = 0; i < 5; i++) {
      const about = { ...oven, ...(i % 2 && { class: 'cash' as const }), ...(i > 1 && { business_id }) }
      made.push((await people.admin.client.createAsset(about, { workspace_id })).data.asset_id)
    }
    const listed = async (filter: Parameters<typeof people.admin.client.listAssets>[0]) => {
      const found: string[] = []
      for (let cursor: `ast_${string}` | undefined; ;) {
        const { data, page } = await people.admin.client.listAssets(
          { ...filter, limit: 2, ...(cursor && { cursor }) },
          { workspace_id },
        )
        found.push(...data.map(one => one.asset_id))
        assert.equal(page.has_more, page.cursor !== null)
        if (page.cursor === null) return found
        cursor = page.cursor as `ast_${string}`
      }
    }
    assert.deepEqual(await listed({}), made)
    assert.deepEqual(await listed({ class: 'cash' }), [made[1], made[3]])
    assert.deepEqual(await listed({ business_id }), made.slice(2))
    assert.deepEqual(await listed({ business_id, class: 'equipment' }), [made[2], made[4]])
    await refused(
      people.admin.client.listAssets({ business_id: newId('biz') }, { workspace_id }),
      'not_found',
    )
  })

  it('answers 404 for an asset of another Workspace as for one that does not exist', async () => {
    const { asset_id } = await create()
    const { rival } = world.people
    const workspace_id = await world.service.workspace('Elsewhere', rival)
    const details = new Set<string>()
    for (const id of [asset_id, newId('ast')])
      for (const call of [
        () => rival.client.getAsset({ asset_id: id }, { workspace_id }),
        () =>
          rival.client.updateAsset(
            { asset_id: id, expected_revision: 1, condition: 'poor' },
            { workspace_id },
          ),
      ])
        details.add((await refused(call(), 'not_found')).detail)
    assert.equal(details.size, 1)
    await refused(world.client('rival').getAsset({ asset_id }), 'forbidden')
    await refused(world.client('guest').listAssets({}), 'forbidden')
  })
})

describe('PATCH /v1/assets/{asset_id}', () => {
  it('changes what is sent, with one event, and nothing if it is as before', async () => {
    const { asset_id } = await create()
    const { data } = await member().updateAsset({
      asset_id,
      expected_revision: 1,
      condition: 'poor',
      cost: { amount: '17000', currency: 'EUR' },
    })
    assert.deepEqual(
      [data.revision, data.condition, data.cost, data.class],
      [2, 'poor', { amount: '17000', currency: 'EUR' }, oven.class],
    )
    assert.deepEqual((await member().getAsset({ asset_id })).data, data)
    const same = await member().updateAsset({ asset_id, expected_revision: 2, condition: 'poor' })
    assert.equal(same.data.revision, 2)
    assert.deepEqual(
      (await world.historyOf(asset_id)).map(({ type, data: about }) => [type, about]),
      [
        ['asset.created', {}],
        ['asset.updated', { changed: ['cost', 'condition'] }],
      ],
    )
  })

  it('refuses a stale revision, an empty change, and members who may only read', async () => {
    const { asset_id } = await create()
    await member().updateAsset({ asset_id, expected_revision: 1, condition: 'poor' })
    const { current, expected } = await refused(
      member().updateAsset({ asset_id, expected_revision: 1, condition: 'new' }),
      'revision_conflict',
    )
    assert.deepEqual([expected, current], [1, 2])
    await refused(member().updateAsset({ asset_id, expected_revision: 2 }), 'validation_error')
    await refused(
      world.client('viewer').updateAsset({ asset_id, expected_revision: 2, condition: 'new' }),
      'forbidden',
    )
    const blind = await world.withKey(['valuations:run'])
    await refused(blind.updateAsset({ asset_id, expected_revision: 2, condition: 'new' }), 'not_found')
  })

  it('takes a Business that the caller sees, null, or the one that it has already', async () => {
    const business_id = await world.business()
    const { asset_id } = await create({ business_id })
    await world.service.sql(`update businesses set publication_status = 'withdrawn' where id = $1`, [
      business_id,
    ])
    await world.service.sql('delete from published_businesses where id = $1', [business_id])
    await world.service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      business_id,
    ])
    const kept = await member().updateAsset({
      asset_id,
      expected_revision: 1,
      business_id,
      condition: 'poor',
    })
    assert.equal(kept.data.business_id, business_id)
    await member().updateAsset({ asset_id, expected_revision: 2, business_id: null })
    await refused(member().updateAsset({ asset_id, expected_revision: 3, business_id }), 'not_found')
  })

  it('lets one of sixteen simultaneous changes of the same revision succeed, and replays it', async () => {
    const { asset_id } = await create()
    const idempotency_keys = Array.from({ length: 16 }, () => randomUUID())
    const change = (idempotency_key: string, at: number) =>
      member().updateAsset(
        { asset_id, expected_revision: 1, description: `Change ${at}` },
        { idempotency_key },
      )
    const answers = await Promise.allSettled(idempotency_keys.map(change))
    const won = answers.findIndex(one => one.status === 'fulfilled')
    assert.equal(answers.filter(one => one.status === 'fulfilled').length, 1)
    const again = await change(String(idempotency_keys[won]), won)
    assert.deepEqual([again.idempotent_replay, again.data.revision], [true, 2])
  })
})
