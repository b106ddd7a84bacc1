import type { Scope } from '@wbs/contract/scopes'
import type { UserIdentity } from '../../identity/user-identity.ts'

/** A person, by the access token of a configured issuer. */
export interface UserCaller extends Omit<UserIdentity, 'expires_at'> {
  kind: 'user'
}

/** An API key as it was presented: what is needed to judge it again. */
export interface PresentedKey {
  prefix: string
  /** SHA-256 of the whole key. */
  digest: Buffer
  /** The network address that it came from. */
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
  /** The row that it was judged by, as text: the transaction that judged it last keeps the same, as `svc.key`. */
  seal?: string | undefined
}

/** A person who is known: an access token that is not anonymous. */
export type SignedInCaller = UserCaller & { is_anonymous: false }

export type Caller = UserCaller | KeyCaller

/** What an operation knows of its caller, by its audience. */
export interface CallerOf {
  public: null
  anyone: Caller | null
  caller: Caller
  user: UserCaller
  signed_in: SignedInCaller
  workspace: Caller
}

/** Under whose name an Idempotency-Key is kept. */
export const principalOf = (caller: Caller): string =>
  caller.kind === 'key' ? `key:${caller.key_id}` : `user:${caller.user_id}`
