import type { FieldRule, Rule, RuleValue } from '../../packages/contract/src/lists/rules.ts'

/** A rule to measure, and the same condition written by hand. */
export interface MeasuredRule {
  name: string
  rule: Rule
  floor: Floor
}

/** The conditions of the floor. */
export interface Floor {
  /** On the row `p` of published_businesses. */
  where?: string
  /** On observations, each by its key. */
  observed?: string
  /** Whether PostgreSQL walks the published Businesses by id, or sorts what it finds in the search index. */
  by?: 'id' | 'index'
  /** Drafts are members too. */
  drafts?: true
}

/** Words that occur as often in the data as their names say. */
export interface Words {
  commonWords: string[]
  rareWord: string
  rareDescription: string
  /** Names of Businesses. */
  names: string[]
}

export function measuredRules({ commonWords, rareWord, rareDescription, names }: Words): MeasuredRule[] {
  const word = commonWords[0] ?? ''
  const like = (text: string) => `p.name_folded like '%${text.replaceAll("'", "''")}%'`
  const wordLeaves = commonWords.map(word => leaf('name', 'contains', word))
  const absent = commonWords.map((_, i) => `qzxv${i}`)
  return [
    {
      name: '1 leaf, common: status',
      rule: leaf('status', 'eq', 'active'),
      floor: { where: `p.status = 'active'`, by: 'id' },
    },
    {
      name: '1 leaf, rare: name contains',
      rule: leaf('name', 'contains', rareWord),
      floor: { where: like(rareWord), by: 'index' },
    },
    {
      name: '1 leaf, none: name contains',
      rule: leaf('name', 'contains', 'qzxv'),
      floor: { where: like('qzxv'), by: 'index' },
    },
    {
      name: '1 leaf: name contains a common word',
      rule: leaf('name', 'contains', word),
      floor: { where: like(word), by: 'id' },
    },
    {
      name: '1 leaf: state is Ohio',
      rule: leaf('state', 'eq', 'OH'),
      floor: {
        where: `(p.terms @> '{state:OH}' or (p.country_code <> 'US' and p.state = 'OH'))`,
        by: 'id',
      },
    },
    {
      name: '1 leaf: city starts with s',
      rule: leaf('city', 'starts_with', 's'),
      floor: { where: `lower(p.city) like 's%'`, by: 'id' },
    },
    {
      name: '1 leaf, none: city starts with',
      rule: leaf('city', 'starts_with', 'zzqx'),
      floor: { where: `lower(p.city) like 'zzqx%'`, by: 'id' },
    },
    {
      name: '1 leaf, rare: description contains',
      rule: leaf('description', 'contains', rareDescription),
      floor: {
        where: `strpos(lower(p.description), '${rareDescription.replaceAll("'", "''")}') > 0`,
        by: 'id',
      },
    },
    {
      name: '1 leaf, none: description contains',
      rule: leaf('description', 'contains', 'qzxv'),
      floor: { where: `strpos(lower(p.description), 'qzxv') > 0`, by: 'id' },
    },
    {
      name: '1 leaf: one of 20 names',
      rule: leaf('name', 'in', names),
      floor: {
        where: `left(p.name_folded, 120) in (${names.map(name => `left('${name.toLowerCase().replaceAll("'", "''")}', 120)`).join(', ')})`,
        by: 'index',
      },
    },
    {
      name: 'not, with drafts: state is none of five',
      rule: { kind: 'not', rule: leaf('state', 'in', ['CA', 'GA', 'MA', 'NY', 'TX']) },
      floor: {
        where: `(p.state is null or p.state not in ('CA', 'GA', 'MA', 'NY', 'TX'))`,
        by: 'id',
        drafts: true,
      },
    },
    {
      name: '5 leaves, common',
      rule: and(
        leaf('status', 'neq', 'inactive'),
        leaf('state', 'not_in', ['CA', 'TX']),
        leaf('city', 'is_set', null),
        leaf('published_at', 'after', '2020-01-01'),
        { kind: 'not', rule: leaf('name', 'contains', 'qzxv') },
      ),
      floor: {
        where: `p.status <> 'inactive' and p.state not in ('CA', 'TX') and p.city is not null and p.published_at >= '2020-01-02'
          and p.name_folded not like '%qzxv%'`,
        by: 'id',
      },
    },
    {
      name: '5 leaves, rare: HVAC in Ohio and Indiana, founded before 2005, active',
      rule: and(
        leaf('naics_code', 'naics', { code: '238220', vintage: '2017' }),
        leaf('state', 'in', ['OH', 'IN']),
        leaf('status', 'eq', 'active'),
        leaf('founded_on', 'before', '2005-01-01'),
        leaf('city', 'is_set', null),
      ),
      floor: {
        where: `p.terms @> '{naics2017:238220,status:active}' and p.terms && '{state:OH,state:IN}' and p.founded_on < '2005-01-01' and p.city is not null`,
        by: 'index',
      },
    },
    {
      name: '5 leaves, none',
      rule: and(
        leaf('naics_code', 'naics', { code: '238220', vintage: '2022' }),
        leaf('state', 'in', ['OH', 'IN']),
        leaf('status', 'eq', 'active'),
        leaf('founded_on', 'before', '1900-01-01'),
        leaf('city', 'eq', 'zzqx'),
      ),
      floor: {
        where: `p.terms @> '{naics2022:238220,status:active,city:zzqx}' and p.terms && '{state:OH,state:IN}' and p.founded_on < '1900-01-01'`,
        by: 'index',
      },
    },
    {
      name: '20 leaves, mixed and common',
      rule: {
        kind: 'or',
        rules: mixedStates.map(state =>
          and(
            leaf('state', 'eq', state),
            leaf('status', 'in', ['active', 'unknown']),
            leaf('founded_on', 'after', '1990-01-01'),
            leaf('city', 'is_set', null),
          ),
        ),
      },
      floor: {
        where: `p.status in ('active', 'unknown') and p.founded_on > '1990-01-01' and p.city is not null
          and p.state in (${mixedStates.map(state => `'${state}'`).join(', ')})`,
        by: 'id',
      },
    },
    {
      name: '20 leaves, common: name contains one of 20 words',
      rule: { kind: 'or', rules: wordLeaves },
      floor: { where: `(${commonWords.map(like).join(' or ')})`, by: 'id' },
    },
    {
      name: '20 leaves, rare: 18 words that a rare name has not, active',
      rule: and(
        leaf('name', 'contains', rareWord),
        leaf('status', 'neq', 'inactive'),
        ...wordLeaves.slice(0, 18).map(rule => ({ kind: 'not' as const, rule })),
      ),
      floor: {
        where: `${like(rareWord)} and p.status <> 'inactive' and ${commonWords
          .slice(0, 18)
          .map(word => `not ${like(word)}`)
          .join(' and ')}`,
        by: 'index',
      },
    },
    {
      name: '20 leaves, none: name contains one of 20 absent words',
      rule: { kind: 'or', rules: absent.map(word => leaf('name', 'contains', word)) },
      floor: { where: `(${absent.map(like).join(' or ')})`, by: 'index' },
    },
    {
      name: '100 leaves, none: description contains one of 100 absent words',
      rule: {
        kind: 'or',
        rules: Array.from({ length: 5 }, (_, i) => ({
          kind: 'or' as const,
          rules: Array.from({ length: 20 }, (__, j) => leaf('description', 'contains', `qzxv${i}${j}`)),
        })),
      },
      floor: { where: `lower(p.description) ~ 'qzxv[0-9]'`, by: 'id' },
    },
    {
      name: '100 leaves, none: name contains one of 100 absent words',
      rule: {
        kind: 'or',
        rules: Array.from({ length: 5 }, (_, i) => ({
          kind: 'or' as const,
          rules: Array.from({ length: 20 }, (__, j) => leaf('name', 'contains', `qzxv${i}${j}`)),
        })),
      },
      floor: { where: `p.name_folded ~ 'qzxv[0-9]'`, by: 'index' },
    },
    {
      name: 'observation, common',
      rule: leaf('observations.family_owned', 'eq', true),
      floor: { observed: `family_owned = 'true'` },
    },
    {
      name: 'observation, rare',
      rule: leaf('observations.advisor', 'eq', 'Seldom Seen'),
      floor: { observed: `advisor = '"Seldom Seen"'` },
    },
    {
      name: 'observation, none',
      rule: leaf('observations.employees', 'gt', 1000),
      floor: { observed: `employees::text::float8 > 1000` },
    },
    {
      name: 'five observations, common',
      rule: { kind: 'or', rules: fiveObservations },
      floor: {
        observed: `(family_owned = 'true' or advisor = '"Advisor 3"' or employees::text::float8 > 400 or stage = '"Won"' or met_on >= '"2025-01-02"')`,
      },
    },
    {
      name: 'active, or an observation',
      rule: {
        kind: 'or',
        rules: [leaf('status', 'eq', 'active'), leaf('observations.family_owned', 'eq', true)],
      },
      floor: { where: `p.status = 'active'`, by: 'id', observed: `family_owned = 'true'` },
    },
  ]
}

const leaf = (field: string, operator: FieldRule['operator'], value: RuleValue): FieldRule => ({
  kind: 'field',
  field,
  operator,
  value,
})

const and = (...rules: Rule[]): Rule => ({ kind: 'and', rules })

const mixedStates = ['CA', 'GA', 'MA', 'NY', 'TX']

const fiveObservations = [
  leaf('observations.family_owned', 'eq', true),
  leaf('observations.advisor', 'eq', 'Advisor 3'),
  leaf('observations.employees', 'gt', 400),
  leaf('observations.stage', 'eq', 'Won'),
  leaf('observations.met_on', 'after', '2025-01-01'),
]
