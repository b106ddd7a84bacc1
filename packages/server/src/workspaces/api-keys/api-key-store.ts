import { randomUUIDv7 } from 'node:crypto'
import type { Scope } from '@wbs/contract/scopes'
import { read, updateRevision, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

export type ApiKeyStatus = 'active' | 'revoked' | 'expired'

/** An API key without its secret. */
export interface ApiKeyRow {
  key_id: string
  workspace_id: string
  owner_user_id: string
  owner_name: string | null
  name: string
  prefix: string
  last4: string
  scopes: Scope[]
  status: ApiKeyStatus
  allowed_cidrs: string[] | null
  expires_at: string | null
  previous_secret_until: string | null
  last_used_at: string | null
  revision: number
  created_at: string
  updated_at: string
}

/** What the service stores of a new key instead of the secret. */
interface StoredSecret {
  prefix: string
  last4: string
  /** SHA-256 of the full key. */
  digest: Buffer
}

export interface NewApiKey extends StoredSecret {
  workspace_id: string
  owner_user_id: string
  name: string
  owner_name?: string | null
  scopes: Scope[]
  expires_at?: string | null
  allowed_cidrs?: string[] | null
}

/** Inserts an API key. */
export function insertApiKey(
  tx: Transaction,
  { digest, owner_name = null, expires_at = null, allowed_cidrs = null, ...key }: NewApiKey,
  now: Date,
): ApiKeyRow {
  const key_id = randomUUIDv7()
  tx.save(apiKeyInsert, { ...key, key_id, digest, expires_at, allowed_cidrs, now })
  const [created_at, updated_at] = [now.toISOString(), now.toISOString()]
  const unused = { status: 'active', previous_secret_until: null, last_used_at: null } as const
  return {
    ...key,
    ...unused,
    key_id,
    owner_name,
    expires_at,
    allowed_cidrs,
    revision: 1,
    created_at,
    updated_at,
  }
}

export const apiKeyById = (reader: Reader, workspace_id: string, id: string) =>
  reader.one(apiKeyByIdStatement, { workspace_id, key_id: id })

/** A page of keys by id: those of one status, or all. */
export const apiKeysPage = (
  reader: Reader,
  workspace_id: string,
  page: { status: ApiKeyStatus | undefined; after: string | undefined; limit: number },
) => reader.many(apiKeysOfWorkspace, { ...page, workspace_id })

/** Locks a key for a change of it: waits until the changes that it is making have ended, and keeps it from making others. */
export async function lockApiKey(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [, [locked]] = await Promise.all([
    tx.run(apiKeyLock, { workspace_id, key_id: id }),
    tx.run(apiKeyLocked, { workspace_id, key_id: id }),
  ])
  return locked
}

/** How many active keys a Workspace has, and the name of the owner of a new one. Call it under the team lock. */
export async function readForNewApiKey(tx: Transaction, workspace_id: string, owner_user_id: string) {
  return (await tx.one(forNewApiKey, { workspace_id, owner_user_id })) as ForNewApiKey
}

/** Saves the settings of a locked key as a new revision. */
export function saveApiKey(tx: Transaction, key: ApiKeyRow, now: Date): ApiKeyRow {
  tx.save(apiKeySave, { ...key, now })
  return revised(key, now)
}

/** Replaces the secret. The previous one stays valid until a time of the database's clock, or not at all. */
export function replaceSecret(
  tx: Transaction,
  key: ApiKeyRow,
  { last4, digest }: Omit<StoredSecret, 'prefix'>,
  previous_secret_until: string | null,
  now: Date,
): ApiKeyRow {
  tx.save(apiKeyRotate, { ...key, last4, digest, previous_secret_until, now })
  return revised({ ...key, last4, previous_secret_until }, now)
}

export function revokeApiKeyById(tx: Transaction, key: ApiKeyRow, now: Date): ApiKeyRow {
  tx.save(apiKeyRevoke, { ...key, now })
  return revised({ ...key, status: 'revoked', previous_secret_until: null }, now)
}

const revised = (key: ApiKeyRow, now: Date): ApiKeyRow => ({
  ...key,
  revision: key.revision + 1,
  updated_at: now.toISOString(),
})

/** What an event says of a key that ends with its owner's membership. */
export type KeyOfMember = Pick<ApiKeyRow, 'key_id' | 'name'>

/** Locks the keys of a member that are not revoked. */
export const lockApiKeysOfMember = (tx: Transaction, workspace_id: string, membership_id: string) =>
  tx.run(apiKeysOfMemberLocked, { workspace_id, membership_id })

/** Revokes all keys of a person. */
export const revokeApiKeysOf = (tx: Transaction, workspace_id: string, owner_user_id: string) =>
  tx.save(apiKeysRevokeByOwner, { workspace_id, owner_user_id })

/** Revokes the keys with a name. */
export const revokeApiKeysNamed = (tx: Transaction, workspace_id: string, name: string) =>
  tx.run(apiKeysRevokeByName, { workspace_id, name })

/** Whether a key is active now. */
export async function isLiveApiKey(reader: Reader, workspace_id: string, id: string): Promise<boolean> {
  return (await apiKeyById(reader, workspace_id, id))?.status === 'active'
}

const statusSql = `case when k.revoked_at is not null then 'revoked' when k.expires_at <= statement_timestamp() then 'expired' else 'active' end`

const columns = `k.id as key_id, k.workspace_id, k.owner_user_id, u.name as owner_name, k.name, k.prefix, k.last4, k.scopes,
  ${statusSql} as status, k.allowed_cidrs::text[] as allowed_cidrs, k.expires_at,
  case when k.previous_secret_until > statement_timestamp() and k.revoked_at is null then k.previous_secret_until end as previous_secret_until,
  s.last_used_at, k.revision, k.created_at, k.updated_at`

const tables = `api_keys k join users u on u.id = k.owner_user_id
   left join api_key_uses s on s.workspace_id = k.workspace_id and s.key_id = k.id`

const apiKeyInsert = write(
  'api_key_insert',
  `insert into api_keys (workspace_id, id, owner_user_id, name, prefix, last4, secret_digest, scopes, expires_at, allowed_cidrs,
     created_at, updated_at)
   values (:workspace_id, :key_id, :owner_user_id, :name, :prefix, :last4, :digest, :scopes, :expires_at,
     :allowed_cidrs::text[]::cidr[], :now, :now)`,
)

const byIdSql = `select ${columns} from ${tables} where k.workspace_id = :workspace_id and k.id = :key_id`

const apiKeyByIdStatement = read<ApiKeyRow>('api_key_by_id', byIdSql)

const apiKeysOfWorkspace = read<ApiKeyRow>(
  'api_keys_page',
  `select ${columns} from ${tables}
   where k.workspace_id = :workspace_id and (:status::text is null or ${statusSql} = :status)
     and (:after::uuid is null or k.id > :after)
   order by k.id limit :limit`,
  'long',
)

const apiKeyLock = write(
  'api_key_lock',
  `select pg_advisory_xact_lock(lock_number('api_key', workspace_id, id::text)) from api_keys
   where workspace_id = :workspace_id and id = :key_id`,
)

const apiKeyLocked = write<ApiKeyRow>('api_key_locked', `${byIdSql} for update of k`)

const apiKeysOfMemberLocked = write<KeyOfMember>(
  'api_keys_of_member_locked',
  `select k.id as key_id, k.name
   from memberships m join api_keys k on k.workspace_id = m.workspace_id and k.owner_user_id = m.user_id
   where m.workspace_id = :workspace_id and m.id = :membership_id and m.status = 'active' and k.revoked_at is null
   order by k.id for update of k`,
)

interface ForNewApiKey {
  active_keys: number
  owner_name: string | null
}

const forNewApiKey = read<ForNewApiKey>(
  'api_key_for_new',
  `select
     (select count(*)::integer from api_keys k where k.workspace_id = :workspace_id and ${statusSql} = 'active') as active_keys,
     (select name from users where id = :owner_user_id) as owner_name`,
)

const apiKeySave = updateRevision(
  'api_key_save',
  `update api_keys
   set name = :name, scopes = :scopes, expires_at = :expires_at, allowed_cidrs = :allowed_cidrs::text[]::cidr[],
     revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :key_id and revision = :revision`,
)

const apiKeyRotate = updateRevision(
  'api_key_rotate',
  `update api_keys
   set previous_digest = case when :previous_secret_until::timestamptz is not null then secret_digest end,
       previous_secret_until = :previous_secret_until,
       last4 = :last4, secret_digest = :digest, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :key_id and revision = :revision`,
)

const apiKeyRevoke = updateRevision(
  'api_key_revoke',
  `update api_keys set revoked_at = :now, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :key_id and revision = :revision`,
)

const apiKeysRevokeByOwner = write(
  'api_keys_revoke_by_owner',
  `update api_keys set revoked_at = now(), revision = revision + 1, updated_at = now()
   where workspace_id = :workspace_id and owner_user_id = :owner_user_id and revoked_at is null`,
)

const apiKeysRevokeByName = write(
  'api_keys_revoke_by_name',
  `update api_keys set revoked_at = now(), revision = revision + 1
   where workspace_id = :workspace_id and name = :name and revoked_at is null`,
)
