import { includes, type AccessLevel } from '@wbs/contract/scopes'
import { requireRevision } from '../call/revision.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import { lockFacts, lockLink, sightOf, type LockedFacts, type Sight } from './business-access-store.ts'
import { changedSince } from './business-facts.ts'

/** How a handler refuses; each operation declares these two among its problems. */
interface Refusals {
  not_found(detail: string): Error
  forbidden(detail: string): Error
}

/** A Business that the caller's Workspace may change at this level: locked, with its facts as they are now. */
export type OpenedBusiness<Level extends AccessLevel> = LockedFacts & { readonly level: AtLeast[Level] }

interface AtLeast {
  view: AccessLevel
  edit: 'edit' | 'full_access'
  full_access: 'full_access'
}

/**
 * Opens a Business for a change. Throws not_found where the Workspace cannot see it, forbidden where its link does not
 * reach the level. It locks nothing of a Business that it refuses: how long that takes would tell of others' work.
 */
export async function openBusiness<Level extends AccessLevel>(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  level: Level,
  refuse: Refusals,
): Promise<OpenedBusiness<Level>> {
  const [, sight] = await Promise.all([
    lockLink(tx, workspace_id, business_id, 'keep'),
    sightOf(tx, workspace_id, business_id),
  ])
  if (!sight || !isVisible(sight)) throw refuse.not_found(notVisible)
  if (sight.access_level === null || !includes(sight.access_level, level))
    throw refuse.forbidden(
      sight.access_level === null
        ? 'The Business is not one of this Workspace; whoever may read it may not change it.'
        : `This needs the level ${level} on the Business; the Workspace has ${sight.access_level}.`,
    )
  const facts = await lockFacts(tx, business_id)
  return { ...facts, level: sight.access_level as AtLeast[Level] }
}

/** Throws revision_conflict, with what was missed, unless the Business is as the caller read it. */
export const requireLatest = (
  business: LockedFacts,
  expected: number,
  refuse: Parameters<typeof requireRevision>[3],
): void => requireRevision(business, expected, changedSince(business.field_revisions, expected), refuse)

/** Throws not_found unless the Workspace can see the Business, linked or published. */
export async function requireVisible(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  refuse: Pick<Refusals, 'not_found'>,
): Promise<void> {
  if (!(await isVisibleTo(tx, workspace_id, business_id))) throw refuse.not_found(notVisible)
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

/** The same of one that the Workspace has: a published one that it has not linked is not among them. */
export async function requireLinked(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  refuse: Pick<Refusals, 'not_found'>,
): Promise<void> {
  const link = await lockLink(tx, workspace_id, business_id, 'keep')
  if (!link || link.removed_at !== null) throw refuse.not_found(notLinked)
}

/** Whether a Workspace can see a Business: everybody can, or the link shows also what is not published. */
const isVisible = (sight: Sight): boolean =>
  sight.is_public || (sight.access_level !== null && sight.sees_unpublished === true)

const notVisible = 'There is no such Business, or this Workspace cannot see it.'

/** The same words whether the Business is not there, hidden, or published and not linked. */
export const notLinked = 'There is no such Business among those of this Workspace.'
