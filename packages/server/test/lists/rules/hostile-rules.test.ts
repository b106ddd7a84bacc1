import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId, type Id } from '@wbs/contract/ids'
import type { FieldRule, Rule } from '@wbs/contract/lists/rules'
import fc from 'fast-check'
import { foldName, storedFold } from '../../../src/businesses/fold.ts'
import { numberParameters, valuesInOrder } from '../../../src/database/parameters.ts'
import type { Reader } from '../../../src/database/statement.ts'
import { memberPartsSql } from '../../../src/lists/members/member-parts-sql.ts'
import { createMemberStatement } from '../../../src/lists/members/member-statement.ts'
import { membersAmongSql } from '../../../src/lists/members/members-among-sql.ts'
import { ruleErrors } from '../../../src/lists/rules/check-rule.ts'
import { normalRule } from '../../../src/lists/rules/normal-rule.ts'
import { addBusinesses } from '../../harness/businesses.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { arbitraryRule, dayOfRules as today } from './arbitrary-rules.ts'
import { assertSameMembers } from './member-comparison.ts'
import { seenBusinesses, type SeenBusiness, type Viewer } from './seen-businesses.ts'
import { proofRuns, proofSeed } from '../../harness/proof.ts'

const runs = proofRuns({ full: 250, short: 25 })
const seed = proofSeed()

/** Texts that mean something to SQL, LIKE, array literals or the numbering of parameters, and texts that fold unusually. */
const texts = [
  '$1',
  '$2 $10',
  "'$1'",
  '$$ $a$',
  'NULL',
  'null',
  '{}',
  '{"a"}',
  ',',
  'a,b',
  '{NULL,a}',
  '"',
  '""',
  '\\',
  'a\\',
  '\\\\',
  '%\\',
  '\\%',
  '_\\_',
  "'",
  "''",
  "E'\\''",
  '--',
  '/* $3 */',
  ':a',
  '?',
  '%s',
  '${a}',
  'a\tb',
  'a\n b',
  ' a ',
  '\u001fa',
  'a\u007fb',
  'a\u0085b',
  '\u00a0a',
  'a\u2028b',
  '\u200ba',
  '\ufeffa',
  'straße',
  'STRASSE',
  'ſ',
  'İ',
  'ı',
  'ŉ',
  'ǰ',
  'ΐ',
  'ς',
  'Σ',
  'ᾳ',
  'Å',
  'Å',
  'Ω',
  'ﷺ',
  '½',
  '①',
  '한글',
  '𠮷',
  '𐐀',
  '\ufffd',
  '\uffff',
  'e\u0301',
  'é',
  '\u0345',
  'a\u0300\u0315',
  '\u{e0001}',
  'x'.repeat(2048),
  'ﷺ'.repeat(60),
]
const numbers = [0, 1, 0.1, 1e21, -1e21, 1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 2 ** 53]
const days = ['1000-01-01', '1582-10-10', '1900-02-28', '2026-03-31', '2199-12-31']
const durations = ['P1000Y', 'P12000M', 'P365250D', 'P52178W', 'P999Y11M', 'P0D']
const textFields = ['name', 'description', 'city', 'state', 'website_url', 'public_email', 'public_phone']

/** Values and, of texts, also their parts. */
const part = fc.tuple(fc.constantFrom(...texts), fc.nat({ max: 3 }), fc.integer({ min: 1, max: 4 })).map(
  ([text, from, length]) =>
    Array.from(text)
      .slice(from, from + length)
      .join('') || text,
)
const text = fc.oneof(fc.constantFrom(...texts), part)
const textOperation = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'neq', 'contains', 'starts_with'), text),
  fc.tuple(fc.constantFrom('in', 'not_in'), fc.array(text, { minLength: 1, maxLength: 100 })),
)
const range = <T extends string | number>(values: readonly T[]) =>
  fc
    .tuple(fc.constantFrom(...values), fc.constantFrom(...values))
    .map(([a, b]) => ['between', a <= b ? [a, b] : [b, a]] as const)
const dayOperation = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'before', 'after'), fc.constantFrom(...days)),
  fc.tuple(fc.constant('within_last'), fc.constantFrom(...durations)),
  range(days),
)
const numberOperation = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), fc.constantFrom(...numbers, -0)),
  range(numbers),
)
const leafOf = (fields: readonly string[], operation: fc.Arbitrary<readonly [string, unknown]>) =>
  fc
    .tuple(fc.constantFrom(...fields), operation)
    .map(([field, [operator, value]]) => where(field, operator, value))
const observed = ['observations.note', 'observations.amount', 'observations.day']
const leaf = fc
  .oneof(
    leafOf([...textFields, ...observed], textOperation),
    leafOf(['founded_on', 'published_at', ...observed], dayOperation),
    leafOf(observed, numberOperation),
  )
  .map(normalRule)

describe('rules with hostile values', () => {
  let world: ListWorld
  let ids: Id<'biz'>[]
  let reader: Reader
  let viewers: { viewer: Viewer; seen: SeenBusiness[] }[]
  before(async () => {
    world = await makeListWorld()
    const { service, workspace_id, people } = world
    ids = await addHostileBusinesses(world)
    reader = service.database.readers.scoped({ workspace_id, user_id: people.owner.user_id })
    const callers = [true, false].map(reads_businesses => ({ workspace_id, reads_businesses }))
    viewers = await Promise.all(
      callers.map(async viewer => ({ viewer, seen: await seenBusinesses(service, newId('list'), viewer) })),
    )
  })
  after(() => world.close())

  async function compare(rule: Rule): Promise<number> {
    assert.deepEqual(ruleErrors(rule, ''), [])
    const counts = await Promise.all(
      viewers.map(({ viewer, seen }) =>
        assertSameMembers(reader, ids, { membership: { viewer, list_id: null, rule, today }, seen }),
      ),
    )
    return counts.reduce((a, b) => a + b)
  }

  it('find the same in SQL and in TypeScript', async () => {
    let members = 0
    await fc.assert(
      fc.asyncProperty(leaf, fc.boolean(), async (rule, isNegated) => {
        members += await compare(isNegated ? { kind: 'not', rule } : rule)
      }),
      { numRuns: runs, seed },
    )
    assert.ok(members > runs, 'hardly any rule had members')
  })

  it('find a Business by each of its texts', async () => {
    for (const operator of ['eq', 'contains', 'starts_with', 'in'])
      for (const text of texts)
        for (const [field, value] of Object.entries({ website_url: text, name: nameOf(text) })) {
          const rule = where(field, operator, operator === 'in' ? [value] : value) as Rule
          assert.ok((await compare(rule)) >= 2, `${field} ${operator} ${JSON.stringify(value)}`)
        }
  })
})

describe('the text of a statement', () => {
  it('has no values and no keys of the rule in it', () => {
    const rules = arbitraryRule({ observationKeys: ['zq7_a', 'zq7_b'] }).map(marked)
    fc.assert(
      fc.property(rules, fc.boolean(), (rule, reads_businesses) => {
        const viewer = { workspace_id: 'zq7', reads_businesses }
        const membership = { viewer, list_id: 'zq7', rule, today: '2177-07-07' }
        const statement = createMemberStatement(membership)
        const parts = Object.values(memberPartsSql(statement, {}))
        const all = [...parts, membersAmongSql(statement, '(select 1 as id)', {})]
        for (const part of all.filter(one => one !== null)) {
          const composed = numberParameters(part)
          assert.doesNotMatch(`${part} ${composed.text}`, /zq7|2177|77077/i)
          const used = new Set(composed.text.match(/\$\d+/g))
          assert.equal(used.size, composed.parameters.length)
          const values = valuesInOrder({ name: '', ...composed }, statement.placeholders.values)
          assert.ok(values.every(value => value !== undefined))
        }
      }),
      { numRuns: 1000, seed },
    )
  })

  it('has only known columns, whatever the field of a rule is called', () => {
    const parts = [
      'name',
      'observations.',
      'a',
      "'",
      '"',
      ';',
      ' ',
      '$1',
      '\\',
      ')',
      '--',
      '\0',
      '.',
      'İ',
      '__proto__',
    ]
    const field = fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map(some => some.join(''))
    const isPlain = /^(name|observations\.[a-z][a-z0-9_]{0,63})$/
    fc.assert(
      fc.property(field, name => {
        const errors = ruleErrors(where(name, 'is_set', null), '')
        assert.equal(errors.length === 0, isPlain.test(name), name)
      }),
      { numRuns: 2000, seed },
    )
  })
})

/** The same rule with a mark in each value. */
function marked(rule: Rule): Rule {
  switch (rule.kind) {
    case 'field':
      return { ...rule, value: markedValue(rule) }
    case 'and':
    case 'or':
      return { ...rule, rules: rule.rules.map(marked) }
    case 'not':
      return { kind: 'not', rule: marked(rule.rule) }
    default:
      return rule
  }
}

function markedValue({ operator, value }: FieldRule): FieldRule['value'] {
  const mark = (one: string | number | boolean) =>
    typeof one === 'number'
      ? 77077
      : typeof one === 'string'
        ? isDay(one)
          ? '2177-07-07'
          : `${one} zq7`
        : one
  if (value === null || operator === 'within_last') return value
  if (Array.isArray(value)) return value.map(mark)
  return typeof value === 'object'
    ? { code: `${value.code}zq7`, vintage: `${value.vintage}zq7` }
    : mark(value)
}

const isDay = (one: string) => /^\d{4}-\d\d-\d\d$/.test(one)

// Names have at most 500 characters and do not fold to nothing, cities have at most 200.
const nameOf = (text: string) => (foldName(text) === '' ? 'Plain' : shortened(text, 500))
const shortened = (text: string, length: number) => Array.from(text).slice(0, length).join('')

/** A Business for each text, with observations of each type, of which each key has values of several types. */
async function addHostileBusinesses({ service, workspace_id, people: { owner } }: ListWorld) {
  const ids = await addBusinesses(
    service,
    texts.map((one, i) => ({
      name: nameOf(one),
      description: one,
      website_url: one,
      public_email: one,
      public_phone: one,
      founded_on: days[i % days.length] as string,
      published_at: `${days[i % days.length] as string}T${i % 2 ? '23:59:59.999Z' : '00:00:00Z'}`,
      locations: [
        {
          country_code: i % 3 ? 'CA' : 'US',
          state: i % 3 ? shortened(one, 200) : 'OH',
          city: shortened(one, 200),
        },
      ],
    })),
  )
  for (const [i, id] of ids.entries()) {
    await service.link(workspace_id, id, owner)
    const values = { note: texts[i], amount: numbers[i % numbers.length], day: days[i % days.length] }
    const [note, amount, day] = i % 4 ? ['note', 'amount', 'day'] : ['amount', 'day', 'note']
    const rows = [
      { key: note, value_type: 'text', value: values.note, text_folded: storedFold(values.note as string) },
      { key: amount, value_type: 'number', value: values.amount },
      { key: day, value_type: 'date', value: values.day },
    ]
    for (const { key, value_type, value, text_folded = null } of rows)
      await service.sql(
        `insert into business_observations (workspace_id, business_id, id, key, value_type, value, text_folded, observed_on,
           source, recorded_by) values ($1, $2, $3, $4, $5, $6, $7, '2026-01-01', 'null', $8)`,
        [workspace_id, id, newId('obs'), key, value_type, JSON.stringify(value), text_folded, owner.user_id],
      )
  }
  return ids
}
