import type { Scope } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import type { Caller, UserCaller } from './caller.ts'
import { standingsIn } from './standing-of-many.ts'
import { requireAllowedAddress, type ApiKeyRow } from './verify-api-key.ts'
import type { GuestStanding, Standing } from './standing.ts'

/** Who asked for a URL that carries its own authority, such as a link to download. */
export interface UrlHolder {
  workspace_id: string
  user_id: string
  /** The API key that asked for it; null for a person. */
  key_id: string | null
}

export const holderOf = (caller: Caller, workspace_id: string): UrlHolder => ({
  workspace_id,
  user_id: caller.user_id,
  key_id: caller.kind === 'key' ? caller.key_id : null,
})

/** A holder as a caller, with what they may do now. */
export interface CurrentHolder {
  caller: UserCaller
  standing: Standing | GuestStanding
}

/** How a URL is used: from where, and for what. */
interface UrlUse {
  /** The network address of the client, which need not be the holder's. */
  address: string
  scope: Scope
  guests?: true
}

/**
 * The standing of a holder now; null if they may not do this any more, or if their API key is no longer valid. A URL is worth
 * no more than its holder could still do, from there: throws forbidden if the key may not be used from the address.
 */
export async function currentHolder(
  reader: Reader,
  { workspace_id, user_id, key_id }: UrlHolder,
  { address, ...asked }: UrlUse,
): Promise<CurrentHolder | null> {
  const caller = personOf(user_id)
  const [standings, key] = await Promise.all([
    standingsIn(reader, [caller], workspace_id, asked),
    key_id === null ? null : reader.one(keyById, { workspace_id, key_id }),
  ])
  const standing = standings.get(caller)
  if (!standing) return null
  if (key_id === null) return { caller, standing }
  if (standing.role === null || !key?.scopes.includes(asked.scope)) return null
  requireAllowedAddress(key, address)
  const permissions = new Set(key.scopes.filter(scope => standing.permissions.has(scope)))
  return { caller, standing: { ...standing, permissions } }
}

/** A person whose id is all that is known. */
const personOf = (user_id: string): UserCaller => ({
  kind: 'user',
  user_id,
  issuer: '',
  subject: '',
  email: null,
  email_verified: false,
  name: null,
  is_anonymous: false,
  client: null,
})

const keyById = read<Pick<ApiKeyRow, 'scopes' | 'allowed_cidrs'>>(
  'url_holder_key',
  `select scopes, allowed_cidrs::text[] as allowed_cidrs from api_keys
   where workspace_id = :workspace_id and id = :key_id and revoked_at is null and (expires_at is null or expires_at > statement_timestamp())`,
)
