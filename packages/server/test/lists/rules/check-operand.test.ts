import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ruleErrors } from '../../../src/lists/rules/check-rule.ts'

const observed = 'observations.headcount'
const leaf = (field: string, operator: string, value: unknown) => ({ kind: 'field', field, operator, value })
const accepts = (field: string, operator: string, ...values: unknown[]) => {
  for (const value of values)
    assert.deepEqual(
      ruleErrors(leaf(field, operator, value), ''),
      [],
      `${field} ${operator} ${String(value)}`,
    )
}
const refuses = (field: string, operator: string, values: unknown[], ...expected: string[]) => {
  for (const value of values)
    assert.deepEqual(
      ruleErrors(leaf(field, operator, value), '').map(({ code, pointer }) => `${code} ${pointer}`),
      expected,
      `${field} ${operator} ${String(value).slice(0, 100)}`,
    )
}

describe('a text', () => {
  it('has 1 to 2048 code points', () => {
    accepts('name', 'eq', 'x', ' ', 'x'.repeat(2048), '🏭'.repeat(2048))
    refuses('name', 'eq', [''], 'too_short /value')
    refuses('name', 'contains', ['x'.repeat(2049), '🏭'.repeat(2049)], 'too_long /value')
  })

  it('has no U+0000 and no unpaired surrogate', () =>
    refuses('name', 'starts_with', ['a\u0000', '\ud800', 'x\udc00y'], 'format /value'))

  it('is no value of another type', () => refuses('name', 'eq', [1, true, ['x'], { a: 1 }], 'type /value'))

  it('is one of the known values of a field that has some', () => {
    accepts('status', 'eq', 'active')
    accepts('publication_status', 'neq', 'published')
    accepts('naics_vintage', 'in', ['2017', '2022'])
    accepts('status', 'contains', 'act')
    refuses('status', 'neq', ['Active', 'open'], 'unknown /value')
    refuses('naics_vintage', 'not_in', [['2022', '2020']], 'unknown /value/1')
    assert.equal(ruleErrors(leaf('status', 'eq', 'Actve'), '')[0]?.suggestion, 'active')
  })

  it('comes 1 to 100 times in a list of items', () => {
    accepts('state', 'in', ['OH'], Array(100).fill('OH'))
    refuses('state', 'in', ['OH', null, {}], 'type /value')
    refuses('state', 'in', [[]], 'too_short /value')
    refuses('state', 'not_in', [Array(101).fill('OH')], 'too_long /value')
    refuses('state', 'in', [['OH', 1, '']], 'type /value/1', 'too_short /value/2')
  })
})

describe('a day', () => {
  it('exists and is written as YYYY-MM-DD', () => {
    accepts('founded_on', 'eq', '2024-02-29', '1000-01-01', '2199-12-31')
    const wrong = [
      '2023-02-29',
      '2024-2-9',
      '2024',
      '0000-01-01',
      '2024-01-01T00:00:00Z',
      '',
      '２０２４-01-01',
    ]
    refuses('founded_on', 'before', wrong, 'format /value')
    refuses('published_at', 'after', [2024, null], 'type /value')
  })

  it('does not end a range before it begins', () => {
    accepts('founded_on', 'between', ['2024-01-01', '2024-01-01'], ['2024-01-01', '2024-12-31'])
    refuses('founded_on', 'between', [['2024-01-02', '2024-01-01']], 'conflict /value')
    refuses('founded_on', 'between', ['2024-01-01', null, { 0: 1 }], 'type /value')
    refuses('founded_on', 'between', [[], ['2024-01-01']], 'too_short /value')
    refuses('founded_on', 'between', [['2024-01-01', '2024-01-02', '2024-01-03']], 'too_long /value')
    refuses('founded_on', 'between', [[1, 'x']], 'type /value/0', 'format /value/1')
  })
})

describe('a duration', () => {
  it('has years, months, weeks and days', () =>
    accepts('founded_on', 'within_last', 'P5Y', 'P18M', 'P2W', 'P1Y6M', 'P1Y2M3W4D', 'P0D', 'P030D'))

  it('has no time, fraction, sign or other order', () =>
    refuses(
      'closed_on',
      'within_last',
      [
        'P',
        'PT1H',
        'P1DT1H',
        'P1.5Y',
        '-P1Y',
        'P-1Y',
        '+P1Y',
        'P1M1Y',
        'p1y',
        '1Y',
        'P1',
        '',
        ' P1Y',
        'P1Y\n',
        'P٣Y',
      ],
      'format /value',
    ))

  it('has at most 1000 years in all', () => {
    accepts('founded_on', 'within_last', 'P1000Y', 'P12000M', 'P365250D', 'P999Y12M')
    const long = ['P1001Y', 'P12001M', 'P365251D', 'P1000Y1D', 'P52180W', `P${'9'.repeat(400)}D`]
    refuses('founded_on', 'within_last', long, 'out_of_range /value')
    refuses('founded_on', 'within_last', [5, null, ['P5Y']], 'type /value')
  })
})

describe('a NAICS code', () => {
  it('has two to six digits or is a range of sectors, and may have a vintage', () => {
    for (const code of ['23', '311', '3118', '31181', '311811', '31-33', '44-45', '48-49', '00'])
      accepts('naics_code', 'naics', { code }, { code, vintage: '1997' })
    const wrong = ['2', '1234567', '31-32', '31–33', '23 ', '', '２３', '31-33\n'].map(code => ({ code }))
    refuses('naics_code', 'naics', wrong, 'format /value/code')
  })

  it('is an object with these two keys', () => {
    refuses('naics_code', 'naics', ['23', ['23'], 23], 'type /value')
    refuses('naics_code', 'naics', [{}], 'required /value/code')
    refuses('naics_code', 'naics', [{ code: 23, vintage: 2022 }], 'type /value/code', 'type /value/vintage')
    refuses('naics_code', 'naics', [{ code: '23', vintage: '2020' }], 'unknown /value/vintage')
    refuses('naics_code', 'naics', [{ code: '23', vintge: '2022' }], 'unknown /value/vintge')
  })
})

describe('the value that an observation is compared with', () => {
  it('is a text, a number or a boolean with eq, and no boolean with neq', () => {
    accepts(observed, 'eq', 'x', '2024-01-01', 0, -1.5, true, false)
    accepts(observed, 'neq', 'x', 0)
    refuses(observed, 'neq', [true], 'type /value')
    refuses(observed, 'eq', [null, [], {}], 'type /value')
    refuses(observed, 'eq', [Infinity, NaN], 'out_of_range /value')
  })

  it('is of the one type that the operator has', () => {
    for (const operator of ['gt', 'gte', 'lt', 'lte']) {
      accepts(observed, operator, 0)
      refuses(observed, operator, ['1', '2024-01-01', true], 'type /value')
    }
    for (const operator of ['before', 'after']) {
      accepts(observed, operator, '2024-01-01')
      refuses(observed, operator, ['x'], 'format /value')
      refuses(observed, operator, [1], 'type /value')
    }
    accepts(observed, 'within_last', 'P1Y')
    accepts(observed, 'in', ['x', '2024-01-01'])
    refuses(observed, 'in', [['x', 1, true]], 'type /value/1', 'type /value/2')
    refuses(observed, 'contains', [1], 'type /value')
  })

  it('is two days or two numbers in a range', () => {
    accepts(observed, 'between', [1, 1], [-2, 0.5], ['2024-01-01', '2024-01-02'])
    refuses(observed, 'between', [[2, 1]], 'conflict /value')
    refuses(observed, 'between', [[1, '2024-01-01']], 'type /value/1')
    refuses(observed, 'between', [['2024-01-01', 1]], 'type /value/1')
    refuses(observed, 'between', [[1, NaN]], 'out_of_range /value/1')
    refuses(observed, 'between', [['a', 'b']], 'format /value/0', 'format /value/1')
  })
})
