import { read, type Reader } from '../../database/statement.ts'
import type { MemberViewer } from './membership.ts'
import { isVisibleSql } from './visible-business-sql.ts'

/** Whether a viewer can see all of these Businesses, so that they can be members for them. */
export const canSeeMembers = async (
  reader: Reader,
  viewer: MemberViewer,
  member_ids: readonly string[],
): Promise<boolean> => (await reader.one(hiddenMember, { ...viewer, member_ids })) === undefined

const hiddenMember = read<object>(
  'list_member_hidden',
  `select from unnest(:member_ids::text[]) as given (id)
   where not ${isVisibleSql('given.id')} limit 1`,
)
