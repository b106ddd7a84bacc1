import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { closed, fullDate, id, lineOfText, nullable, oneOf } from '../schema.ts'
import { currency, percent, share } from './decimals.ts'
import { Inputs } from './inputs.ts'
import { levelsOfValue, Method, methodNames } from './methods.ts'

export const subjectTypes = ['business', 'asset', 'portfolio'] as const
export const engagementTypes = ['indicative', 'calculation', 'analyst'] as const
export const purposes = [
  'sale',
  'purchase',
  'financing',
  'planning',
  'buy_sell',
  'gift_estate_tax',
  'divorce',
  'esop',
  'litigation',
  'financial_reporting',
] as const
export const standardsOfValue = [
  'fair_market_value',
  'market_value',
  'fair_value',
  'investment_value',
  'equitable_value',
  'liquidation_value',
] as const
export const premisesOfValue = [
  'going_concern',
  'assemblage',
  'orderly_liquidation',
  'forced_liquidation',
] as const
export const interestKinds = ['equity', 'assets', 'invested_capital'] as const

const SubjectId = T.Unsafe<string>({
  type: 'string',
  pattern: '^(?:biz|ast|pfl)_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
  description: 'The ID of the Business, asset or portfolio, as type says.',
  examples: ['biz_01JD0000000000000000000000'],
})

/** What is valued, how, and from which figures: the document of a valuation. */
export const documentFields = {
  subject: T.Unsafe<{ type: (typeof subjectTypes)[number]; id?: string | null; name?: string | null }>({
    ...closed({
      type: oneOf(subjectTypes, 'What is valued.'),
      id: T.Optional(nullable(SubjectId)),
      name: T.Optional(
        nullable(lineOfText(200, { description: 'Its name, for the report.', example: 'Corner Bakery' })),
      ),
    }),
    description: 'What is valued. A portfolio needs its id.',
    examples: [{ type: 'business', name: 'Corner Bakery' }],
  }),
  engagement_type: oneOf(
    engagementTypes,
    'indicative: a first estimate. calculation: by the methods that you and your client agree on. analyst: by all methods that apply.',
  ),
  purpose: oneOf(purposes, 'What the valuation is for.'),
  standard_of_value: oneOf(standardsOfValue, 'The standard of value.'),
  premise_of_value: oneOf(premisesOfValue, 'The premise of value.'),
  level_of_value: T.Unsafe<(typeof levelsOfValue)[number]>({
    ...oneOf(levelsOfValue, 'The level of value of the conclusion.'),
    examples: ['control_nonmarketable'],
  }),
  interest: T.Unsafe<{ percent: string; kind: (typeof interestKinds)[number] }>({
    ...closed({
      percent: percent('How much of it is valued.'),
      kind: oneOf(
        interestKinds,
        'equity: what the owners hold. invested_capital: equity and debt. assets: the assets that are sold.',
      ),
    }),
    description: 'The interest that is valued.',
    examples: [{ percent: '100', kind: 'equity' }],
  }),
  valuation_date: fullDate('The day as of which the value is concluded.'),
  currency: currency('The currency of all amounts in inputs and methods, and of the conclusion.'),
  inputs: T.Unsafe<Static<typeof Inputs>>({
    ...Inputs,
    description: 'What the valuation is computed from.',
    examples: [
      {
        periods: [
          {
            key: '2025',
            start: '2025-01-01',
            end: '2025-12-31',
            basis: 'tax_return',
            income: {
              revenue: '800000',
              cost_of_sales: '320000',
              operating_expenses: '280000',
              owner_compensation: '80000',
              depreciation: '20000',
              interest_expense: '10000',
              net_income: '90000',
            },
          },
        ],
      },
    ],
  }),
  methods: T.Array(Method, {
    maxItems: 9,
    description: 'The methods, each at most once.',
    examples: [[{ method: 'sde_multiple', multiple: '2.51', source: 'Broker survey', as_of: '2025-12-31' }]],
  }),
  weights: T.Unsafe<Partial<Record<(typeof methodNames)[number], string>>>({
    ...closed(
      Object.fromEntries(methodNames.map(name => [name, T.Optional(share(`The weight of ${name}.`, '0.7'))])),
    ),
    description:
      'The weight of each method in the conclusion. They add up to 1. By default all count the same.',
    examples: [{ sde_multiple: '1' }],
  }),
}

/** The document of a valuation. A draft may leave out its methods and weights. */
export interface ValuationDocument {
  subject: Static<typeof documentFields.subject>
  business_id?: `biz_${string}` | null
  engagement_type: (typeof engagementTypes)[number]
  purpose: (typeof purposes)[number]
  standard_of_value: (typeof standardsOfValue)[number]
  premise_of_value: (typeof premisesOfValue)[number]
  level_of_value: (typeof levelsOfValue)[number]
  interest: Static<typeof documentFields.interest>
  valuation_date: string
  currency: string
  inputs: Static<typeof Inputs>
  methods?: Static<typeof documentFields.methods>
  weights?: Static<typeof documentFields.weights>
}

/** The names of the fields of a document, which a change may replace one by one. */
export const documentFieldNames = [
  ...Object.keys(documentFields),
  'business_id',
] as readonly (keyof ValuationDocument)[]

/** The Business of the Workspace that a valuation belongs to. */
export const BusinessOfValuation = nullable(id('biz'))

/** The fields of a document in a change, each of which replaces the earlier one. Weights can be removed. */
export const documentChanges = {
  ...Object.fromEntries(Object.entries(documentFields).map(([name, schema]) => [name, T.Optional(schema)])),
  business_id: T.Optional(BusinessOfValuation),
  weights: T.Optional(nullable(documentFields.weights)),
} as {
  [Name in Exclude<keyof typeof documentFields, 'weights'>]: ReturnType<
    typeof T.Optional<(typeof documentFields)[Name]>
  >
} & {
  business_id: ReturnType<typeof T.Optional<typeof BusinessOfValuation>>
  weights: ReturnType<typeof T.Optional<ReturnType<typeof nullable<(typeof documentFields)['weights']>>>>
}
