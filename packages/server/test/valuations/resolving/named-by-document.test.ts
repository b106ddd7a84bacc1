import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { oven } from '../assets/oven.ts'
import { row } from '../benchmark-sets/row.ts'
import { makePortfolioWorld, type PortfolioWorld } from '../portfolios/portfolio-fixture.ts'
import { bakery, type NewValuation } from '../valuation-document.ts'
import { ofPortfolio } from './portfolio-document.ts'

let world: PortfolioWorld
before(async () => void (world = await makePortfolioWorld()))
after(() => world.close())
const member = () => world.client('member')

describe('what the document of a valuation names', () => {
  it('must be visible to the caller; what is hidden answers as what does not exist', async () => {
    const { rival } = world.people
    const theirs = { workspace_id: await world.service.workspace('Elsewhere', rival) }
    const secret = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    const asset = (await rival.client.createAsset(oven, theirs)).data.asset_id
    const fund = (await rival.client.createPortfolio({ name: 'Theirs', currency: 'USD' }, theirs)).data
    const set = (await rival.client.importBenchmarkSet({ rows: [row] }, theirs)).data.benchmark_set_id
    const items = (asset_id: string) => [{ name: 'Oven', asset_id, amount: '9000' }]
    const documents: Record<string, [hidden: string, absent: string, about: (id: string) => NewValuation]> = {
      'the Business that is valued': [
        secret,
        newId('biz'),
        id => bakery({ subject: { type: 'business', id } }),
      ],
      'its Business': [secret, newId('biz'), id => bakery({ business_id: id })],
      'an asset': [
        asset,
        newId('ast'),
        id => ofPortfolio('', { subject: { type: 'asset', id }, run: false }),
      ],
      'an asset of an item': [
        asset,
        newId('ast'),
        id =>
          ofPortfolio('', {
            subject: { type: 'asset' },
            methods: [{ method: 'adjusted_net_assets', assets: items(id) }],
          }),
      ],
      'a portfolio': [fund.portfolio_id, newId('pfl'), id => ofPortfolio(id, { run: false })],
      'a benchmark set': [
        set,
        randomUUID(),
        id => bakery({ inputs: { ...bakery().inputs, benchmark_set_id: id } }),
      ],
    }
    for (const [what, [hidden, absent, documentOf]] of Object.entries(documents)) {
      const details = new Set<string>()
      for (const id of [hidden, absent])
        details.add((await refused(member().createValuation(documentOf(id)), 'not_found')).detail)
      assert.equal(details.size, 1, what)
    }
  })

  it('is judged again when it is run', async () => {
    const business_id = await world.business('Soon hidden')
    const draft = await world.draft({ subject: { type: 'business', id: business_id } })
    await world.service.sql('delete from published_businesses where id = $1', [business_id])
    await world.service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      business_id,
    ])
    const ask = { valuation_id: draft.valuation_id, expected_revision: 1 }
    await refused(member().runValuation(ask), 'not_found')
  })

  it('is hidden from a key that may run valuations but not read them, save for Businesses and the set of the service', async () => {
    const key = await world.withKey(['valuations:run', 'businesses:read'])
    const portfolio_id = await world.portfolio()
    const { asset_id } = (await member().createAsset(oven)).data
    const { benchmark_set_id } = (await member().importBenchmarkSet({ rows: [row] })).data
    for (const document of [
      ofPortfolio(portfolio_id, { run: false }),
      ofPortfolio('', { subject: { type: 'asset', id: asset_id }, run: false }),
      bakery({ inputs: { ...bakery().inputs, benchmark_set_id } }),
    ])
      await refused(key.createValuation(document), 'not_found')
    const id = await world.business()
    assert.ok((await key.createValuation(bakery({ subject: { type: 'business', id } }))).data)
  })

  it('gives the multiple of the industry of the Business, and none of one that is not known', async () => {
    const rows = [
      { ...row, naics: '3118', size_band: null, p50: '3' },
      { ...row, naics: null, size_band: null, p50: '2' },
    ]
    const { benchmark_set_id, sha256 } = (await member().importBenchmarkSet({ rows })).data
    const known = await world.business()
    const old = await addBusiness(world.service, {
      name: 'Old code',
      classifications: [{ code: '311811', vintage: '2017' }],
    })
    const inputs = { ...bakery().inputs, benchmark_set_id }
    for (const [id, multiple] of [
      [known, '3'],
      [old, '2'],
    ] as const)
      for (const about of [{ subject: { type: 'business' as const, id } }, { business_id: id }]) {
        const { result } = await world.completed({
          ...about,
          inputs,
          methods: [{ method: 'sde_multiple' }],
          weights: { sde_multiple: '1' },
        })
        const { approaches, engine } = result as unknown as {
          approaches: { methods: { multiple: string | null }[] }[]
          engine: { benchmark_set_id: string; benchmark_set_sha256?: string }
        }
        const used = approaches.flatMap(one => one.methods).map(one => one.multiple)
        assert.deepEqual(used, [multiple])
        assert.equal(engine.benchmark_set_id, benchmark_set_id)
        assert.match(JSON.stringify(result), new RegExp(sha256))
      }
  })
})
