import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { businessFields } from '@wbs/contract/businesses/businesses'
import { operatorsByType, type FieldRule, type Rule } from '@wbs/contract/lists/rules'
import { holds, type KnownFacts } from '../../../src/lists/rules/evaluate-rule.ts'

const today = '2026-03-31'
const nothing: KnownFacts = { published: null, observations: new Map() }
const published = (facts: KnownFacts['published']): KnownFacts => ({
  published: facts,
  observations: new Map(),
})
const observed = (value_type: string, value: unknown): KnownFacts => ({
  published: null,
  observations: new Map([['k', { value_type, value }]]),
})
const leaf = (field: string, operator: FieldRule['operator'], value: FieldRule['value'] = null): Rule => ({
  kind: 'field',
  field,
  operator,
  value,
})
const not = (rule: Rule): Rule => ({ kind: 'not', rule })

/** Compares one fact of a field with one leaf. */
const compares = (
  field: string,
  fact: string,
  operator: FieldRule['operator'],
  value: FieldRule['value'],
): boolean => holds(leaf(field, operator, value), published({ [field]: fact }), today)

/** Rows of an operator, a value, facts for which it holds, and facts for which it does not. */
type Row = [FieldRule['operator'], FieldRule['value'], string[], string[]]
function answers(field: string, rows: readonly Row[]) {
  for (const [operator, value, matching, others] of rows) {
    const told = (fact: string) => `${field} ${JSON.stringify(fact)} ${operator} ${JSON.stringify(value)}`
    for (const fact of matching) assert.equal(compares(field, fact, operator, value), true, told(fact))
    for (const fact of others) assert.equal(compares(field, fact, operator, value), false, told(fact))
  }
}

describe('a text', () => {
  it('is compared folded in names, states, titles and descriptions', () => {
    for (const field of ['name', 'state', 'naics_title', 'description'])
      answers(field, [
        ['eq', 'Straße', ['STRASSE', 'strasse', ' Straße ', 'STRAẞE'], ['Strase', 'Strassen']],
        ['eq', 'izmir', ['İzmir', 'IZMIR', 'ızmir'], ['ïzmir']],
        ['eq', 'First Office', ['ﬁrst  oﬃce', 'ＦＩＲＳＴ\tOFFICE'], ['Firstoffice']],
        ['neq', 'café', ['cafe'], ['CAFE\u0301', 'Café']],
        ['in', ['x', 'ΟΔΟΣ'], ['οδος', 'X'], ['οδο']],
        ['not_in', ['x', 'ΟΔΟΣ'], ['οδο'], ['οδος', 'X']],
        ['contains', 'שלום', ['הי שלום עולם'], ['שלו']],
        ['starts_with', '🏭 w', ['🏭  Works'], ['🏭', 'x🏭 Works']],
      ])
  })

  it('has no wildcards', () =>
    answers('name', [
      ['contains', '%', ['100%'], ['100']],
      ['contains', '_', ['a_b'], ['a b']],
      ['contains', '\\', ['a\\b'], ['a/b']],
      ['starts_with', '100%_\\', ['100%_\\ a'], ['100xy', '100%x\\']],
      ['eq', 'a%', ['A%'], ['ab', 'a']],
    ]))

  it('is compared by case and white space at the ends alone in cities', () =>
    answers('city', [
      ['eq', 'groß', ['GROSS', ' Groß ', 'GROẞ'], ['ＧＲＯＳＳ']],
      ['eq', 'St. John', ['ST. JOHN'], ['St.  John', 'St\u00a0. John']],
      ['contains', 'john', ['St. John'], ['St. Jon']],
    ]))

  it('is compared exactly in all other fields', () => {
    const rows: Row[] = [
      ['eq', 'ab C', ['ab C'], ['AB C', 'ab c', ' ab C', 'ab  C']],
      ['neq', 'ab', ['AB'], ['ab']],
      ['in', ['ab', 'cd'], ['cd'], ['CD']],
      ['contains', 'b', ['abc'], ['aBc']],
      ['starts_with', 'a', ['ab'], ['Ab']],
    ]
    const folded = ['name', 'city', 'state', 'naics_title', 'description']
    const dates = ['closed_on', 'founded_on', 'published_at']
    for (const field of businessFields.filter(one => ![...folded, ...dates].includes(one)))
      answers(field, rows)
  })

  it('is compared in its whole length in descriptions', () =>
    answers('description', [
      ['contains', 'needle', [`${'x '.repeat(4000)}NEEDLE`], []],
      ['eq', `${'x'.repeat(900)}y`, [`${'x'.repeat(900)}Y`], [`${'x'.repeat(900)}z`]],
    ]))

  it('equals nothing if it folds to nothing', () => {
    for (const field of ['name', 'city', 'description'])
      for (const blank of [' ', '\t \n'])
        answers(field, [
          ['eq', blank, [], ['a', ' ', 'a b']],
          ['in', [blank], [], ['a', ' ']],
          ['contains', blank, [], ['a', 'a b']],
          ['starts_with', blank, [], ['a', ' a']],
          ['neq', blank, ['a', ' '], []],
          ['not_in', [blank, 'a'], ['b', ' '], ['a']],
        ])
    answers('name', [['contains', '\u200b\u00ad', [], ['a\u200bb']]])
  })
})

describe('a date', () => {
  it('is before and after strictly, and between with both ends', () =>
    answers('founded_on', [
      ['eq', '2024-02-29', ['2024-02-29'], ['2024-02-28', '2024-03-01']],
      ['before', '2024-03-01', ['2024-02-29', '1000-01-01'], ['2024-03-01', '2024-03-02']],
      ['after', '2023-12-31', ['2024-01-01', '2199-12-31'], ['2023-12-31', '2023-12-30']],
      ['between', ['2024-02-29', '2024-03-01'], ['2024-02-29', '2024-03-01'], ['2024-02-28', '2024-03-02']],
      ['between', ['2024-02-29', '2024-02-29'], ['2024-02-29'], ['2024-03-01']],
    ]))

  it('is within the last days to today, and not in the future', () =>
    answers('closed_on', [
      ['within_last', 'P1M', ['2026-02-28', '2026-03-31'], ['2026-02-27', '2026-04-01']],
      ['within_last', 'P0D', ['2026-03-31'], ['2026-03-30', '2026-04-01']],
      ['within_last', 'P1000Y', ['1026-03-31'], ['1026-03-30']],
    ]))

  it('is the day in UTC of the time of publication', () =>
    answers('published_at', [
      [
        'eq',
        '2024-02-29',
        ['2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
        ['2024-03-01T00:00:00.000Z'],
      ],
      ['before', '2024-02-29', ['2024-02-28T23:59:59.999Z'], ['2024-02-29T00:00:00.000Z']],
      ['after', '2024-02-29', ['2024-03-01T00:00:00.000Z'], ['2024-02-29T23:59:59.999Z']],
      ['between', ['2024-01-01', '2024-02-29'], ['2024-02-29T23:59:59.999Z'], ['2024-03-01T00:00:00.000Z']],
      [
        'within_last',
        'P1D',
        ['2026-03-30T00:00:00.000Z', '2026-03-31T23:59:59.999Z'],
        ['2026-03-29T23:59:59.999Z'],
      ],
    ]))
})

describe('a NAICS code', () => {
  const isUnder = (naics_code: string | null, code: string, stored = '2022', vintage = '2022') =>
    holds(
      leaf('naics_code', 'naics', { code, vintage }),
      published({ naics_code, naics_vintage: naics_code && stored }),
      today,
    )
  const finds = (code: string, found: string[], others: string[]) => {
    for (const one of found) assert.ok(isUnder(one, code), `${one} under ${code}`)
    for (const one of others) assert.ok(!isUnder(one, code), `${one} not under ${code}`)
  }

  it('is found by its first digits', () => {
    finds('23', ['23', '238', '238220'], ['2', '32', '123'])
    finds('2382', ['2382', '23822', '238220'], ['238', '23', '23921'])
    finds('238220', ['238220'], ['23822', '238221', '2382'])
  })

  it('is found by the range of its sector', () => {
    finds('31-33', ['31', '32', '33', '311811', '339', '31-33'], ['34', '30', '44-45', '23', '3'])
    finds('44-45', ['441', '45', '44-45'], ['46', '31-33', '48-49'])
    finds('48-49', ['481', '492', '48-49'], ['47', '50', '44-45'])
  })

  it('that is stored as a range is found by this range alone', () => {
    finds('31', ['31', '311'], ['31-33', '32'])
    finds('44', ['445'], ['44-45'])
  })

  it('is found in the same vintage alone', () => {
    assert.ok(isUnder('238220', '23', '2017', '2017'))
    assert.ok(!isUnder('238220', '23', '2017', '2022'))
    assert.ok(!isUnder(null, '23'))
  })
})

describe('an observation', () => {
  const matches = (
    type: string,
    value: unknown,
    operator: FieldRule['operator'],
    operand: FieldRule['value'],
  ) => holds(leaf('observations.k', operator, operand), observed(type, value), today)

  it('is compared by the type of the given value', () => {
    assert.ok(matches('text', 'ACME  Straße', 'eq', 'acme strasse'))
    assert.ok(matches('text', '2024-01-01', 'eq', '2024-01-01'))
    assert.ok(matches('date', '2024-01-01', 'eq', '2024-01-01'))
    assert.ok(matches('number', 42, 'eq', 42) && matches('number', -0, 'eq', 0))
    assert.ok(matches('boolean', false, 'eq', false) && !matches('boolean', false, 'eq', true))
    assert.ok(matches('text', '100%', 'contains', '%') && !matches('text', '100', 'contains', '%'))
    assert.ok(matches('text', 'b', 'neq', 'a') && matches('text', 'b', 'not_in', ['a', 'c']))
    assert.ok(matches('number', 41, 'neq', 42) && !matches('number', 42, 'neq', 42))
    assert.ok(matches('date', '2026-03-31', 'within_last', 'P1D'))
    assert.ok(matches('date', '2024-01-01', 'between', ['2024-01-01', '2024-01-01']))
  })

  it('is compared as a number with both ends of a range', () => {
    const operators = { gt: [43], gte: [42, 43], lt: [41], lte: [41, 42] } as const
    for (const [operator, found] of Object.entries(operators))
      for (const value of [41, 42, 43])
        assert.equal(
          matches('number', value, operator as 'gt', 42),
          (found as readonly number[]).includes(value),
          `${value} ${operator} 42`,
        )
    assert.ok(matches('number', 1, 'between', [1, 2]) && matches('number', 2, 'between', [1, 2]))
    assert.ok(!matches('number', 2.0001, 'between', [1, 2]))
    assert.ok(!matches('number', 0.30000000000000004, 'eq', 0.3))
  })

  it('of another type makes every comparison false', () => {
    const facts = [
      ['text', '42'],
      ['number', 42],
      ['boolean', true],
      ['date', '2024-01-01'],
    ] as const
    const comparisons: [string, FieldRule['operator'], FieldRule['value']][] = [
      ['text', 'neq', 'x'],
      ['text', 'not_in', ['x']],
      ['text', 'in', ['42', '2024-01-01', 'true']],
      ['text', 'contains', '2'],
      ['text', 'starts_with', '4'],
      ['number', 'neq', 0],
      ['number', 'gt', 0],
      ['number', 'between', [0, 100]],
      ['boolean', 'eq', true],
      ['date', 'after', '1000-01-01'],
      ['date', 'before', '2199-12-31'],
      ['date', 'between', ['1000-01-01', '2199-12-31']],
      ['date', 'within_last', 'P1000Y'],
    ]
    for (const [type, operator, operand] of comparisons)
      for (const [factType, value] of facts)
        assert.equal(
          matches(factType, value, operator, operand),
          factType === type,
          `${factType} ${operator}`,
        )
  })

  it('of any type is set', () => {
    for (const [type, value] of [
      ['text', ''],
      ['number', 0],
      ['boolean', false],
      ['date', '2024-01-01'],
    ] as const) {
      assert.ok(matches(type, value, 'is_set', null))
      assert.ok(!matches(type, value, 'is_not_set', null))
    }
    assert.ok(!holds(leaf('observations.other', 'is_set'), observed('text', 'x'), today))
  })
})

describe('a fact that is not known', () => {
  const operands: Record<string, FieldRule['value']> = {
    text: 'x',
    date: '2024-01-01',
    number: 1,
    boolean: true,
  }
  it('makes every leaf false except is_not_set', () => {
    for (const facts of [nothing, published({}), published({ name: null, founded_on: null })])
      for (const [type, operators] of Object.entries(operatorsByType))
        for (const operator of operators) {
          const field = type === 'text' ? 'name' : type === 'date' ? 'founded_on' : 'observations.k'
          const one = operands[type] ?? null
          const value =
            operator === 'between'
              ? [one as string, one as string]
              : operator === 'within_last'
                ? 'P1Y'
                : operator.endsWith('in')
                  ? [one as string]
                  : one
          assert.equal(holds(leaf(field, operator, value), facts, today), false, `${field} ${operator}`)
          assert.equal(holds(not(leaf(field, operator, value)), facts, today), true)
        }
    for (const field of [...businessFields, 'observations.k']) {
      assert.equal(holds(leaf(field, 'is_set'), nothing, today), false)
      assert.equal(holds(leaf(field, 'is_not_set'), nothing, today), true)
    }
  })
})

describe('and, or, not, all and none', () => {
  it('combine their rules', () => {
    const [all, none]: Rule[] = [{ kind: 'all' }, { kind: 'none' }] as const
    const of = (kind: 'and' | 'or', ...rules: Rule[]) => holds({ kind, rules }, nothing, today)
    assert.deepEqual([of('and', all), of('and', all, none), of('and', none)], [true, false, false])
    assert.deepEqual([of('or', none), of('or', none, all), of('or', all)], [false, true, true])
    assert.deepEqual([holds(not(all), nothing, today), holds(not(none), nothing, today)], [false, true])
  })
})
