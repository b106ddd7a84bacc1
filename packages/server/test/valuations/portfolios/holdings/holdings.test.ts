import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../../harness/businesses.ts'
import { refused } from '../../../harness/refused.ts'
import { oven } from '../../assets/oven.ts'
import { assertDemands } from '../../engine/fault.ts'
import { bakery } from '../../valuation-document.ts'
import { makePortfolioWorld, type Holding, type PortfolioWorld } from '../portfolio-fixture.ts'

let world: PortfolioWorld
before(async () => void (world = await makePortfolioWorld()))
after(() => world.close())
const member = () => world.client('member')

const holdingOf = (subject: Holding['subject'], about: Partial<Holding> = {}): Holding => ({
  subject,
  ownership_percent: '60',
  ...about,
})

describe('PUT /v1/portfolios/{portfolio_id}/holdings/{key}', () => {
  it('sets, replaces and removes a holding, each as a new revision of the portfolio with one event', async () => {
    const portfolio_id = await world.portfolio()
    const business_id = await world.business()
    const subject = { type: 'business' as const, id: business_id }
    const set = await world.hold(portfolio_id, 'corner-bakery', holdingOf(subject))
    assert.deepEqual([set.data.portfolio.revision, set.data.portfolio.holding_count], [2, 1])
    const { updated_at, ...holding } = set.data.holding ?? assert.fail()
    assert.deepEqual(holding, {
      portfolio_id,
      key: 'corner-bakery',
      subject,
      ownership_percent: '60',
      valuation_id: null,
      discount: null,
    })
    assert.equal(updated_at, set.data.portfolio.updated_at)
    assert.deepEqual(set.receipt?.resource, { type: 'portfolio', id: portfolio_id })
    const discount = { rate: '0.15', reason: 'Few buyers.\nNo dividends.' }
    const replaced = await world.hold(portfolio_id, 'corner-bakery', holdingOf(subject, { discount }))
    assert.deepEqual([replaced.data.portfolio.revision, replaced.data.portfolio.holding_count], [3, 1])
    assert.deepEqual((await member().listHoldings({ portfolio_id })).data, [replaced.data.holding])
    const one = { portfolio_id, key: 'corner-bakery' }
    assert.deepEqual((await member().getHolding(one)).data, replaced.data.holding)
    await refused(member().getHolding({ ...one, key: 'other' }), 'not_found')
    const removed = await world.hold(portfolio_id, 'corner-bakery', null)
    assert.deepEqual(removed.data.holding, null)
    assert.deepEqual(removed.data.portfolio, (await member().getPortfolio({ portfolio_id })).data)
    assert.deepEqual([removed.data.portfolio.revision, removed.data.portfolio.holding_count], [4, 0])
    assert.deepEqual((await member().listHoldings({ portfolio_id })).data, [])
    assert.deepEqual(
      (await world.historyOf(portfolio_id)).map(({ type, feed, data }) => [type, feed, data]),
      [
        ['portfolio.created', 'audit', {}],
        ['portfolio.holding_set', 'audit', { key: 'corner-bakery' }],
        ['portfolio.holding_set', 'audit', { key: 'corner-bakery' }],
        ['portfolio.holding_removed', 'audit', { key: 'corner-bakery' }],
      ],
    )
  })

  it('changes nothing if the holding is so already, or is to be removed and absent', async () => {
    const portfolio_id = await world.portfolio()
    const holding = holdingOf({ type: 'business', id: await world.business() })
    await world.hold(portfolio_id, 'a', holding)
    for (const again of [holding, { ...holding, valuation_id: null, discount: null }]) {
      const { data } = await world.hold(portfolio_id, 'a', again)
      assert.equal(data.portfolio.revision, 2)
    }
    const { data } = await world.hold(portfolio_id, 'b', null)
    assert.deepEqual([data.portfolio.revision, data.holding], [2, null])
    assert.equal((await world.historyOf(portfolio_id)).length, 2)
  })

  it('holds a Business, an asset, a portfolio, and by its valuation a subject without an ID', async () => {
    const portfolio_id = await world.portfolio()
    const { asset_id } = (await member().createAsset(oven)).data
    const business_id = await world.business()
    const { valuation_id } = await world.completed()
    const own = await world.completed({ subject: { type: 'business', id: business_id } })
    for (const [key, holding] of Object.entries({
      a: holdingOf({ type: 'business', id: business_id }, { valuation_id: own.valuation_id }),
      b: holdingOf({ type: 'asset', id: asset_id }),
      c: holdingOf({ type: 'portfolio', id: await world.portfolio() }),
      d: holdingOf({ type: 'business' }, { valuation_id }),
    }))
      await world.hold(portfolio_id, key, holding)
    const { data } = await member().listHoldings({ portfolio_id })
    assert.deepEqual(
      data.map(one => [one.key, one.subject.type, one.subject.id !== null, one.valuation_id]),
      [
        ['a', 'business', true, own.valuation_id],
        ['b', 'asset', true, null],
        ['c', 'portfolio', true, null],
        ['d', 'business', false, valuation_id],
      ],
    )
  })

  it('refuses a holding that is wrong in itself, with its pointer', async () => {
    const portfolio_id = await world.portfolio()
    const business_id = await world.business()
    const subject = { type: 'business' as const, id: business_id }
    for (const [holding, pointer, code] of [
      [holdingOf({ type: 'asset', id: business_id }), '/subject/id', 'conflict'],
      [holdingOf({ type: 'business' }), '/valuation_id', 'requires'],
      [
        holdingOf({ type: 'portfolio' }, { valuation_id: `val_${'0'.repeat(32)}` }),
        '/subject/id',
        'requires',
      ],
      [holdingOf(subject, { discount: { rate: '1.01', reason: 'All.' } }), '/discount/rate', 'out_of_range'],
      [{ ...holdingOf(subject), ownership_percent: '100.1' }, '/ownership_percent', 'format'],
      [{ ...holdingOf(subject), share: '1' }, '/share', 'unknown'],
    ] as const) {
      const { errors } = await refused(world.hold(portfolio_id, 'a', holding as Holding), 'validation_error')
      assert.deepEqual(
        errors.map(one => [one.pointer, one.code]),
        [[pointer, code]],
      )
      assertDemands(errors)
    }
    for (const key of ['A', 'a'.repeat(65), 'a b'])
      await refused(world.hold(portfolio_id, key, null), 'validation_error')
  })

  it('takes the holding itself as the body, and null to remove it; neither both nor nothing', async () => {
    const portfolio_id = await world.portfolio()
    const { base_url } = world.service
    const put = async (body: unknown) => {
      const response = await fetch(`${base_url}/v1/portfolios/${portfolio_id}/holdings/a`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${world.people.member.token}`,
          'svc-workspace-id': world.workspace_id,
          'idempotency-key': randomUUID(),
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as {
        data?: { holding: unknown }
        errors?: { pointer: string }[]
      }
      return [response.status, answer.data?.holding === null, answer.errors?.map(one => one.pointer)]
    }
    const holding = holdingOf({ type: 'business', id: await world.business() })
    assert.deepEqual(await put(holding), [200, false, undefined])
    assert.deepEqual(await put(null), [200, true, undefined])
    assert.deepEqual(await put({}), [400, false, ['']])
    assert.deepEqual(await put([]), [400, false, ['']])
    assert.equal((await put({ ...holding, removed: true }))[0], 400)
    assert.equal((await put({ subject: holding.subject }))[0], 400)
  })

  it('answers 404 for what the caller cannot see, whether or not it exists', async () => {
    const portfolio_id = await world.portfolio()
    const { rival } = world.people
    const workspace_id = await world.service.workspace('Elsewhere', rival)
    const theirs = { workspace_id }
    const secret = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    const asset = await rival.client.createAsset(oven, theirs)
    const fund = await rival.client.createPortfolio({ name: 'Theirs', currency: 'USD' }, theirs)
    for (const [type, hidden, absent] of [
      ['business', secret, newId('biz')],
      ['asset', asset.data.asset_id, newId('ast')],
      ['portfolio', fund.data.portfolio_id, newId('pfl')],
    ] as const) {
      const details = new Set<string>()
      for (const id of [hidden, absent])
        details.add(
          (await refused(world.hold(portfolio_id, 'a', holdingOf({ type, id })), 'not_found')).detail,
        )
      assert.equal(details.size, 1, type)
    }
    const { data } = await rival.client.createValuation(bakery({ run: true }), theirs)
    const details = new Set<string>()
    for (const valuation_id of [data.valuation_id, `val_${'0'.repeat(32)}`])
      details.add(
        (
          await refused(
            world.hold(portfolio_id, 'a', holdingOf({ type: 'business' }, { valuation_id })),
            'not_found',
          )
        ).detail,
      )
    assert.equal(details.size, 1)
    assert.equal((await member().getPortfolio({ portfolio_id })).data.revision, 1)
  })

  it('refuses a valuation that is a draft, of another subject, or of a part', async () => {
    const portfolio_id = await world.portfolio()
    const [one, other] = [await world.business(), await world.business('Other')]
    const draft = await world.draft({ subject: { type: 'business', id: one } })
    const ofOther = await world.completed({ subject: { type: 'business', id: other } })
    const subject = { type: 'business', id: one } as const
    const ofPart = await world.completed({ subject, interest: { percent: '40', kind: 'equity' } })
    const ofCapital = await world.completed({
      subject,
      interest: { percent: '100', kind: 'invested_capital' },
    })
    // The assets of a Business are valued without its debt.
    const ofAssets = await world.completed({ subject, interest: { percent: '100', kind: 'assets' } })
    const { asset_id } = (await member().createAsset(oven)).data
    for (const holding of [
      holdingOf(subject, { valuation_id: ofAssets.valuation_id }),
      holdingOf(subject, { valuation_id: ofPart.valuation_id }),
      holdingOf(subject, { valuation_id: ofCapital.valuation_id }),
      holdingOf({ type: 'business', id: one }, { valuation_id: draft.valuation_id }),
      holdingOf({ type: 'business', id: one }, { valuation_id: ofOther.valuation_id }),
      holdingOf({ type: 'asset', id: asset_id }, { valuation_id: ofOther.valuation_id }),
      holdingOf({ type: 'asset' }, { valuation_id: ofOther.valuation_id }),
    ]) {
      const { errors } = await refused(world.hold(portfolio_id, 'a', holding), 'validation_error')
      assert.deepEqual(
        errors.map(({ pointer, code }) => [pointer, code]),
        [['/valuation_id', 'conflict']],
      )
    }
  })

  it('refuses viewers, guests, and keys that may not; a replay is for who can read valuations', async () => {
    const portfolio_id = await world.portfolio()
    const to = { portfolio_id, key: 'a' }
    const ask = { ...to, removed: true } as const
    await world.invite(await world.room(), world.people.guest, 'full_access')
    for (const client of [
      world.client('viewer'),
      world.client('guest'),
      world.client('rival'),
      await world.withKey(['valuations:read']),
    ])
      await refused(client.setHolding(ask), 'forbidden')
    await refused((await world.withKey(['valuations:run'])).setHolding(ask), 'not_found')
    const options = { idempotency_key: randomUUID() }
    const admin = world.client('admin')
    const held = holdingOf({ type: 'business', id: await world.business() })
    const first = await admin.setHolding({ ...to, ...held }, options)
    await world.hold(portfolio_id, 'a', null)
    const again = await admin.setHolding({ ...to, ...held }, options)
    assert.deepEqual([again.idempotent_replay, again.data], [true, first.data])
    await refused(admin.setHolding(ask, options), 'idempotency_key_reused')
    await world.service.sql(
      `update memberships set permissions = '{"valuations:read": false}' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, world.people.admin.user_id],
    )
    await refused(admin.setHolding({ ...to, ...held }, options), 'not_found')
    await world.service.sql(
      `update memberships set permissions = '{}' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, world.people.admin.user_id],
    )
  })

  it('takes 500 holdings a portfolio, counts simultaneous ones, and lists them by pages', async () => {
    const portfolio_id = await world.portfolio()
    const id = await world.business()
    await world.service.sql(
      `insert into portfolio_holdings (workspace_id, portfolio_id, key, subject_type, subject_id, ownership_percent, updated_at)
       select $1, $2, 'k' || lpad(i::text, 3, '0'), 'business', $3, '1', now() from generate_series(1, 492) i`,
      [world.workspace_id, portfolio_id, id],
    )
    await world.service.sql('update portfolios set holding_count = 492 where id = $1', [portfolio_id])
    const answers = await Promise.allSettled(
      Array.from({ length: 16 }, (_, i) =>
        world.hold(portfolio_id, `new-${i}`, holdingOf({ type: 'business', id })),
      ),
    )
    const refusals = answers.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
    assert.equal(refusals.length, 8)
    for (const reason of refusals) await refused(Promise.reject(reason as Error), 'limit_reached')
    const { data } = await world.hold(portfolio_id, 'k001', holdingOf({ type: 'business', id }))
    assert.deepEqual([data.portfolio.holding_count, data.portfolio.revision], [500, 10])
    const keys: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await member().listHoldings({ portfolio_id, limit: 100, ...(cursor && { cursor }) })
      keys.push(...page.data.map(one => one.key))
      if (page.page.cursor === null) break
      cursor = page.page.cursor
    }
    assert.equal(keys.length, 500)
    assert.deepEqual(keys, keys.toSorted())
  })
})
