import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makePortfolioWorld, type PortfolioWorld } from './portfolio-fixture.ts'

let world: PortfolioWorld
before(async () => void (world = await makePortfolioWorld()))
after(() => world.close())
const member = () => world.client('member')
const fund = { name: 'Main Street Fund I', currency: 'USD' }

describe('POST /v1/portfolios', () => {
  it('creates a portfolio, which every member who may read valuations sees', async () => {
    const business_id = await world.business()
    const { data, receipt } = await member().createPortfolio({ ...fund, name: ' Fund ', business_id })
    const { portfolio_id, created_at, updated_at, ...rest } = data
    assert.deepEqual(rest, { name: 'Fund', currency: 'USD', business_id, holding_count: 0, revision: 1 })
    assert.equal(created_at, updated_at)
    assert.deepEqual(
      [receipt?.operation, receipt?.resource],
      ['create_portfolio', { type: 'portfolio', id: portfolio_id }],
    )
    for (const name of ['owner', 'viewer'] as const)
      assert.deepEqual((await world.client(name).getPortfolio({ portfolio_id })).data, data)
    assert.deepEqual(
      (await world.historyOf(portfolio_id)).map(({ type, feed, subject }) => [type, feed, subject.name]),
      [['portfolio.created', 'audit', 'Fund']],
    )
  })

  it('refuses what has another form, and a Business that the caller cannot see', async () => {
    for (const [about, pointer] of [
      [{ name: '  ' }, '/name'],
      [{ name: 'a'.repeat(201) }, '/name'],
      [{ name: 'two\nlines' }, '/name'],
      [{ currency: 'Dollar' }, '/currency'],
      [{ business_id: 'biz_1' }, '/business_id'],
    ] as const) {
      const { errors } = await refused(
        member().createPortfolio({ ...fund, ...(about as object) }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(one => one.pointer),
        [pointer],
      )
    }
    const hidden = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    const details = new Set<string>()
    for (const business_id of [hidden, newId('biz')] as `biz_${string}`[])
      details.add((await refused(member().createPortfolio({ ...fund, business_id }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })

  it('keeps any text as a name', async () => {
    const name = `'; drop table portfolios; -- <b>${'😀'.repeat(80)}`
    const { portfolio_id } = (await member().createPortfolio({ ...fund, name })).data
    assert.equal((await member().getPortfolio({ portfolio_id })).data.name, name)
  })

  it('refuses viewers, guests, outsiders, and keys without valuations:run', async () => {
    await world.invite(await world.room(), world.people.guest, 'full_access')
    for (const client of [
      world.client('viewer'),
      world.client('guest'),
      world.client('rival'),
      await world.withKey(['valuations:read']),
    ])
      await refused(client.createPortfolio(fund), 'forbidden')
  })
})

describe('GET /v1/portfolios', () => {
  it('lists the portfolios of a Workspace by pages, or those of a Business', async () => {
    const { people, service } = world
    const workspace_id = await service.workspace('Of lists', people.admin)
    const business_id = await world.business()
    const client = people.admin.client
    const made: string[] = []
    for (let i = 0; i < 5; i++) {
      const about = { ...fund, ...(i > 2 && { business_id }) }
      made.push((await client.createPortfolio(about, { workspace_id })).data.portfolio_id)
    }
    const first = await client.listPortfolios({ limit: 3 }, { workspace_id })
    const rest = await client.listPortfolios({ limit: 3, cursor: first.page.cursor }, { workspace_id })
    assert.deepEqual(
      [...first.data, ...rest.data].map(one => one.portfolio_id),
      made,
    )
    assert.deepEqual([first.page.has_more, rest.page], [true, { cursor: null, has_more: false }])
    const ofBusiness = await client.listPortfolios({ business_id }, { workspace_id })
    assert.deepEqual(
      ofBusiness.data.map(one => one.portfolio_id),
      made.slice(3),
    )
    await refused(client.listPortfolios({ business_id: newId('biz') }, { workspace_id }), 'not_found')
  })

  it('answers 404 for a portfolio of another Workspace as for one that does not exist', async () => {
    const portfolio_id = await world.portfolio()
    const { rival } = world.people
    const workspace_id = await world.service.workspace('Elsewhere', rival)
    const details = new Set<string>()
    for (const id of [portfolio_id, newId('pfl')])
      for (const call of [
        () => rival.client.getPortfolio({ portfolio_id: id }, { workspace_id }),
        () => rival.client.listHoldings({ portfolio_id: id }, { workspace_id }),
        () => rival.client.getHolding({ portfolio_id: id, key: 'a' }, { workspace_id }),
        () => rival.client.setHolding({ portfolio_id: id, key: 'a', removed: true }, { workspace_id }),
        () =>
          rival.client.updatePortfolio(
            { portfolio_id: id, expected_revision: 1, name: 'a' },
            { workspace_id },
          ),
      ])
        details.add((await refused(call(), 'not_found')).detail)
    assert.equal(details.size, 1)
    await refused(world.client('guest').listPortfolios({}), 'forbidden')
    await refused(world.client('guest').getPortfolio({ portfolio_id }), 'forbidden')
  })
})

describe('PATCH /v1/portfolios/{portfolio_id}', () => {
  it('changes what is sent, with one event, and nothing if it is as before', async () => {
    const portfolio_id = await world.portfolio()
    const changed = await member().updatePortfolio({
      portfolio_id,
      expected_revision: 1,
      name: 'Fund II',
      currency: 'EUR',
    })
    assert.deepEqual([changed.data.revision, changed.data.name, changed.data.currency], [2, 'Fund II', 'EUR'])
    const same = await member().updatePortfolio({ portfolio_id, expected_revision: 2, name: 'Fund II' })
    assert.deepEqual(same.data, (await member().getPortfolio({ portfolio_id })).data)
    assert.deepEqual(
      (await world.historyOf(portfolio_id)).map(({ type, data }) => [type, data]),
      [
        ['portfolio.created', {}],
        ['portfolio.updated', { changed: ['name', 'currency'] }],
      ],
    )
  })

  it('refuses a stale revision, an empty change, members who may only read, and keys that may not', async () => {
    const portfolio_id = await world.portfolio()
    await member().updatePortfolio({ portfolio_id, expected_revision: 1, name: 'Fund II' })
    const stale = { portfolio_id, expected_revision: 1, name: 'Fund III' }
    assert.equal((await refused(member().updatePortfolio(stale), 'revision_conflict')).current, 2)
    await refused(member().updatePortfolio({ portfolio_id, expected_revision: 2 }), 'validation_error')
    await refused(world.client('viewer').updatePortfolio(stale), 'forbidden')
    await refused((await world.withKey(['valuations:run'])).updatePortfolio(stale), 'not_found')
  })

  it('lets one of sixteen simultaneous changes of the same revision succeed, and replays it', async () => {
    const portfolio_id = await world.portfolio()
    const keys = Array.from({ length: 16 }, () => randomUUID())
    const change = (idempotency_key: string, at: number) =>
      member().updatePortfolio(
        { portfolio_id, expected_revision: 1, name: `Fund ${at}` },
        { idempotency_key },
      )
    const answers = await Promise.allSettled(keys.map(change))
    const won = answers.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []))
    assert.equal(won.length, 1)
    const again = await change(String(keys[won[0] ?? 0]), won[0] ?? 0)
    assert.deepEqual([again.idempotent_replay, again.data.revision], [true, 2])
  })
})
