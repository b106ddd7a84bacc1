import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { changeReceipt } from '../receipts.ts'
import {
  closed,
  component,
  dateTime,
  id,
  idCursor,
  lineOfText,
  linesOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
} from '../schema.ts'
import { currency, percent, share } from './decimals.ts'
import { subjectTypes } from './document.ts'
import { valuationIdPattern } from './valuations.ts'

export const PortfolioId = id('pfl')

const Portfolio = component(
  'Portfolio',
  open({
    portfolio_id: PortfolioId,
    name: T.String(),
    currency: T.String(),
    business_id: nullable(id('biz')),
    holding_count: T.Integer(),
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

const Holding = component(
  'Holding',
  open({
    portfolio_id: PortfolioId,
    key: T.String(),
    subject: open({ type: openSet(subjectTypes), id: nullable(T.String()) }),
    ownership_percent: T.String(),
    valuation_id: nullable(T.String()),
    discount: nullable(open({ rate: T.String(), reason: T.String() })),
    updated_at: dateTime(),
  }),
)

const HoldingKey = T.Unsafe<string>({
  type: 'string',
  pattern: '^[a-z0-9_-]{1,64}$',
  description: 'The name of the holding in its portfolio: lowercase letters, digits, _ and -.',
  examples: ['corner-bakery'],
})

const name = lineOfText(200, { description: 'The name of the portfolio.', example: 'Main Street Fund I' })

const common = { tag: 'Portfolios', audience: 'workspace' } as const
const reading = { ...common, scope: 'valuations:read' } as const
const change = { ...common, scope: 'valuations:run', receipt: changeReceipt, tagged: 'r' } as const

/** The types of its events, and the feed that shows each. */
export const portfolioEvents = {
  'portfolio.created': audit,
  'portfolio.updated': audit,
  'portfolio.holding_set': audit,
  'portfolio.holding_removed': audit,
} as const

export const createPortfolio = mutation('create_portfolio', {
  ...change,
  http: 'POST /v1/portfolios',
  summary: 'Create a portfolio.',
  input: { name, currency: currency(), business_id: T.Optional(nullable(id('biz'))) },
  output: { data: Portfolio },
  status: 201,
  problems: ['validation_error', 'not_found'],
  emits: ['portfolio.created'],
})

export const listPortfolios = query('list_portfolios', {
  ...reading,
  http: 'GET /v1/portfolios',
  summary: 'List the portfolios of a Workspace.',
  input: {
    business_id: T.Optional(id('biz')),
    cursor: T.Optional(idCursor('pfl')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Portfolio),
  problems: ['not_found'],
})

export const getPortfolio = query('get_portfolio', {
  ...reading,
  http: 'GET /v1/portfolios/{portfolio_id}',
  summary: 'Retrieve a portfolio.',
  input: { portfolio_id: PortfolioId },
  output: { data: Portfolio },
  problems: ['not_found'],
  tagged: 'r',
})

export const updatePortfolio = mutation('update_portfolio', {
  ...change,
  http: 'PATCH /v1/portfolios/{portfolio_id}',
  summary: 'Update a portfolio.',
  input: {
    portfolio_id: PortfolioId,
    expected_revision: revision(),
    name: T.Optional(name),
    currency: T.Optional(currency()),
    business_id: T.Optional(nullable(id('biz'))),
  },
  rules: [{ rule: 'some', fields: ['name', 'currency', 'business_id'] }],
  output: { data: Portfolio },
  status: 200,
  problems: ['validation_error', 'not_found', 'revision_conflict'],
  emits: ['portfolio.updated'],
})

export const listHoldings = query('list_holdings', {
  ...reading,
  http: 'GET /v1/portfolios/{portfolio_id}/holdings',
  summary: 'List the holdings of a portfolio.',
  input: {
    portfolio_id: PortfolioId,
    cursor: T.Optional(
      T.Unsafe<string>({ ...HoldingKey, description: 'The page.cursor of the previous page.' }),
    ),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Holding),
  problems: ['not_found'],
})

export const getHolding = query('get_holding', {
  ...reading,
  http: 'GET /v1/portfolios/{portfolio_id}/holdings/{key}',
  summary: 'Retrieve a holding of a portfolio.',
  input: { portfolio_id: PortfolioId, key: HoldingKey },
  output: { data: Holding },
  problems: ['not_found'],
})

export const setHolding = mutation('set_holding', {
  ...change,
  http: 'PUT /v1/portfolios/{portfolio_id}/holdings/{key}',
  summary: 'Set or remove a holding of a portfolio.',
  description:
    'A body of null removes the holding. A portfolio cannot hold itself, directly or through others. A subject without an id needs the valuation_id of a completed valuation; a valuation that counts is of 100 percent, for a Business of its equity, and never of invested_capital; without valuation_id, the newest completed valuation of the subject that no completed one replaces counts when the portfolio is valued.',
  input: {
    portfolio_id: PortfolioId,
    key: HoldingKey,
    subject: T.Optional(
      T.Unsafe<{ type: (typeof subjectTypes)[number]; id?: string | null }>({
        ...closed({
          type: oneOf(subjectTypes, 'What is held.'),
          id: T.Optional(
            nullable(
              T.Unsafe<string>({
                type: 'string',
                pattern: '^(?:biz|ast|pfl)_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
                description: 'The ID of the Business, asset or portfolio.',
              }),
            ),
          ),
        }),
        description: 'What is held.',
        examples: [{ type: 'asset', id: 'ast_01JD0000000000000000000000' }],
      }),
    ),
    ownership_percent: T.Optional(percent('How much of it the portfolio holds.', '60')),
    valuation_id: T.Optional(
      nullable(
        T.Unsafe<string>({
          type: 'string',
          pattern: valuationIdPattern,
          description: 'The valuation that counts.',
        }),
      ),
    ),
    discount: T.Optional(
      nullable(
        closed({
          rate: share('The discount on the share of the portfolio.', '0.1'),
          reason: linesOfText(2000, {
            description: 'Why.',
            example: 'The shares cannot be sold for two years.',
          }),
        }),
      ),
    ),
    removed: T.Optional(
      T.Unsafe<true>({
        type: 'boolean',
        const: true,
        description: 'Removes the holding, as a body of null does.',
      }),
    ),
  },
  null_body: 'removed',
  rules: [
    { rule: 'some', fields: ['subject', 'removed'] },
    { rule: 'requires', field: 'subject', needs: 'ownership_percent' },
    { rule: 'requires', field: 'ownership_percent', needs: 'subject' },
    { rule: 'requires', field: 'valuation_id', needs: 'subject' },
    { rule: 'requires', field: 'discount', needs: 'subject' },
    { rule: 'exclusive', fields: ['subject', 'removed'] },
  ],
  output: { data: open({ portfolio: Portfolio, holding: nullable(Holding) }) },
  status: 200,
  problems: ['validation_error', 'not_found', 'unprocessable_content', 'limit_reached'],
  emits: ['portfolio.holding_set', 'portfolio.holding_removed'],
})
