import { read, type Reader } from '../../database/statement.ts'
import type { MemberViewer } from './membership.ts'
import { isVisibleSql } from './visible-business-sql.ts'

/** Whether a viewer can see all of these Businesses, so that they can be members for them. */
export const canSeeMembers = async (
  reader: Reader,
  { workspace_id, reads_businesses }: MemberViewer,
  ids: readonly string[],
): Promise<boolean> => (await reader.one(hiddenMember, [workspace_id, ids, reads_businesses])) === undefined

const hiddenMember = read<object>(
  'list_member_hidden',
  `select from unnest($2::text[]) as given (id)
   where not ${isVisibleSql('given.id', { workspace_id: '$1', reads_businesses: '$3::boolean' })} limit 1`,
)
