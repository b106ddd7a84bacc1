import {
  businessStatuses,
  naicsVintages,
  publicationStatuses,
  type BusinessField,
} from '@wbs/contract/businesses/businesses'
import { mostLevels, observationPrefix, type FieldRule, type Rule } from '@wbs/contract/lists/rules'
import fc from 'fast-check'
import type { KnownFacts } from '../../../src/lists/rules/evaluate-rule.ts'

// Rules and facts with few different values, so that leaves often match. Rules are valid and normal.

/** A day that the other days are near to: a last day of a month, which some months do not have. */
export const dayOfRules = '2026-03-31'

const texts = [
  'Acme',
  'ACME',
  'acme ',
  'Acme Straße',
  'ACME STRASSE',
  'İzmir',
  'izmir',
  'ﬁrst oﬃce',
  'First  Office',
  'ＡＣＭＥ',
  'Cafe\u0301',
  'café',
  'ΟΔΟΣ',
  'שלום עולם',
  '\u202eemca',
  '100% a_b \\ c',
  '100x aXb',
  '%',
  '_',
  '\\',
  "O'Neil; drop table lists; --",
  '🏭 Works',
  '\u200b\u00ad',
  ' ',
  'a',
  '2026-03-31',
  `${'x'.repeat(900)}y`,
  `${'x'.repeat(900)}z`,
]
const days = [
  '1026-03-31',
  '2021-03-31',
  '2024-02-29',
  '2025-03-31',
  '2026-02-28',
  '2026-03-01',
  '2026-03-30',
  dayOfRules,
  '2026-04-01',
]
const durations = ['P0D', 'P1D', 'P2W', 'P30D', 'P1M', 'P13M', 'P1Y6M', 'P5Y', 'P1Y1M1W1D', 'P1000Y']
const numbers = [0, -1.5, 0.1, 0.30000000000000004, 1, 42, 9007199254740991, 1e21, 5e-324]
const codes = [
  '31',
  '31-33',
  '32',
  '33',
  '311',
  '3118',
  '31181',
  '311811',
  '44-45',
  '445',
  '48-49',
  '492',
  '23',
  '238220',
]
const ids = ['01arz3ndektsv4rrffq69g5fav', '01bx5zzkbkactav9wevgemmvrz'].map(one => one.toUpperCase())

/** Values of the fields that have more to them than text. */
const valuesOfFields: Partial<Record<BusinessField, readonly string[]>> = {
  id: ids.map(id => `biz_${id}`),
  primary_classification_id: ids.map(id => `cls_${id}`),
  primary_location_id: ids.map(id => `loc_${id}`),
  status: businessStatuses,
  publication_status: publicationStatuses,
  naics_code: codes,
  naics_vintage: naicsVintages,
  // Titles have no other characters beyond ASCII than apostrophes.
  naics_title: [
    'Retail Bakeries',
    'RETAIL  BAKERIES',
    'Men’s Clothing Stores',
    "Men's Clothing Stores",
    'Bakeries 100%',
  ],
  state: ['OH', 'oh', 'TX', 'ＯＨ', 'Ontario', 'ﬁ', 'FI'],
  city: ['Akron', 'AKRON ', 'Groß', 'GROSS', '100%_\\'],
  country_code: ['US', 'us', 'CA'],
  website_url: ['https://a.example', 'https://a.example/%5F_', 'HTTPS://A.example'],
  public_email: ['a@b.example', 'A@b.example'],
  public_phone: ['+12025550100', '+12025550101'],
}
const textFields: readonly BusinessField[] = [
  ...(Object.keys(valuesOfFields) as BusinessField[]),
  'name',
  'description',
]
const dateFields: readonly BusinessField[] = ['founded_on', 'closed_on', 'published_at']

const valuesOf = (field: BusinessField | null) => (field && valuesOfFields[field]) ?? texts
const among = <T>(values: readonly T[]) => fc.constantFrom(...values)
// Objects as JSON has them: rules without a prototype would not be equal to those that were stored.
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true })
const severalOf = <T>(values: readonly T[]) => fc.array(among(values), { minLength: 1, maxLength: 4 })
const rangeOf = <T extends string | number>(values: readonly T[]) =>
  fc.tuple(among(values), among(values)).map(([a, b]) => (a <= b ? [a, b] : [b, a]))

/** A leaf without its field. */
type Comparison = Pick<FieldRule, 'operator' | 'value'>
const comparison = (operators: readonly FieldRule['operator'][], value: fc.Arbitrary<FieldRule['value']>) =>
  record({ operator: among(operators), value }) satisfies fc.Arbitrary<Comparison>

const ofPresence = comparison(['is_set', 'is_not_set'], fc.constant(null))
const ofDates = fc.oneof(
  comparison(['eq', 'before', 'after'], among(days)),
  comparison(['between'], rangeOf(days)),
  comparison(['within_last'], among(durations)),
)
const ofNumbers = fc.oneof(
  comparison(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'], among(numbers)),
  comparison(['between'], rangeOf(numbers)),
)
const ofNaics = comparison(['naics'], record({ code: among(codes), vintage: among(naicsVintages) }))

/** Parts of values as well as values, unless a rule takes only known values. */
function ofTexts(values: readonly string[]) {
  const part = fc.tuple(among(values), fc.nat({ max: 4 }), fc.nat({ max: 8 })).map(
    ([text, from, to]) =>
      Array.from(text)
        .slice(from, from + 1 + to)
        .join('') || text,
  )
  return fc.oneof(
    comparison(['eq', 'neq'], among(values)),
    comparison(['in', 'not_in'], severalOf(values)),
    comparison(['contains', 'starts_with'], fc.oneof(among(values), part)),
  )
}

const leafOf = (field: string, compared: fc.Arbitrary<Comparison>): fc.Arbitrary<Rule> =>
  compared.map(one => ({ kind: 'field', field, ...one }))

function leaf(keys: readonly string[]): fc.Arbitrary<Rule> {
  const ofText = among(textFields).chain(field => leafOf(field, ofTexts(valuesOf(field))))
  const ofDate = among(dateFields).chain(field => leafOf(field, ofDates))
  const presence = among([...textFields, ...dateFields]).chain(field => leafOf(field, ofPresence))
  const ofAny = fc.oneof(ofTexts(texts), ofDates, ofNumbers, comparison(['eq'], fc.boolean()), ofPresence)
  const observed = keys.map(key => leafOf(`${observationPrefix}${key}`, ofAny))
  return fc.oneof(
    { weight: 4, arbitrary: ofText },
    { weight: 2, arbitrary: ofDate },
    { weight: 2, arbitrary: leafOf('naics_code', ofNaics) },
    { weight: 1, arbitrary: presence },
    ...(observed.length > 0 ? [{ weight: 4, arbitrary: fc.oneof(...observed) }] : []),
    { weight: 1, arbitrary: fc.constantFrom<Rule[]>({ kind: 'all' }, { kind: 'none' }) },
  )
}

/** A valid, normal rule of at most five levels, whose leaves compare fields of Businesses and observations of these keys. */
export function arbitraryRule({
  observationKeys,
}: {
  observationKeys: readonly string[]
}): fc.Arbitrary<Rule> {
  const leaves = leaf(observationKeys)
  let rules = leaves
  // At most 3 branches on 4 levels are 81 leaves.
  for (let level = 1; level < mostLevels; level++) {
    const inner = rules
    const branches = record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      rules: fc.array(inner, { minLength: 1, maxLength: 3 }),
    })
    rules = fc.oneof(
      { weight: 2, arbitrary: leaves },
      { weight: 2, arbitrary: branches },
      { weight: 1, arbitrary: inner.map(rule => ({ kind: 'not' as const, rule })) },
    )
  }
  return rules
}

/** The keys of the observations of `arbitraryFacts`. */
export const observedKeys = ['headcount', 'owner', 'checked', 'visited_on']

const observation = fc.oneof(
  among(texts).map(value => ({ value_type: 'text', value })),
  among(numbers).map(value => ({ value_type: 'number', value })),
  fc.boolean().map(value => ({ value_type: 'boolean', value })),
  among(days).map(value => ({ value_type: 'date', value })),
)

const maybe = <T>(values: readonly T[]) => fc.option(among(values), { freq: 4 })
const text = (field: BusinessField) => among(valuesOf(field))
const maybeText = (field: BusinessField) => maybe(valuesOf(field))
const momentsOfDay = ['00:00:00.000Z', '12:34:56.789Z', '23:59:59.999Z']

/** A row of the published projection that the database can store, except that ids repeat. */
const published = record({
  id: text('id'),
  // The name of a Business has at most 500 characters, and does not fold to nothing.
  name: among(texts.filter(name => name.length <= 500 && /[\p{L}\p{N}%_\\]/u.test(name))),
  publication_status: fc.constant('published'),
  status: text('status'),
  closed_on: maybe(days),
  description: maybe(texts),
  founded_on: maybe(days),
  primary_classification_id: maybeText('primary_classification_id'),
  primary_location_id: maybeText('primary_location_id'),
  published_at: fc.tuple(among(days), among(momentsOfDay)).map(([day, time]) => `${day}T${time}`),
  public_email: maybeText('public_email'),
  public_phone: maybeText('public_phone'),
  website_url: maybeText('website_url'),
  place: fc.oneof(
    // A state of the U.S. is one of the known codes.
    record({ country_code: fc.constant('US'), state: maybe(['OH', 'TX']) }),
    record({ country_code: among(['CA', 'FI']), state: maybeText('state') }),
  ),
  city: maybeText('city'),
  naics_code: text('naics_code'),
  naics_vintage: text('naics_vintage'),
  naics_title: text('naics_title'),
  isClassified: fc.boolean(),
}).map(({ isClassified, place, ...row }) => ({
  ...row,
  ...place,
  // The code, its vintage and its title are known together or not at all.
  ...(!isClassified && { naics_code: null, naics_vintage: null, naics_title: null }),
}))

/** What is known of a Business: of one in five, nothing that is public. */
export const arbitraryFacts: fc.Arbitrary<KnownFacts> = record({
  published: fc.option(published, { freq: 5 }),
  observations: fc
    .uniqueArray(fc.tuple(among(observedKeys), observation), { selector: ([key]) => key, maxLength: 4 })
    .map(entries => new Map(entries)),
})
