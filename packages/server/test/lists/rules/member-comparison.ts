import assert from 'node:assert/strict'
import type { Id } from '@wbs/contract/ids'
import type { Rule } from '@wbs/contract/lists/rules'
import { holds } from '../../../src/lists/rules/evaluate-rule.ts'
import type { Reader } from '../../../src/database/statement.ts'
import { readComposed } from '../../../src/database/composed-read.ts'
import { compareMembers } from '../../../src/lists/members/count-store.ts'
import { membersAmong, type MemberRow } from '../../../src/lists/members/member-store.ts'
import { memberWithId } from '../../../src/lists/members/one-member-store.ts'
import { memberPartsSql, unionOfParts } from '../../../src/lists/members/member-parts-sql.ts'
import { createMemberStatement } from '../../../src/lists/members/member-statement.ts'
import type { Membership } from '../../../src/lists/members/membership.ts'
import { expectedMember, type ExpectedMember, type SeenBusiness } from './seen-businesses.ts'

/** A membership, and all Businesses that its viewer sees. */
interface Compared {
  membership: Membership
  seen: readonly SeenBusiness[]
}

/** How many Businesses are asked about one by one for each rule. */
const askedAlone = 12

/** Asserts that all ways find the members that TypeScript finds. Returns how many there are. */
export async function assertSameMembers(
  reader: Reader,
  allIds: readonly string[],
  { membership, seen }: Compared,
): Promise<number> {
  const { list_id, rule, today, viewer } = membership
  const expected = seen
    .map(one => expectedMember(rule, list_id === null ? { ...one, override: null } : one, today))
    .filter(one => one !== null)
  const alone = someOf(allIds)
  const [inParts, among, ...oneByOne] = await Promise.all([
    membersInParts(reader, membership),
    membersAmong(reader, membership, allIds),
    ...alone.map(id => memberWithId(reader, membership, id)),
  ])
  const caller = viewer.reads_businesses ? 'who reads Businesses' : 'who does not read Businesses'
  assertSame(inParts, expected, `the parts, for a caller ${caller}`)
  assertSame(among, expected, `among given ids, for a caller ${caller}`)
  const expectedAlone = expected.filter(({ id }) => alone.includes(id as Id<'biz'>))
  const foundAlone = oneByOne.filter(one => one !== undefined)
  assertSame(foundAlone, expectedAlone, `one by one, for a caller ${caller}`)
  return expected.length
}

let begun = 0

/** Some of the ids, others in each call. */
function someOf(ids: readonly string[]): Id<'biz'>[] {
  begun = (begun + askedAlone) % ids.length
  return ids.slice(begun, begun + askedAlone) as Id<'biz'>[]
}

/** Asserts that the preview of a rule counts what TypeScript counts, against the rule that the List has now. */
export async function assertSamePreview(
  reader: Reader,
  { membership, seen }: Compared,
  now: Rule,
): Promise<void> {
  const { rule: next, today } = membership
  const wanted = { matched: 0, added: 0, removed: 0 }
  for (const { override, ...facts } of seen) {
    const [nextHolds, nowHolds] = [holds(next, facts, today), holds(now, facts, today)]
    if (override === null ? nextHolds : override === 'include') wanted.matched++
    if (override === null && nextHolds && !nowHolds) wanted.added++
    if (override === null && nowHolds && !nextHolds) wanted.removed++
  }
  const { matched, added, removed } = await compareMembers(reader, membership, now)
  assert.deepEqual({ matched: matched.value, added, removed }, wanted)
  assert.equal(matched.status, 'exact')
}

async function membersInParts(reader: Reader, membership: Membership): Promise<MemberRow[]> {
  const statement = createMemberStatement(membership)
  const members = unionOfParts(memberPartsSql(statement, {}))
  return members === null ? [] : readComposed(reader, statement.placeholders, members, 'custom_plan')
}

/** Shows only the members in which both differ, because there are many. */
function assertSame(found: readonly MemberRow[], expected: readonly ExpectedMember[], message: string): void {
  const foundLines = found.map(({ id, source, projection }) => JSON.stringify({ id, source, projection }))
  const expectedLines = expected.map(one => JSON.stringify(one))
  const unexpected = without(foundLines, expectedLines)
  const missing = without(expectedLines, foundLines)
  assert.deepEqual({ unexpected, missing }, { unexpected: [], missing: [] }, message)
  assert.equal(found.length, expected.length, `${message}, each once`)
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return lines.filter(line => !known.has(line))
}
