import type { Refuse } from '../../call/problem.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { CallerOfChange } from '../list-access.ts'
import type { ListRow } from '../list-store.ts'
import { canSeeMembers } from './member-visibility-store.ts'
import type { Membership, MemberViewer } from './membership.ts'

/** The refusal for a Business that is no member, or whose membership the caller cannot see. */
export const noSuchMember = (refuse: Refuse<'not_found'>) => refuse.not_found(memberExpected)

export const memberExpected = 'There is no such member of the List.'

/** The caller as the viewer of members. */
export const memberViewerOf = ({ workspace_id, permissions }: Standing): MemberViewer => ({
  workspace_id,
  reads_businesses: permissions.has('businesses:read'),
})

/** One message whether the Business does not exist or is hidden, so that it reveals nothing. */
export const noSuchBusiness = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such Business, or you cannot see it.')

/** Throws not_found unless the caller can see these Businesses. */
export async function requireVisibleMembers(
  { tx, standing, refuse }: CallerOfChange & { refuse: Refuse<'not_found'> },
  ids: readonly string[],
): Promise<void> {
  if (!(await canSeeMembers(tx, memberViewerOf(standing), ids))) throw noSuchBusiness(refuse)
}

/** The members of a List as a caller sees them at a moment. */
export const membershipOf = (
  { list_id, rule }: Pick<ListRow, 'rule'> & { list_id: string | null },
  standing: Standing,
  now: Date,
): Membership => ({
  viewer: memberViewerOf(standing),
  list_id,
  rule,
  today: now.toISOString().slice(0, 10),
})
