import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { oven } from '../assets/oven.ts'
import {
  makePortfolioWorld,
  type Holding,
  type PortfolioId,
  type PortfolioWorld,
} from '../portfolios/portfolio-fixture.ts'
import { ofPortfolio } from './portfolio-document.ts'

let world: PortfolioWorld
before(async () => void (world = await makePortfolioWorld()))
after(() => world.close())
const member = () => world.client('member')

const run = async (portfolio_id: PortfolioId, about = {}) =>
  (await member().createValuation(ofPortfolio(portfolio_id, about))).data

const businessOf = (id: string, about: Partial<Holding> = {}): Holding => ({
  subject: { type: 'business', id },
  ownership_percent: '100',
  ...about,
})

/** Sets the conclusion of a completed valuation, so that sums are easy to see. */
const setPoint = (valuation_id: string, amount: string, currency = 'USD') =>
  world.service.sql(`update valuations set conclusion = jsonb_set(conclusion, '{point}', $2) where id = $1`, [
    valuation_id,
    JSON.stringify({ amount, currency }),
  ])

/** A Business with a completed valuation. */
async function valued(amount: string, about: object = {}, currency = 'USD') {
  const business_id = await world.business()
  const { valuation_id } = await world.completed({
    subject: { type: 'business', id: business_id },
    ...about,
  })
  await setPoint(valuation_id, amount, currency)
  return { business_id, valuation_id }
}

describe('the valuation of a portfolio', () => {
  it('is the sum of what it holds, through other portfolios too, less their discounts, in its currency', async () => {
    const [inner, outer] = [await world.portfolio('Inner'), await world.portfolio('Outer')]
    const one = await valued('1000.00')
    const other = await valued('500.00', {}, 'EUR')
    await world.hold(inner, 'one', businessOf(one.business_id, { ownership_percent: '60' }))
    await world.hold(inner, 'other', businessOf(other.business_id))
    await world.hold(outer, 'fund', {
      subject: { type: 'portfolio', id: inner },
      ownership_percent: '50',
      discount: { rate: '0.2', reason: 'Nobody can redeem for two years.' },
    })
    const fx = [{ from: 'EUR', to: 'USD', rate: '1.2', as_of: '2026-06-30', source: 'ECB' }]
    const whole = await run(inner, { inputs: { fx } })
    assert.equal(whole.conclusion?.point.amount, '1200.00')
    const part = await run(outer, { inputs: { fx } })
    assert.equal(part.conclusion?.point.amount, '480.00')
    const holdings = (part.result as { holdings: { key: string; name: string; path: string[] }[] }).holdings
    assert.deepEqual(
      holdings.map(({ key, name, path }) => [key, name, path]),
      [
        ['one', 'Corner Bakery', ['fund']],
        ['other', 'Corner Bakery', ['fund']],
      ],
    )
    const { errors } = await refused(member().createValuation(ofPortfolio(outer)), 'validation_error')
    assert.equal(errors[0]?.pointer, '/inputs/fx')
  })

  it('takes the newest completed valuation that is not dated after it, of the whole subject, or the one that is named', async () => {
    const { business_id, valuation_id } = await valued('100.00', { valuation_date: '2026-01-31' })
    const subject = { type: 'business' as const, id: business_id }
    const portfolio_id = await world.portfolio()
    await world.hold(portfolio_id, 'a', businessOf(business_id))
    const point = async (about = {}) => (await run(portfolio_id, about)).conclusion?.point.amount
    assert.equal(await point(), '100.00')
    const add = async (amount: string, about: object) => {
      const made = await world.completed({ subject, ...about })
      await setPoint(made.valuation_id, amount)
      return made.valuation_id
    }
    await add('1.00', { valuation_date: '2026-07-01' })
    await add('2.00', { valuation_date: '2026-03-31', interest: { percent: '30', kind: 'equity' } })
    await add('2.50', { valuation_date: '2026-04-30', interest: { percent: '100', kind: 'assets' } })
    await world.draft({ subject, valuation_date: '2026-05-31' })
    await add('3.00', { valuation_date: '2026-01-30' })
    assert.equal(await point(), '100.00')
    await add('300.00', { valuation_date: '2026-06-30' })
    const newest = await add('310.00', { valuation_date: '2026-06-30' })
    assert.equal(await point(), '310.00')
    assert.equal(await point({ valuation_date: '2026-02-01' }), '100.00')
    await world.hold(portfolio_id, 'a', businessOf(business_id, { valuation_id }))
    assert.equal(await point(), '100.00')
    await world.hold(portfolio_id, 'a', businessOf(business_id, { valuation_id: newest }))
    const early = ofPortfolio(portfolio_id, { valuation_date: '2026-02-01' })
    const { errors } = await refused(member().createValuation(early), 'validation_error')
    assert.equal(errors[0]?.pointer, '/valuation_date')
  })

  it('takes no valuation that a completed one replaces, also if that is dated earlier', async () => {
    const { business_id, valuation_id } = await valued('100.00', { valuation_date: '2026-06-30' })
    const portfolio_id = await world.portfolio()
    await world.hold(portfolio_id, 'a', businessOf(business_id))
    const point = async () => (await run(portfolio_id)).conclusion?.point.amount
    const { data: revised } = await member().reviseValuation({
      valuation_id,
      expected_revision: 1,
      valuation_date: '2026-03-31',
    })
    assert.equal(await point(), '100.00')
    await member().runValuation({ valuation_id: revised.valuation_id, expected_revision: 1 })
    await setPoint(revised.valuation_id, '80.00')
    assert.equal(await point(), '80.00')
    await world.hold(portfolio_id, 'a', businessOf(business_id, { valuation_id }))
    assert.equal(await point(), '100.00')
  })

  it('is refused, and a draft of it stays as it is, while a holding has no value', async () => {
    const portfolio_id = await world.portfolio()
    const business_id = await world.business()
    await world.hold(portfolio_id, 'corner-bakery', businessOf(business_id))
    const draft = await run(portfolio_id, { run: false })
    const ask = { valuation_id: draft.valuation_id, expected_revision: 1 }
    const { detail } = await refused(member().runValuation(ask), 'unprocessable_content')
    assert.match(detail, /The holding corner-bakery has no value/)
    assert.deepEqual((await member().getValuation({ valuation_id: draft.valuation_id })).data, draft)
    await refused(member().createValuation(ofPortfolio(portfolio_id)), 'unprocessable_content')
    const { valuation_id } = await world.completed({ subject: { type: 'business', id: business_id } })
    await setPoint(valuation_id, '70.00')
    const { data } = await member().runValuation(ask)
    assert.equal(data.conclusion?.point.amount, '70.00')
    await refused(member().createValuation(ofPortfolio(await world.portfolio())), 'unprocessable_content')
  })

  it('names an asset by its description, and a Business that nobody sees any more as its valuation did', async () => {
    const { asset_id } = (await member().createAsset({ ...oven, description: 'Deck oven\nwith steam' })).data
    const items = [{ name: 'Oven', asset_id, amount: '9000' }]
    const { data } = await member().createValuation(
      ofPortfolio('', {
        subject: { type: 'asset', id: asset_id },
        level_of_value: 'control_marketable',
        interest: { percent: '100', kind: 'assets' },
        methods: [{ method: 'adjusted_net_assets', assets: items }],
      }),
    )
    assert.equal(data.status, 'completed')
    const business_id = await world.business('Soon hidden')
    const subject = { type: 'business' as const, id: business_id, name: 'The bakery on the corner' }
    await setPoint((await world.completed({ subject })).valuation_id, '50.00')
    const portfolio_id = await world.portfolio()
    await world.hold(portfolio_id, 'a', {
      subject: { type: 'asset', id: asset_id },
      ownership_percent: '100',
    })
    await world.hold(portfolio_id, 'b', businessOf(business_id))
    const names = async () =>
      ((await run(portfolio_id)).result as { holdings: { name: string }[] }).holdings.map(one => one.name)
    assert.deepEqual(await names(), ['Deck oven', 'Soon hidden'])
    await world.service.sql('delete from published_businesses where id = $1', [business_id])
    await world.service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      business_id,
    ])
    assert.deepEqual(await names(), ['Deck oven', 'The bakery on the corner'])
  })

  it('of 1,000 holdings in ten portfolios runs; one more is refused', async () => {
    const outer = await world.portfolio('Outer')
    const { valuation_id, business_id } = await valued('10.00')
    const inner: PortfolioId[] = []
    for (let i = 0; i < 10; i++) {
      const id = await world.portfolio(`Inner ${i}`)
      await world.holdPortfolio(outer, id)
      inner.push(id)
    }
    await world.service.sql(
      `insert into portfolio_holdings (workspace_id, portfolio_id, key, subject_type, subject_id, ownership_percent,
         valuation_id, updated_at)
       select $1, id, 'k' || i, 'business', $3, '50', case when i % 2 = 0 then $4 end, now()
       from unnest($2::text[]) id, generate_series(1, 99) i`,
      [world.workspace_id, inner, business_id, valuation_id],
    )
    const { conclusion, result } = await run(outer)
    assert.equal(conclusion?.point.amount, '4950.00')
    assert.equal((result as { holdings: unknown[] }).holdings.length, 990)
    await world.hold(inner[0] as PortfolioId, 'more', businessOf(business_id))
    const { detail } = await refused(member().createValuation(ofPortfolio(outer)), 'unprocessable_content')
    assert.match(detail, /at most 1000 holdings/)
  })
})
