import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { changeReceipt } from '../receipts.ts'
import {
  closed,
  component,
  dateTime,
  fullDate,
  id,
  idCursor,
  linesOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
} from '../schema.ts'
import { amount, currency } from './decimals.ts'
import { Money } from './result.ts'

export const AssetId = id('ast')

export const assetClasses = [
  'real_property',
  'equipment',
  'vehicle',
  'inventory',
  'receivable',
  'intangible',
  'cash',
  'other',
] as const
export const assetConditions = ['new', 'good', 'fair', 'poor'] as const

const Asset = component(
  'Asset',
  open({
    asset_id: AssetId,
    business_id: nullable(id('biz')),
    class: openSet(assetClasses),
    cost: Money,
    acquired_on: fullDate(),
    condition: openSet(assetConditions),
    description: nullable(T.String()),
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

const fields = {
  class: oneOf(assetClasses, 'What it is.'),
  cost: T.Unsafe<{ amount: string; currency: string }>({
    ...closed({ amount: amount('What it cost.', '18000'), currency: currency() }),
    description: 'What it cost when it was acquired.',
    examples: [{ amount: '18000', currency: 'USD' }],
  }),
  acquired_on: fullDate('When it was acquired.'),
  condition: oneOf(assetConditions, 'Its condition.'),
}
const optionalFields = {
  business_id: T.Optional(nullable(id('biz'))),
  description: T.Optional(
    nullable(
      linesOfText(2000, { description: 'What it is exactly.', example: 'Deck oven, three decks, 2021.' }),
    ),
  ),
}

const common = { tag: 'Assets', audience: 'workspace' } as const
const change = {
  ...common,
  scope: 'valuations:run',
  receipt: changeReceipt,
  output: { data: Asset },
  tagged: 'r',
} as const

/** The types of its events, and the feed that shows each. */
export const assetEvents = { 'asset.created': audit, 'asset.updated': audit } as const

export const createAsset = mutation('create_asset', {
  ...change,
  http: 'POST /v1/assets',
  summary: 'Record an asset.',
  description: 'It can be valued by the methods adjusted_net_assets and liquidation, whose items name it.',
  input: { ...fields, ...optionalFields },
  status: 201,
  problems: ['validation_error', 'not_found'],
  emits: ['asset.created'],
})

export const listAssets = query('list_assets', {
  ...common,
  scope: 'valuations:read',
  http: 'GET /v1/assets',
  summary: 'List the assets of a Workspace.',
  input: {
    business_id: T.Optional(id('biz')),
    class: T.Optional(oneOf(assetClasses, 'Only assets of this class.')),
    cursor: T.Optional(idCursor('ast')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Asset),
  problems: ['not_found'],
})

export const getAsset = query('get_asset', {
  ...common,
  scope: 'valuations:read',
  http: 'GET /v1/assets/{asset_id}',
  summary: 'Retrieve an asset.',
  input: { asset_id: AssetId },
  output: { data: Asset },
  problems: ['not_found'],
  tagged: 'r',
})

export const updateAsset = mutation('update_asset', {
  ...change,
  http: 'PATCH /v1/assets/{asset_id}',
  summary: 'Update an asset.',
  input: {
    asset_id: AssetId,
    expected_revision: revision(),
    class: T.Optional(fields.class),
    cost: T.Optional(fields.cost),
    acquired_on: T.Optional(fields.acquired_on),
    condition: T.Optional(fields.condition),
    ...optionalFields,
  },
  rules: [
    { rule: 'some', fields: ['class', 'cost', 'acquired_on', 'condition', 'business_id', 'description'] },
  ],
  status: 200,
  problems: ['validation_error', 'not_found', 'revision_conflict'],
  emits: ['asset.updated'],
})
