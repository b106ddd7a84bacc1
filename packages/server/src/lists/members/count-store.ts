import type { Rule } from '@wbs/contract/lists/rules'
import { isCanceled } from '../../database/faults.ts'
import { readComposed } from '../../database/composed-read.ts'
import { readUnscoped, type Reader } from '../../database/statement.ts'
import { memberPartsSql, unionOfParts } from './member-parts-sql.ts'
import { createMemberStatement } from './member-statement.ts'
import type { Membership } from './membership.ts'

export interface MemberCount {
  value: number
  /** `estimated` from a sample of the published Businesses, because counting all took too long. */
  status: 'exact' | 'estimated'
}

/** Counts the members of a List, as its viewer sees them. */
export async function countMembers(reader: Reader, membership: Membership): Promise<MemberCount> {
  try {
    return { value: await countOf(reader, membership, 100), status: 'exact' }
  } catch (error) {
    if (!isCanceled(error)) throw error
    return estimateMembers(reader, membership)
  }
}

async function estimateMembers(reader: Reader, membership: Membership): Promise<MemberCount> {
  const { percent = 100 } = (await reader.one(samplePercent, {})) ?? {}
  return { value: await countOf(reader, membership, percent), status: 'estimated' }
}

/** How many blocks of the published Businesses a sample has at least, if there are as many, and how many percent of them. */
const leastSampled = { blocks: 500, percent: 1 }

// A sample consists of whole blocks, each drawn with the same probability, so that of a small table it could be empty.
const samplePercent = readUnscoped<{ percent: number }>(
  'list_sample_percent',
  `select least(100, greatest(${leastSampled.percent}, ${100 * leastSampled.blocks} /
     greatest(1, (select sum(pg_relation_size(partition)) from published_business_partitions)
       / current_setting('block_size')::integer)::float8)) as percent`,
)

async function countOf(reader: Reader, membership: Membership, percent: number): Promise<number> {
  const statement = createMemberStatement(membership)
  const selection = percent < 100 ? { samplePercent: percent } : {}
  const { published, linked, included } = memberPartsSql(statement, selection)
  const [row] = await readComposed<{ published: number; others: number }>(
    reader,
    statement.placeholders,
    `select ${countSql(published)} as published, ${countSql(linked)} + ${countSql(included)} as others`,
    'custom_plan',
  )
  if (!row) return 0
  return Math.round((row.published * 100) / percent) + row.others
}

const countSql = (part: string | null) =>
  part === null ? '0' : `(select count(*)::integer from (${part}) part)`

/** What a new rule would change. The differences are null if counting them took too long. */
export interface ComparedMembers {
  matched: MemberCount
  added: number | null
  removed: number | null
}

/** Counts the members that a List would have by the rule of the membership, against those that it has by its rule now. */
export async function compareMembers(
  reader: Reader,
  membership: Membership,
  now: Rule,
): Promise<ComparedMembers> {
  try {
    const { matched, added, removed } = await comparisonOf(reader, membership, now)
    return { matched: { value: matched, status: 'exact' }, added, removed }
  } catch (error) {
    if (!isCanceled(error)) throw error
    return { matched: await estimateMembers(reader, membership), added: null, removed: null }
  }
}

interface Comparison {
  matched: number
  added: number
  removed: number
}

/** Evaluates both rules in one pass. A Business that an override includes or excludes is neither added nor removed. */
async function comparisonOf(reader: Reader, membership: Membership, now: Rule): Promise<Comparison> {
  const next = membership.rule
  const either = { ...membership, rule: { kind: 'or' as const, rules: [next, now] } }
  const statement = createMemberStatement(either)
  const members = unionOfParts(memberPartsSql(statement, { compared: { next, now } }))
  if (members === null) return { matched: 0, added: 0, removed: 0 }
  const [row] = await readComposed<Comparison>(
    reader,
    statement.placeholders,
    `select count(*) filter (where m.next_holds or m.is_included)::integer as matched,
       count(*) filter (where m.next_holds and not m.now_holds and not m.is_included)::integer as added,
       count(*) filter (where m.now_holds and not m.next_holds and not m.is_included)::integer as removed
     from (${members}) m`,
    'custom_plan',
  )
  return row ?? { matched: 0, added: 0, removed: 0 }
}
