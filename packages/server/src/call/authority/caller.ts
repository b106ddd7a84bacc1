import type { Scope } from '@wbs/contract/scopes'
import type { UserIdentity } from '../../identity/user-identity.ts'
import type { Actor } from '@wbs/contract/events'
import { clientId } from '../../identity/user-id.ts'

/** A person, identified by an access token of a configured issuer. */
export interface UserCaller extends Omit<UserIdentity, 'expires_at'> {
  kind: 'user'
}

/** An API key as it was presented, with what is needed to verify it again. */
export interface PresentedKey {
  prefix: string
  /** SHA-256 of the whole key. */
  digest: Buffer
  /** The network address of the client. */
  address: string
}

/** A Workspace API key. It acts for its owner, within its scopes, in its one Workspace. */
export interface KeyCaller {
  kind: 'key'
  presented: PresentedKey
  key_id: string
  key_name: string
  workspace_id: string
  user_id: string
  scopes: readonly Scope[]
  /** Whether it may be used from some networks only. */
  has_networks: boolean
  /**
   * The key's row as text, by which it was verified. The transaction that verified it last keeps the same text in
   * `svc.key`.
   */
  seal?: string | undefined
}

/** A signed-in person: an access token that is not anonymous. */
export type SignedInCaller = UserCaller & { is_anonymous: false }

export type Caller = UserCaller | KeyCaller

/** The type of caller that a handler gets, by the audience of its operation. */
export interface CallerOf {
  public: null
  anyone: Caller | null
  caller: Caller
  user: UserCaller
  signed_in: SignedInCaller
  workspace: Caller
}

/** The owner of an Idempotency-Key: the API key or the user. */
export const principalOf = (caller: Caller): string =>
  caller.kind === 'key' ? `key:${caller.key_id}` : `user:${caller.user_id}`

/** The actor, as receipts and events name it. */
export function actorOf(caller: Caller): Actor {
  if (caller.kind === 'key') {
    const via = { kind: 'api_key', name: caller.key_name, client_id: caller.key_id } as const
    return { type: 'person', user_id: caller.user_id, name: null, via }
  }
  const { user_id, name, issuer, client } = caller
  const via =
    client &&
    ({ kind: 'app', name: client.name ?? client.id, client_id: clientId(issuer, client.id) } as const)
  return { type: 'person', user_id, name, via }
}
