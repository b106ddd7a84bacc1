import { readComposed } from '../../database/composed-read.ts'
import type { Reader } from '../../database/statement.ts'
import { createMemberStatement } from '../members/member-statement.ts'
import { membersAmongSql } from '../members/members-among-sql.ts'
import type { Membership } from '../members/membership.ts'
import { entriesSql, type EntryContent, type EntryRow } from './entry-sql.ts'

/** A member of a List, if the Business is one now. */
export async function entryOf(
  reader: Reader,
  membership: Membership,
  member_id: string,
  content: EntryContent,
): Promise<EntryRow | undefined> {
  const statement = createMemberStatement(membership)
  const { placeholders } = statement
  const member = membersAmongSql(
    statement,
    `(select ${placeholders.add('member_id', member_id)}::text as id)`,
    {},
  )
  const [row] = await readComposed<EntryRow>(
    reader,
    placeholders,
    entriesSql(member, content, placeholders),
    'custom_plan',
  )
  return row
}
