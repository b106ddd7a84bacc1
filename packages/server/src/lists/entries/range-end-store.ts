import { read, type Reader } from '../../database/statement.ts'
import { memberPartsSql } from '../members/member-parts-sql.ts'
import { createMemberStatement } from '../members/member-statement.ts'
import { isVisibleSql } from '../members/visible-business-sql.ts'
import { fieldRules } from '../rules/leaves.ts'
import { divideFilter } from './filter-sql.ts'
import type { FilteredMembers } from './filtered-members.ts'

/** How many rows of each kind a page examines at most in a range of ids. */
const mostExamined = { published: 20_000, linked: 4_000, values: 10_000 }

/** With more leaves, a page examines fewer Businesses, because each leaf takes its time. */
const leavesInTime = 2

/**
 * The last id of a range after an id that is short enough to be examined; null if all that follow are few enough. It counts
 * the rows that the statement of the page starts from. The id becomes a cursor, so it is that of a Business that the viewer
 * can see.
 */
export async function endOfRange(
  reader: Reader,
  { membership, filter, source }: FilteredMembers,
  after: string,
): Promise<string | null> {
  const { start } = divideFilter(filter)
  const { viewer, list_id, rule } = membership
  const examined = memberPartsSql(createMemberStatement(membership), { source })
  const row = start
    ? await reader.one(valuesEnd, { ...viewer, list_id, column_id: start.column_id, after })
    : await reader.one(businessesEnd, {
        workspace_id: viewer.workspace_id,
        after,
        reads_linked: examined.linked !== null,
        reads_published: examined.published !== null,
        most_published: Math.ceil(
          mostExamined.published / Math.max(1, fieldRules(rule).length / leavesInTime),
        ),
      })
  return row?.last_id ?? null
}

// A link that sees_unpublished counts whatever the status of the Business, unlike in visible-business-sql.ts, so that its row
// need not be read: the Workspace knows the id of what it has linked.
const businessesEnd = read<{ last_id: string | null }>(
  'list_range_end',
  `select least(
     (select id from published_businesses where :reads_published::boolean and id > :after
      order by id offset :most_published::integer - 1 limit 1),
     (select w.business_id from workspace_businesses w
      where w.workspace_id = :workspace_id and :reads_linked::boolean and w.business_id > :after and w.removed_at is null
        and (w.sees_unpublished or exists (select from published_businesses p where p.id = w.business_id))
      order by w.business_id offset ${mostExamined.linked - 1} limit 1)
   ) as last_id`,
  'long',
)

const valuesEnd = read<{ last_id: string | null }>(
  'list_range_end_of_values',
  `select v.member_id as last_id from list_values v
   where v.workspace_id = :workspace_id and v.list_id = :list_id and v.column_id = :column_id and v.member_id > :after
     and ${isVisibleSql('v.member_id')}
   order by v.member_id offset ${mostExamined.values - 1} limit 1`,
  'long',
)
