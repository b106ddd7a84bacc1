import type { Scope } from '@wbs/contract/scopes'
import { memberPermissions, type Authority } from '../../call/authority/permissions.ts'

/** To decide on approvals is every person's own act: no key can, so whoever makes somebody a member need not be able to. */
const personal: Scope = 'approvals:decide'

/**
 * The first permission of `given` that `giver` lacks, or null: nobody gives, and nobody takes away, what they may not do
 * themselves, neither as a role nor by itself. So no key makes an admin, who could make keys.
 */
export function lackingToGrant(giver: ReadonlySet<Scope>, given: Authority): Scope | null {
  return neededToGrant(given).find(scope => !giver.has(scope)) ?? null
}

/** What it takes to give somebody a role, or a permission. */
export const neededToGrant = (given: Authority): Scope[] =>
  [...memberPermissions(given)].filter(scope => scope !== personal)
