import type { Scope } from '@wbs/contract/scopes'
import { memberPermissions, type Authority } from '../../call/authority/permissions.ts'

/** Approvals are decided by people in person and never by a key, so a key that adds members need not have this permission. */
const neverRequired: Scope = 'approvals:decide'

/**
 * The first permission of `given` that `giver` lacks, or null. Nobody can give or take away a permission that they lack,
 * neither with a role nor by itself. Therefore no key can make somebody an admin, who could then create keys.
 */
export function missingToGrant(giver: ReadonlySet<Scope>, given: Authority): Scope | null {
  return requiredToGrant(given).find(scope => !giver.has(scope)) ?? null
}

/** The permissions that it takes to give somebody a role or permissions. */
export const requiredToGrant = (given: Authority): Scope[] =>
  [...memberPermissions(given)].filter(scope => scope !== neverRequired)
