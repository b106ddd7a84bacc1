import type { lifecycleStatuses } from '@wbs/contract/lists/lists'
import { cutSql, type SizedRow } from '../call/page.ts'
import { read, type Reader } from '../database/statement.ts'
import { listColumnsSql, type ListRow } from './list-store.ts'

export interface ListFilter {
  lifecycle_status: (typeof lifecycleStatuses)[number] | null
  /** A pattern of LIKE for the folded name. */
  namePattern: string | null
}

/**
 * The Lists of a Workspace by id, cut off where they are large. A Workspace has at most 10,000, so a filter may examine all of
 * them.
 */
export const listsPage = (
  reader: Reader,
  workspace_id: string,
  { lifecycle_status, namePattern }: ListFilter,
  { after, limit, include_archived }: { after: string; limit: number; include_archived: boolean },
): Promise<(ListRow & SizedRow)[]> =>
  reader.many(page, {
    workspace_id,
    after,
    include_archived,
    lifecycle_status,
    name_pattern: namePattern,
    limit,
  })

const page = read<ListRow & SizedRow>(
  'lists_page',
  `${cutSql(
    `select p.*, octet_length(p.rule::text) + octet_length(p.columns::text) + coalesce(octet_length(p.description), 0) as bytes
     from (
       select ${listColumnsSql} from (
         select * from lists
         where workspace_id = :workspace_id and id > :after
           and (:lifecycle_status::text is null or lifecycle_status = :lifecycle_status)
           and (:name_pattern::text is null or name_folded like :name_pattern)
         order by id limit :limit
       ) l
     ) p`,
    'r.list_id',
  )} order by r.list_id`,
  'long',
)
