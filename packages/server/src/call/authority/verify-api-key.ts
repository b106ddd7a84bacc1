import type { Scope } from '@wbs/contract/scopes'
import { readUnscoped, type Reader } from '../../database/statement.ts'
import { digestsEqual } from '../../identity/api-key-format.ts'
import { isWithin } from '../../identity/networks.ts'
import type { KeyCaller, PresentedKey } from './caller.ts'
import { forbidden, unauthenticated } from '../problem.ts'

/**
 * Verifies an API key, and gives its owner and scopes. Called when a request arrives, and again by a change that holds
 * the lock which revoking, rotating and narrowing the key wait for. Throws unauthenticated, or forbidden if the key may
 * not be used from its address.
 */
export async function verifyApiKey(reader: Reader, presented: PresentedKey): Promise<KeyCaller> {
  return keyCallerFrom(await reader.one(apiKeyByPrefix, { prefix: presented.prefix }), presented)
}

/** Verifies a key against the row of its prefix. */
export function keyCallerFrom(key: ApiKeyRow | undefined, presented: PresentedKey): KeyCaller {
  // An unknown prefix takes the same path, so that the time taken reveals nothing.
  const valid = key?.secret_digests ?? [Buffer.alloc(32)]
  const matches = valid.some(digest => digestsEqual(presented.digest, digest))
  if (!key || !matches) throw unauthenticated('The API key is not valid.')
  if (key.revoked) throw unauthenticated('The API key was revoked.')
  if (key.expired) throw unauthenticated('The API key has expired.')
  requireAllowedAddress(key, presented.address)
  return {
    kind: 'key',
    presented,
    key_id: key.id,
    key_name: key.name,
    workspace_id: key.workspace_id,
    user_id: key.owner_user_id,
    scopes: key.scopes,
    has_networks: key.allowed_cidrs !== null,
    seal: key.seal,
  }
}

/** Throws forbidden if a key may not be used from an address, be it presented or the key behind a URL. */
export function requireAllowedAddress(
  { allowed_cidrs }: Pick<ApiKeyRow, 'allowed_cidrs'>,
  address: string,
): void {
  if (allowed_cidrs && !isWithin(allowed_cidrs, address))
    throw forbidden('The API key does not allow requests from your IP address.')
}

/** The current state of an API key. */
export interface ApiKeyRow {
  id: string
  workspace_id: string
  owner_user_id: string
  name: string
  /** The current secret's digest and, for a while after a rotation, the previous one's. */
  secret_digests: Buffer[]
  scopes: Scope[]
  allowed_cidrs: string[] | null
  expired: boolean
  revoked: boolean
  seal?: string
}

const apiKeyByPrefix = readUnscoped<ApiKeyRow>(
  'api_key_by_prefix',
  `select id, workspace_id, owner_user_id, name, secret_digests, scopes, allowed_cidrs, expired, revoked,
     set_config('svc.key', concat_ws(' ', id, secret_digests, scopes, allowed_cidrs, expired, revoked), true) as seal
   from find_api_key_by_prefix(:prefix)`,
  'standing',
)
