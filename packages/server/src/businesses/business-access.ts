import { accessLevels, includes, type AccessLevel } from '@wbs/contract/scopes'
import { requireRevision } from '../call/revision.ts'
import type { Standing } from '../call/authority/standing.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import {
  isLinked,
  lockBusiness,
  lockLink,
  sightOf,
  type LinkRow,
  type LinkUse,
  type SeenBusiness,
  type Sight,
} from './business-access-store.ts'
import { changedSince } from './business-facts.ts'

/** How a handler refuses; each operation declares these two among its problems. */
interface Refusals {
  not_found(detail: string): Error
  forbidden(detail: string): Error
}

/** A Business that the caller's Workspace may change at this level: locked, with its facts as they are now. */
export type OpenedBusiness<Level extends AccessLevel> = SeenBusiness & { readonly level: AtLeast[Level] }

interface AtLeast {
  view: AccessLevel
  edit: 'edit' | 'full_access'
  full_access: 'full_access'
}

/** A change, and the standing of whose it is. */
export interface Looking {
  tx: Transaction
  standing: Standing
}

/**
 * Opens a Business for a change. Throws not_found where the Workspace cannot see it, forbidden where its link does not
 * reach the level. It locks nothing of a Business that it refuses.
 */
export async function openBusiness<Level extends AccessLevel>(
  context: Looking & { refuse: Refusals },
  business_id: string,
  level: Level,
): Promise<OpenedBusiness<Level>> {
  const { refuse } = context
  const { isLocked, business } = await lockNamed(context, business_id, level)
  if (!business) throw refuse.not_found(notVisible)
  const { access_level } = business
  if (access_level === null || !includes(access_level, level))
    throw refuse.forbidden(
      access_level === null
        ? 'The Business is not linked to this Workspace, so you can read it but not change it.'
        : `This requires the level ${level} on the Business; the Workspace has ${access_level}.`,
    )
  // The statement that locks did not see it: it was published a moment later.
  if (!isLocked) throw refuse.not_found(notVisible)
  return { ...business, level: access_level as AtLeast[Level] }
}

const lockNamed = ({ tx, standing }: Looking, business_id: string, level: AccessLevel) =>
  lockBusiness(
    tx,
    standing.workspace_id,
    business_id,
    accessLevels.filter(one => includes(one, level)),
    standing.seal,
  )

/** What comes before a change that begins by opening the Business of its path for this level. */
export const ofNamedBusiness = (level: AccessLevel) => ({
  visible: businessVisible,
  prefetch: ({ business_id }: { business_id: string }, context: Looking) =>
    lockNamed(context, business_id, level),
})

/** Throws revision_conflict, with what was missed, unless the Business is as the caller read it. */
export const requireLatest = (
  business: SeenBusiness,
  expected: number,
  refuse: Parameters<typeof requireRevision>[3],
): void => requireRevision(business, expected, changedSince(business.field_revisions, expected), refuse)

/** That the Workspace can see the Business a mutation names, linked or published, before a replay is given out. */
export async function businessVisible(
  { business_id }: { business_id: string },
  { tx, standing, refuse }: Looking & { refuse: Pick<Refusals, 'not_found'> },
): Promise<void> {
  if (!(await isVisibleTo(tx, standing.workspace_id, business_id))) throw refuse.not_found(notVisible)
}

/** Whether the Workspace can see the Business, linked or published. */
export async function isVisibleTo(
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<boolean> {
  const sight = await sightOf(reader, workspace_id, business_id)
  return sight !== undefined && isVisible(sight)
}

/** Locks the link to a Business that a mutation names, a removed one too. */
export const lockNamedLink = ({ tx, standing }: Looking, business_id: string, use: LinkUse) =>
  lockLink(tx, standing.workspace_id, business_id, use, standing.seal)

/** Throws not_found unless the Workspace has the Business: a published one that it has not linked is not among them. */
export function requireLink(link: LinkRow | undefined, refuse: Pick<Refusals, 'not_found'>): void {
  if (!link || link.removed_at !== null) throw refuse.not_found(notLinked)
}

/** The same of the Business that a mutation names, before a replay is given out. */
export async function linkVisible(
  { business_id }: { business_id: string },
  { tx, standing, refuse }: Looking & { refuse: Pick<Refusals, 'not_found'> },
): Promise<void> {
  if (!(await isLinked(tx, standing.workspace_id, business_id))) throw refuse.not_found(notLinked)
}

/** Whether a Workspace can see a Business: everybody can, or the link shows also what is not published. */
const isVisible = (sight: Sight): boolean =>
  sight.is_public || (sight.access_level !== null && sight.sees_unpublished === true)

const notVisible = 'There is no such Business, or this Workspace cannot see it.'

/** The same words whether the Business is not there, hidden, or published and not linked. */
export const notLinked = 'There is no such Business in this Workspace.'
