import { mostRuleKibibytes, type Rule } from '@wbs/contract/lists/rules'
import type { InputError } from '@wbs/contract/problems'
import type { Refuse } from '../call/problem.ts'
import { normalRule } from './rules/normal-rule.ts'
import { ruleErrors } from './rules/check-rule.ts'

/** The rule of a definition in a request, in its normal form. Throws validation_error. */
export function requireRule({ rule: given }: { rule: object }, refuse: Refuse<'validation_error'>): Rule {
  const errors = ruleErrors(given, pointer)
  const rule = errors.length > 0 ? null : normalRule(given)
  if (rule && !isTooLarge(rule)) return rule
  throw refuse.validation_error('The rule is not valid.', { errors: rule ? [tooLarge] : errors })
}

const pointer = '/definition/rule'

const isTooLarge = (rule: Rule): boolean => Buffer.byteLength(JSON.stringify(rule)) > mostRuleKibibytes * 1024

const tooLarge: InputError = {
  in: 'body',
  pointer,
  code: 'too_long',
  detail: `A rule must have at most ${mostRuleKibibytes} KiB of JSON.`,
}
