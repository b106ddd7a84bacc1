import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleErrors } from '../../../src/lists/rules/check-rule.ts'
import { normalRule } from '../../../src/lists/rules/normal-rule.ts'

const normalises = (given: object, expected: object) => {
  assert.deepEqual(ruleErrors(given, ''), [])
  assert.deepEqual(normalRule(given), expected)
}
const leaf = { kind: 'field', field: 'name' }

test('a value that is absent becomes null', () =>
  normalises({ ...leaf, operator: 'is_set' }, { ...leaf, operator: 'is_set', value: null }))

test('a NAICS code without a vintage has that of 2022', () => {
  const of = (value: object) => ({ kind: 'field', field: 'naics_code', operator: 'naics', value })
  normalises(of({ code: '31-33' }), of({ code: '31-33', vintage: '2022' }))
  normalises(of({ vintage: '2017', code: '23' }), of({ code: '23', vintage: '2017' }))
})

test('rules within rules become normal, and all other values stay', () => {
  const text = { ...leaf, operator: 'in', value: ['A', 'a', ' A '] }
  const given = {
    kind: 'and',
    rules: [{ kind: 'not', rule: { ...leaf, operator: 'is_set' } }, text, { kind: 'all' }],
  }
  normalises(given, {
    kind: 'and',
    rules: [{ kind: 'not', rule: { ...leaf, operator: 'is_set', value: null } }, text, { kind: 'all' }],
  })
})

test('a zero has no sign, as JSON does not keep it', () => {
  const of = (operator: string, value: unknown) => ({
    kind: 'field',
    field: 'observations.a',
    operator,
    value,
  })
  normalises(of('eq', -0), of('eq', 0))
  normalises(of('between', [-0, 1]), of('between', [0, 1]))
})
