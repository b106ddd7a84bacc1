import { withArticle } from '@wbs/contract/schema'
import type { FieldRule, Rule, RuleOperator } from '@wbs/contract/lists/rules'
import { observationKeyOf, operatorsOfField } from './fact-types.ts'

/** Something about a part of a rule that its author may not expect. */
export interface RuleNote {
  pointer: string
  detail: string
}

const mostNotes = 20

/**
 * Notes on the parts of a checked rule that match Businesses without a fact because of `not`, at most 20. The pointers begin
 * with `pointer`, that of the rule.
 */
export function ruleNotes(rule: Rule, pointer: string): RuleNote[] {
  const open: OpenField[] = []
  gather(rule, { pointer, negation: null, isNegated: false, required: new Set() }, open)
  const byNegation = Map.groupBy(open, note => note.negation)
  return [...byNegation]
    .slice(0, mostNotes)
    .map(([at, fields]) => ({ pointer: at, detail: detailOf(fields) }))
}

/** A leaf that is true because of `not` where its fact is missing. */
interface OpenField {
  leaf: FieldRule
  /** The pointer of the innermost `not` around the leaf. */
  negation: string
  /** Whether this `not` has the leaf itself. */
  isDirect: boolean
}

/** Where in the rule a part of it is. */
interface Place {
  pointer: string
  negation: { pointer: string; rule: Rule } | null
  /** Whether the number of `not` around it is odd. */
  isNegated: boolean
  /** Fields that other parts of the rule require to be set. */
  required: ReadonlySet<string>
}

function gather(rule: Rule, place: Place, open: OpenField[]): void {
  const { pointer, negation, isNegated } = place
  if (rule.kind === 'field') {
    if (isNegated && negation && comparesFact(rule) && !place.required.has(rule.field))
      open.push({ leaf: rule, negation: negation.pointer, isDirect: negation.rule === rule })
  } else if (rule.kind === 'not') {
    const inner = { ...place, pointer: `${pointer}/rule`, isNegated: !isNegated }
    gather(rule.rule, { ...inner, negation: { pointer, rule: rule.rule } }, open)
  } else if (rule.kind === 'and' || rule.kind === 'or') {
    const required = new Set([...place.required, ...fieldsRequiredBy(rule, isNegated)])
    for (const [i, one] of rule.rules.entries())
      gather(one, { ...place, pointer: `${pointer}/rules/${i}`, required }, open)
  }
}

const comparesFact = ({ operator }: FieldRule) => operator !== 'is_set' && operator !== 'is_not_set'

/** The fields that must be set for the whole `and` to hold, or for the whole `or` not to hold. */
function fieldsRequiredBy(rule: Rule & { kind: 'and' | 'or' }, isNegated: boolean): string[] {
  if ((rule.kind === 'and') === isNegated) return []
  return rule.rules
    .filter(rule => rule.kind === 'field')
    .filter(({ operator }) => (operator === 'is_not_set') === isNegated)
    .map(rule => rule.field)
}

function detailOf(fields: readonly OpenField[]): string {
  const missing = [...new Set(fields.map(({ leaf }) => wordsFor(leaf.field)))].join(' or ')
  const [first] = fields
  if (!first?.isDirect)
    return `This may also match Businesses without ${missing}. Combine it with is_set to leave them out.`
  const opposite = oppositeOf(first.leaf)
  const remedy = opposite ? `Use ${opposite}` : 'Combine it with is_set'
  return `This also matches Businesses without ${missing}. ${remedy} to leave them out.`
}

function wordsFor(field: string): string {
  const key = observationKeyOf(field)
  return key === null ? withArticle(field) : `an observation of ${key}`
}

/** The operator that holds for the facts for which this one does not hold. */
function oppositeOf({ field, operator, value }: FieldRule): RuleOperator | undefined {
  const opposite = typeof value === 'boolean' ? undefined : opposites[operator]
  return opposite && operatorsOfField(field).includes(opposite) ? opposite : undefined
}

const opposites: Partial<Record<RuleOperator, RuleOperator>> = {
  eq: 'neq',
  neq: 'eq',
  in: 'not_in',
  not_in: 'in',
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
}
