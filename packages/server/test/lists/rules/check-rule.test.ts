import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { businessFields } from '@wbs/contract/businesses/businesses'
import { ruleErrors } from '../../../src/lists/rules/check-rule.ts'

const leaf = (field: unknown, operator: unknown, value?: unknown) => ({
  kind: 'field',
  field,
  operator,
  ...(value !== undefined && { value }),
})
const all = { kind: 'all' }
const state = leaf('state', 'eq', 'OH')
const and = (...rules: unknown[]) => ({ kind: 'and', rules })
const not = (rule: unknown) => ({ kind: 'not', rule })

/** The errors as places and codes. */
const told = (rule: unknown, pointer = '') =>
  ruleErrors(rule, pointer).map(error => `${error.code} ${error.pointer}`)
const accepts = (...rules: unknown[]) => {
  for (const rule of rules) assert.deepEqual(ruleErrors(rule, ''), [], JSON.stringify(rule).slice(0, 300))
}
const refuses = (rule: unknown, ...expected: string[]) =>
  assert.deepEqual(told(rule), expected, JSON.stringify(rule)?.slice(0, 300))

describe('the kinds of rules', () => {
  it('are field, and, or, not, all and none', () =>
    accepts(state, and(state, all), { kind: 'or', rules: [state] }, not(state), all, { kind: 'none' }))

  it('are objects with a known kind', () => {
    for (const rule of [null, undefined, 'all', 1, true, [], [all]]) refuses(rule, 'type ')
    refuses({}, 'required /kind')
    refuses({ kind: null }, 'type /kind')
    refuses({ kind: 'constructor' }, 'unknown /kind')
    assert.equal(ruleErrors({ kind: 'feld' }, '')[0]?.suggestion, 'field')
  })

  it('require their keys and have no others', () => {
    refuses({ kind: 'field' }, 'required /field', 'required /operator')
    refuses({ kind: 'and' }, 'required /rules')
    refuses({ kind: 'or', rules: {} }, 'type /rules')
    refuses({ kind: 'not' }, 'required /rule')
    refuses({ kind: 'not', rule: null }, 'type /rule')
    refuses({ ...all, rule: all }, 'unknown /rule')
    refuses({ ...state, rules: [] }, 'unknown /rules')
    refuses(
      JSON.parse('{"kind": "all", "__proto__": 1, "a/b~c": 2}'),
      'unknown /__proto__',
      'unknown /a~1b~0c',
    )
    assert.equal(ruleErrors({ ...state, valu: 1 }, '')[0]?.suggestion, 'value')
  })

  it('have errors with pointers below the given one', () =>
    assert.deepEqual(told(and(all, not(leaf('state', 'eq', 1))), '/definition/rule'), [
      'type /definition/rule/rules/1/rule/value',
    ]))
})

describe('the limits of a rule', () => {
  const nested = (levels: number): unknown => (levels === 1 ? state : not(nested(levels - 1)))
  const branches = (count: number, rule: unknown = state) => ({
    kind: 'and',
    rules: Array(count).fill(rule),
  })

  it('are five levels, of which the leaf is one', () => {
    accepts(nested(5))
    refuses(nested(6), 'out_of_range /rule/rule/rule/rule/rule')
    refuses(and(all, and(and(and(and(all))))), 'out_of_range /rules/1/rules/0/rules/0/rules/0/rules/0')
  })

  it('are 1 to 20 rules in an and or an or', () => {
    refuses(and(), 'too_short /rules')
    accepts(branches(20))
    refuses(branches(21), 'too_long /rules')
  })

  it('are 100 leaves of any kind', () => {
    accepts(branches(5, branches(20)))
    accepts(branches(5, branches(20, all)))
    for (const one of [state, all]) refuses(and(...Array(5).fill(branches(20, one)), one), 'too_long ')
  })

  it('are 20 errors', () => {
    const wrong = branches(20, { kind: 'field', a: 1, b: 2 })
    assert.equal(ruleErrors(wrong, '').length, 20)
    assert.equal(ruleErrors(JSON.parse(`{"kind":"all",${keys(1000)}}`), '').length, 20)
  })

  it('are checked in no time in a rule of any depth and width', () => {
    const deep = JSON.parse(`${'{"kind":"not","rule":'.repeat(100_000)}{"kind":"all"}${'}'.repeat(100_000)}`)
    const wide = branches(1_000_000)
    const widest = branches(20, branches(20, branches(20, branches(20, all))))
    const items = leaf('name', 'in', Array(1_000_000).fill('x'))
    const text = leaf('name', 'eq', 'x'.repeat(10_000_000))
    const name = { kind: 'all', ['x'.repeat(10_000_000)]: 1 }
    const duration = leaf('founded_on', 'within_last', `P${'1'.repeat(10_000_000)}`)
    for (const rule of [deep, wide, widest, items, text, name, duration]) {
      const began = performance.now()
      const [first] = ruleErrors(rule, '')
      assert.ok(first, 'It is refused.')
      assert.ok(first.pointer.length < 200 && first.detail.length < 1000)
      // It takes less than a millisecond; walking the whole rule would take seconds or overflow the stack.
      assert.ok(performance.now() - began < 500, `${first.pointer}: ${performance.now() - began} ms`)
    }
  })

  const keys = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')
})

describe('the field of a leaf', () => {
  it('is a field of the search projection or an observation', () => {
    for (const field of businessFields) accepts(leaf(field, 'is_set'))
    accepts(leaf('observations.headcount', 'is_set'), leaf(`observations.a${'_'.repeat(63)}`, 'is_set'))
  })

  it('is suggested where a near one is known', () => {
    assert.equal(ruleErrors(leaf('stat', 'eq', 'OH'), '')[0]?.suggestion, 'state')
    assert.equal(
      ruleErrors(leaf('observation.headcount', 'eq', 1), '')[0]?.suggestion,
      'observations.headcount',
    )
    assert.equal(ruleErrors(leaf('zzz', 'eq', 1), '')[0]?.suggestion, undefined)
    refuses(leaf('stat', 'eq', 1), 'unknown /field')
    for (const field of ['legal_name', 'constructor', '', 'Name', 'name '])
      refuses(leaf(field, 'is_set'), 'unknown /field')
  })

  it('has an observation key of the right form', () => {
    for (const key of ['', 'Head', '1a', 'a b', 'a.b', `a${'b'.repeat(64)}`, 'a\n'])
      refuses(leaf(`observations.${key}`, 'is_set'), 'format /field')
  })

  it('is text', () => refuses(leaf(7, 8, 9), 'type /field', 'type /operator'))
})

describe('the operator of a leaf', () => {
  const operators: Record<string, [string[], string[]]> = {
    name: [
      ['eq', 'neq', 'contains', 'starts_with', 'in', 'not_in'],
      ['gt', 'before', 'between', 'naics'],
    ],
    founded_on: [
      ['eq', 'before', 'after', 'between', 'within_last'],
      ['neq', 'in', 'gt', 'contains', 'naics'],
    ],
    published_at: [
      ['eq', 'before', 'after', 'between', 'within_last'],
      ['neq', 'in', 'starts_with'],
    ],
    naics_code: [
      ['naics', 'eq', 'in', 'starts_with'],
      ['gt', 'between'],
    ],
    'observations.a': [
      ['eq', 'neq', 'gt', 'lte', 'between', 'within_last', 'not_in', 'before'],
      ['naics', 'like'],
    ],
  }
  it('depends on the type of the field', () => {
    for (const [field, [known, unknown]] of Object.entries(operators)) {
      for (const one of known)
        assert.ok(!told(leaf(field, one)).includes('unknown /operator'), `${field} ${one}`)
      for (const one of unknown) refuses(leaf(field, one, 'x'), 'unknown /operator')
    }
  })

  it('is suggested where a near one is known', () => {
    const [error] = ruleErrors(leaf('name', 'start_with', 'x'), '')
    assert.equal(error?.suggestion, 'starts_with')
    assert.equal(
      error?.detail,
      'operator of name must be one of eq, neq, in, not_in, contains, starts_with, is_set, is_not_set.',
    )
  })

  it('takes null or no value for is_set and is_not_set, and requires one for all others', () => {
    for (const operator of ['is_set', 'is_not_set']) {
      accepts(leaf('name', operator), leaf('name', operator, null))
      refuses(leaf('name', operator, true), 'conflict /value')
    }
    refuses(leaf('name', 'eq'), 'required /value')
    refuses(leaf('name', 'eq', null), 'type /value')
    refuses(leaf('naics_code', 'naics'), 'required /value')
  })
})
