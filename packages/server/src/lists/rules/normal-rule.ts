import type { FieldRule, NaicsOperand, Rule, RuleValue } from '@wbs/contract/lists/rules'

/** The rule that a request without errors means: known keys alone, NAICS codes with their vintage. This is stored and shown. */
export function normalRule(rule: object): Rule {
  const given = rule as Rule
  switch (given.kind) {
    case 'field':
      return normalLeaf(given)
    case 'and':
    case 'or':
      return { kind: given.kind, rules: given.rules.map(normalRule) }
    case 'not':
      return { kind: 'not', rule: normalRule(given.rule) }
    default:
      return { kind: given.kind }
  }
}

type GivenLeaf = Omit<FieldRule, 'value'> & { value?: RuleValue | (Partial<NaicsOperand> & { code: string }) }

function normalLeaf({ field, operator, value = null }: GivenLeaf): FieldRule {
  return { kind: 'field', field, operator, value: normalValue(value) }
}

function normalValue(value: NonNullable<GivenLeaf['value']> | null): RuleValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return withoutSign(value)
  if (Array.isArray(value)) return value.map(item => (typeof item === 'number' ? withoutSign(item) : item))
  return { code: value.code, vintage: value.vintage ?? '2022' }
}

// JSON does not keep the sign of -0, so a stored rule would differ from the rule that was given.
const withoutSign = (value: number) => (value === 0 ? 0 : value)
