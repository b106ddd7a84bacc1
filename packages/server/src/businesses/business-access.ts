import { accessLevels, includes, type AccessLevel } from '@wbs/contract/scopes'
import { requireRevision } from '../call/revision.ts'
import type { Standing } from '../call/authority/standing.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import {
  isLinked,
  lockBusiness,
  lockLink,
  visibilityOf,
  type LinkRow,
  type LinkUse,
  type VisibleBusiness,
  type BusinessVisibility,
} from './business-access-store.ts'
import { changedSince } from './business-facts.ts'

/** How a handler refuses. Each operation declares these two problems. */
interface Refusals {
  not_found(detail: string): Error
  forbidden(detail: string): Error
}

/** A locked Business on which the Workspace has this level, with its facts as they are now. */
export type OpenedBusiness<Level extends AccessLevel> = VisibleBusiness & { readonly level: AtLeast[Level] }

interface AtLeast {
  view: AccessLevel
  edit: 'edit' | 'full_access'
  full_access: 'full_access'
}

/** A change, and its caller's standing. */
export interface CallerOfChange {
  tx: Transaction
  standing: Standing
}

/**
 * Locks a Business for a change. Throws not_found if the Workspace cannot see it, forbidden if its level is too low. It locks
 * nothing of a Business that it refuses.
 */
export async function openBusiness<Level extends AccessLevel>(
  context: CallerOfChange & { refuse: Refusals },
  business_id: string,
  level: Level,
): Promise<OpenedBusiness<Level>> {
  const { refuse } = context
  const { isLocked, business } = await lockAtLevel(context, business_id, level)
  if (!business) throw refuse.not_found(notVisible)
  const { access_level } = business
  if (access_level === null || !includes(access_level, level))
    throw refuse.forbidden(
      access_level === null
        ? 'The Business is not linked to this Workspace, so you can read it but not change it.'
        : `This requires the level ${level} on the Business; the Workspace has ${access_level}.`,
    )
  // The Business may have become visible only after the locking statement, and is then not locked.
  if (!isLocked) throw refuse.not_found(notVisible)
  return { ...business, level: access_level as AtLeast[Level] }
}

const lockAtLevel = ({ tx, standing }: CallerOfChange, business_id: string, level: AccessLevel) =>
  lockBusiness(
    tx,
    standing.workspace_id,
    business_id,
    accessLevels.filter(candidate => includes(candidate, level)),
    standing.seal,
  )

/** What runs before a handler that begins by opening the Business of its path at this level. */
export const beforeBusinessChange = (level: AccessLevel) => ({
  visible: checkBusinessVisible,
  prefetch: ({ business_id }: { business_id: string }, context: CallerOfChange) =>
    lockAtLevel(context, business_id, level),
})

/**
 * Throws revision_conflict, with the fields that changed since, unless the Business has the revision that the caller expects.
 */
export const requireLatest = (
  business: VisibleBusiness,
  expected: number,
  refuse: Parameters<typeof requireRevision>[3],
): void => requireRevision(business, expected, changedSince(business.field_revisions, expected), refuse)

/** Checks before a replay that the Workspace can still see the Business of the path. Throws not_found. */
export async function checkBusinessVisible(
  { business_id }: { business_id: string },
  { tx, standing, refuse }: CallerOfChange & { refuse: Pick<Refusals, 'not_found'> },
): Promise<void> {
  if (!(await canSeeBusiness(tx, standing.workspace_id, business_id))) throw refuse.not_found(notVisible)
}

/** Whether the Workspace can see a Business. */
export async function canSeeBusiness(
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<boolean> {
  const visibility = await visibilityOf(reader, workspace_id, business_id)
  return visibility !== undefined && isVisible(visibility)
}

/** Locks the link of the caller's Workspace to a Business, including a removed one. */
export const lockLinkOfCaller = ({ tx, standing }: CallerOfChange, business_id: string, use: LinkUse) =>
  lockLink(tx, standing.workspace_id, business_id, use, standing.seal)

/** Throws not_found unless the Business is in the list of the Workspace. A published Business that it has not linked is not. */
export function requireLink(link: LinkRow | undefined, refuse: Pick<Refusals, 'not_found'>): void {
  if (!link || link.removed_at !== null) throw refuse.not_found(notLinked)
}

/** Checks before a replay that the Business of the path is still in the list of the Workspace. Throws not_found. */
export async function checkLinked(
  { business_id }: { business_id: string },
  { tx, standing, refuse }: CallerOfChange & { refuse: Pick<Refusals, 'not_found'> },
): Promise<void> {
  if (!(await isLinked(tx, standing.workspace_id, business_id))) throw refuse.not_found(notLinked)
}

/** Whether a Workspace can see a Business: everybody can, or its link shows unpublished ones. */
const isVisible = (visibility: BusinessVisibility): boolean =>
  visibility.is_public || (visibility.access_level !== null && visibility.sees_unpublished === true)

const notVisible = 'There is no such Business, or this Workspace cannot see it.'

/** One message whether the Business does not exist, is hidden, or is published and not linked, so that it reveals nothing. */
export const notLinked = 'There is no such Business in this Workspace.'
