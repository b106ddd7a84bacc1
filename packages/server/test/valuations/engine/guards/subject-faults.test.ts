import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { faultsIn } from '../fault.ts'
import { bakery } from '../bakery.ts'

const body = '01JD0000000000000000000000'
const portfolio = { type: 'portfolio', id: `pfl_${body}` } as const
const asset = { type: 'asset', id: `ast_${body}` } as const
const otherAsset = `ast_${body.replace('JD', 'JE')}` as const

function faultsOf(change: Partial<ValuationDocument>) {
  const document = { ...bakery(), inputs: {}, ...change }
  return faultsIn(document).map(({ pointer, code }) => `${pointer} ${code}`)
}

test('The id of the subject is that of its type', () => {
  assert.deepEqual(faultsOf({ subject: { type: 'business', id: `biz_${body}` } }), [])
  assert.deepEqual(faultsOf({ subject: { type: 'business', id: asset.id } }), ['/subject/id conflict'])
  assert.deepEqual(faultsOf({ subject: { type: 'asset', id: portfolio.id } }), ['/subject/id conflict'])
})

test('The valuation of one Business may belong to another, such as its owner', () => {
  const subject = { type: 'business', id: `biz_${body}` } as const
  assert.deepEqual(faultsOf({ subject, business_id: `biz_${body.replace('JD', 'JE')}` }), [])
})

test('A portfolio needs its id, and takes exchange rates alone', () => {
  const fx = [{ from: 'EUR', to: 'USD', rate: '1.08', as_of: '2026-06-30', source: 'Bank' }]
  assert.deepEqual(faultsOf({ subject: portfolio, inputs: { fx, benchmark_set_id: null, events: [] } }), [])
  assert.deepEqual(
    faultsOf({
      subject: { type: 'portfolio', name: 'Holding' },
      inputs: { ...bakery().inputs, fx },
      methods: [{ method: 'sde_multiple', multiple: '2' }],
      weights: { sde_multiple: '1' },
    }),
    [
      '/subject/id required',
      '/methods conflict',
      '/weights conflict',
      '/inputs/periods conflict',
      '/inputs/adjustments conflict',
    ],
  )
})

const listing = (...asset_ids: (`ast_${string}` | null)[]): NonNullable<ValuationDocument['methods']> => [
  {
    method: 'adjusted_net_assets',
    assets: asset_ids.map((asset_id, at) => ({ name: `Item ${at}`, amount: '10', asset_id })),
  },
]

test('An asset is valued by a method that lists it, and nothing else', () => {
  assert.deepEqual(faultsOf({ subject: asset, methods: listing(asset.id, null) }), [])
  assert.deepEqual(faultsOf({ subject: asset, methods: listing(null) }), ['/methods/0/assets required'])
  assert.deepEqual(faultsOf({ subject: asset, methods: listing(asset.id, otherAsset) }), [
    '/methods/0/assets/1/asset_id conflict',
  ])
  assert.deepEqual(faultsOf({ subject: asset, methods: [{ method: 'revenue_multiple', multiple: '1' }] }), [
    '/methods/0/method conflict',
  ])
})

test('An asset without an id is valued by what the method lists', () => {
  assert.deepEqual(faultsOf({ subject: { type: 'asset', name: 'Truck' }, methods: listing(null) }), [])
})
