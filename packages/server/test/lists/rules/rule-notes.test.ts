import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FieldRule, Rule } from '@wbs/contract/lists/rules'
import { ruleNotes } from '../../../src/lists/rules/rule-notes.ts'

const leaf = (field: string, operator: FieldRule['operator'], value: FieldRule['value'] = null): Rule => ({
  kind: 'field',
  field,
  operator,
  value,
})
const state = leaf('state', 'eq', 'OH')
const city = leaf('city', 'contains', 'Ak')
const not = (rule: Rule): Rule => ({ kind: 'not', rule })
const and = (...rules: Rule[]): Rule => ({ kind: 'and', rules })
const or = (...rules: Rule[]): Rule => ({ kind: 'or', rules })
const details = (rule: Rule) => ruleNotes(rule, '').map(note => note.detail)

describe('a not around a comparison', () => {
  it('is said to match Businesses without the fact', () =>
    assert.deepEqual(ruleNotes(and(city, not(state)), '/definition/rule'), [
      {
        pointer: '/definition/rule/rules/1',
        detail: 'This also matches Businesses without a state. Use neq to leave them out.',
      },
    ]))

  it('is replaced by the opposite operator where there is one', () => {
    const remedies: [Rule, string][] = [
      [leaf('state', 'neq', 'OH'), 'Use eq'],
      [leaf('state', 'in', ['OH']), 'Use not_in'],
      [leaf('state', 'not_in', ['OH']), 'Use in'],
      [leaf('observations.k', 'gt', 1), 'Use lte'],
      [leaf('observations.k', 'gte', 1), 'Use lt'],
      [leaf('observations.k', 'eq', 1), 'Use neq'],
      [leaf('observations.k', 'eq', true), 'Combine it with is_set'],
      [leaf('founded_on', 'eq', '2024-01-01'), 'Combine it with is_set'],
      [leaf('naics_code', 'naics', { code: '23', vintage: '2022' }), 'Combine it with is_set'],
      [city, 'Combine it with is_set'],
    ]
    for (const [rule, remedy] of remedies)
      assert.match(details(not(rule))[0] ?? '', new RegExp(`\\. ${remedy} to leave them out\\.$`))
  })

  it('names its fields', () => {
    assert.match(details(not(leaf('observations.k', 'gt', 1)))[0] ?? '', /without an observation of k\./)
    assert.match(details(not(leaf('id', 'eq', 'x')))[0] ?? '', /without an id\./)
    assert.deepEqual(details(not(or(state, city, and(state)))), [
      'This may also match Businesses without a state or a city. Combine it with is_set to leave them out.',
    ])
  })
})

describe('no note is there', () => {
  it('without a not, and where another one takes it back', () => {
    const silent = [state, and(state, or(city)), not(not(state)), not(and(not(state))), not({ kind: 'all' })]
    for (const rule of silent) assert.deepEqual(ruleNotes(rule, ''), [])
    assert.deepEqual(
      ruleNotes(not(not(not(state))), '').map(note => note.pointer),
      ['/rule/rule'],
    )
  })

  it('for is_set and is_not_set', () => {
    assert.deepEqual(details(not(leaf('state', 'is_set'))), [])
    assert.deepEqual(details(not(leaf('state', 'is_not_set'))), [])
  })

  it('where the rule requires the fact elsewhere', () => {
    assert.deepEqual(details(and(leaf('city', 'is_set'), not(city))), [])
    assert.deepEqual(details(and(leaf('city', 'starts_with', 'A'), or(not(city)))), [])
    assert.deepEqual(details(not(or(leaf('city', 'is_not_set'), city))), [])
    assert.equal(details(or(leaf('city', 'is_set'), not(city))).length, 1)
    assert.equal(details(and(leaf('state', 'is_set'), not(city))).length, 1)
    assert.equal(details(and(leaf('city', 'is_not_set'), not(city))).length, 1)
    assert.equal(details(not(and(leaf('city', 'is_not_set'), city))).length, 1)
  })
})

it('there are at most 20 notes', () => {
  const twenty = and(...Array<Rule>(20).fill(not(state)))
  assert.equal(ruleNotes(and(twenty, twenty), '').length, 20)
})
