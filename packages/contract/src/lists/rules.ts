import { T } from '../json/type.ts'
import type { BusinessField } from '../businesses/businesses.ts'
import { component, openSet } from '../schema.ts'

/** The rule of a List: which Businesses are its members. */
export type Rule =
  | FieldRule
  | { kind: 'and' | 'or'; rules: Rule[] }
  | { kind: 'not'; rule: Rule }
  | { kind: 'all' }
  | { kind: 'none' }

/** A leaf: compares one fact. */
export interface FieldRule {
  kind: 'field'
  /** A field of the search projection, or `observations.` and the key of an observation. */
  field: string
  operator: RuleOperator
  value: RuleValue
}

/** A NAICS code or the beginning of one, and its edition. */
export interface NaicsOperand {
  code: string
  vintage: string
}

type Scalar = string | number | boolean

/** What an operator compares with. `is_set` and `is_not_set` have null. */
export type RuleValue = Scalar | Scalar[] | NaicsOperand | null

/** The types of facts, and the operators of each besides `is_set` and `is_not_set`. */
export const operatorsByType = {
  text: ['eq', 'neq', 'in', 'not_in', 'contains', 'starts_with'],
  date: ['eq', 'before', 'after', 'between', 'within_last'],
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between'],
  boolean: ['eq'],
} as const

export type FactType = keyof typeof operatorsByType

export const presenceOperators = ['is_set', 'is_not_set'] as const

export type RuleOperator =
  | (typeof operatorsByType)[FactType][number]
  | (typeof presenceOperators)[number]
  | 'naics'

/** The fields of the search projection that are dates; all others are text. */
export const dateFields = ['closed_on', 'founded_on', 'published_at'] as const satisfies BusinessField[]

/** The text fields that are compared without regard to case and Unicode compatibility forms, as search compares names. */
export const foldedFields = [
  'name',
  'city',
  'state',
  'naics_title',
  'description',
] as const satisfies BusinessField[]

export const observationPrefix = 'observations.'

export const mostLevels = 5
/** Counts the rules of the kinds field, all and none. */
export const mostLeaves = 100
export const mostBranches = 20
export const mostItems = 100

/** The longest text that a rule may compare with, in code points. */
export const longestRuleText = 2048

/** The largest rule, in KiB of JSON. Every answer with the List contains it, and so does every page of Lists. */
export const mostRuleKibibytes = 64

const grammar = `\`{kind: "field", field, operator, value}\`, \`{kind: "and" | "or", rules: [1 to ${mostBranches} rules]}\`, \`{kind: "not", rule}\`, \`{kind: "all"}\` or \`{kind: "none"}\`, at most ${mostLevels} levels deep and with at most ${mostLeaves} rules of the kinds field, all and none, in at most ${mostRuleKibibytes} KiB of JSON. \`field\` is a field of the Business search projection, or \`observations.\` and the key of an observation of the Workspace. Operators of text: eq, neq, in, not_in, contains, starts_with; of dates: eq, before, after, between, within_last (an ISO 8601 duration such as P5Y); of numbers: eq, neq, gt, gte, lt, lte, between; of booleans: eq; of naics_code also naics with {code, vintage}; of all: is_set, is_not_set (value null). in and not_in take an array of 1 to ${mostItems} items, between takes [from, to], both included.`

/** A rule in an answer. */
export const RuleRecord = component(
  'ListRule',
  T.Unsafe<Rule>({
    type: 'object',
    required: ['kind'],
    properties: {
      kind: openSet(['field', 'and', 'or', 'not', 'all', 'none']),
      field: { type: 'string' },
      operator: openSet([
        ...new Set([...Object.values(operatorsByType).flat(), ...presenceOperators, 'naics']),
      ]),
      value: {},
      rules: { type: 'array', items: { $ref: '#/components/schemas/ListRule' } },
      rule: { $ref: '#/components/schemas/ListRule' },
    },
    description: `A rule: ${grammar}`,
  }),
)

/** A rule in a request. The schema only says that it is an object; the service checks it against the grammar. */
export const GivenRule = T.Unsafe<object>({
  type: 'object',
  description: `Which Businesses are members: ${grammar} A fact that is missing or that you cannot see makes every field false, except is_not_set.`,
  examples: [{ kind: 'field', field: 'state', operator: 'eq', value: 'OH' }],
})
