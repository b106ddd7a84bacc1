import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { observationPrefix, type Rule } from '@wbs/contract/lists/rules'
import fc from 'fast-check'
import { ruleErrors } from '../../../src/lists/rules/check-rule.ts'
import { holds, type KnownFacts } from '../../../src/lists/rules/evaluate-rule.ts'
import { fieldRules, observationKeys, usesObservations } from '../../../src/lists/rules/leaves.ts'
import { normalRule } from '../../../src/lists/rules/normal-rule.ts'
import { ruleNotes } from '../../../src/lists/rules/rule-notes.ts'
import { arbitraryFacts, arbitraryRule, dayOfRules, observedKeys } from './arbitrary-rules.ts'

const rules = arbitraryRule({ observationKeys: observedKeys })
const numRuns = 3000
const evaluate = (rule: Rule, facts: KnownFacts) => holds(rule, facts, dayOfRules)
const not = (rule: Rule): Rule => ({ kind: 'not', rule })
const of = (kind: 'and' | 'or', ...given: Rule[]): Rule => ({ kind, rules: given })

describe('for any rules and facts', () => {
  const holdsFor = (law: (facts: KnownFacts, a: Rule, b: Rule) => void) =>
    fc.assert(fc.property(arbitraryFacts, rules, rules, law), { numRuns })

  it('not is the complement', () =>
    holdsFor((facts, a) => assert.equal(evaluate(not(a), facts), !evaluate(a, facts))))

  it('and and or follow the laws of De Morgan, and do not depend on the order', () =>
    holdsFor((facts, a, b) => {
      const both = evaluate(of('and', a, b), facts)
      assert.equal(both, evaluate(a, facts) && evaluate(b, facts))
      assert.equal(both, evaluate(of('and', b, a), facts))
      assert.equal(both, !evaluate(of('or', not(a), not(b)), facts))
      assert.equal(evaluate(of('or', a, b), facts), evaluate(a, facts) || evaluate(b, facts))
    }))

  it('one rule alone, all and none change nothing', () =>
    holdsFor((facts, a) => {
      for (const kind of ['and', 'or'] as const) {
        const neutral: Rule = { kind: kind === 'and' ? 'all' : 'none' }
        assert.equal(evaluate(of(kind, a), facts), evaluate(a, facts))
        assert.equal(evaluate(of(kind, neutral, a), facts), evaluate(a, facts))
      }
    }))

  it('neq and not_in are true where the fact is a text that eq and in do not match', () =>
    holdsFor((facts, rule) => {
      for (const leaf of fieldRules(rule).filter(
        one => one.operator === 'neq' || one.operator === 'not_in',
      )) {
        const opposite = { ...leaf, operator: leaf.operator === 'neq' ? 'eq' : 'in' } as const
        if (evaluate(leaf, facts)) assert.ok(!evaluate(opposite, facts))
        if (evaluate(leaf, facts)) assert.ok(evaluate({ ...leaf, operator: 'is_set', value: null }, facts))
      }
    }))

  it('a rule without notes matches a Business without facts only by is_not_set and all', () =>
    holdsFor((_, rule) => {
      const unknown = { published: null, observations: new Map() }
      const asksForMissing = /is_not_set|is_set|"all"|"none"/.test(JSON.stringify(rule))
      if (evaluate(rule, unknown) && !asksForMissing) assert.notDeepEqual(ruleNotes(rule, ''), [])
    }))
})

describe('any arbitrary rule', () => {
  const isTrueOf = (law: (rule: Rule) => void) => fc.assert(fc.property(rules, law), { numRuns })

  it('is valid', () => isTrueOf(rule => assert.deepEqual(ruleErrors(rule, ''), [])))

  it('is normal, and stays what it is as JSON', () =>
    isTrueOf(rule => {
      assert.deepEqual(normalRule(rule), rule)
      assert.deepEqual(JSON.parse(JSON.stringify(normalRule(rule))), rule)
    }))

  it('names its observations', () =>
    isTrueOf(rule => {
      const text = JSON.stringify(rule)
      const named = observedKeys.filter(key => text.includes(`"${observationPrefix}${key}"`)).sort()
      assert.deepEqual(observationKeys(rule), named)
      assert.equal(usesObservations(rule), named.length > 0)
    }))

  it('has notes whose pointers lead to a not', () =>
    isTrueOf(rule => {
      for (const { pointer } of ruleNotes(rule, '')) assert.equal(at(rule, pointer).kind, 'not')
    }))

  it('often holds, and often does not', () => {
    const answers = fc
      .sample(fc.tuple(rules, arbitraryFacts), 2000)
      .map(([rule, facts]) => evaluate(rule, facts))
    const share = answers.filter(Boolean).length / answers.length
    assert.ok(share > 0.15 && share < 0.85, `${share} of the rules hold.`)
  })
})

describe('any JSON', () => {
  const keys = fc.constantFrom(
    'kind',
    'rules',
    'rule',
    'field',
    'operator',
    'value',
    'code',
    'vintage',
    '__proto__',
  )
  const words = fc.constantFrom(
    'and',
    'or',
    'not',
    'field',
    'all',
    'name',
    'founded_on',
    'eq',
    'in',
    'between',
    'naics',
  )
  const nearlyRule = fc.letrec(tie => ({
    value: fc.oneof({ maxDepth: 8 }, words, fc.jsonValue(), tie('array'), tie('object')),
    array: fc.array(tie('value'), { maxLength: 3 }),
    object: fc
      .array(fc.tuple(fc.oneof({ weight: 9, arbitrary: keys }, fc.string()), tie('value')), { maxLength: 5 })
      .map(entries => Object.fromEntries(entries)),
  })).value

  it('is answered with errors or none, whose pointers begin with the given one', () =>
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearlyRule, changed(rules)), given => {
        const errors = ruleErrors(given, '/r')
        assert.ok(errors.length <= 20)
        for (const { pointer, detail } of errors) {
          assert.ok(pointer === '/r' || pointer.startsWith('/r/'), pointer)
          assert.match(detail, /^[^]+\.$/)
        }
        if (errors.length === 0) assert.deepEqual(ruleErrors(normalRule(given as object), '/r'), [])
      }),
      { numRuns: 10_000 },
    ))

  /** Rules with one value replaced by any JSON. */
  function changed(from: fc.Arbitrary<Rule>): fc.Arbitrary<unknown> {
    return fc.tuple(from, fc.nat({ max: 40 }), fc.jsonValue()).map(([rule, count, replacement]) => {
      let left = count
      return JSON.parse(JSON.stringify(rule), (_key, value: unknown) => (left-- === 0 ? replacement : value))
    })
  }
})

/** The part of a rule at a JSON pointer. */
function at(rule: Rule, pointer: string): Rule {
  const tokens = pointer.split('/').slice(1)
  return tokens.reduce<unknown>((part, token) => (part as Record<string, unknown>)[token], rule) as Rule
}
