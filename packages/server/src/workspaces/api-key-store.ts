import { randomUUIDv7 } from 'node:crypto'
import type { Scope } from '@wbs/contract/scopes'
import { lockAlone } from '../database/locks.ts'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'

export type ApiKeyStatus = 'active' | 'revoked' | 'expired'

/** An API key as it is kept: nothing of its secret. */
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

/** What of a minted key is kept: never the key itself. */
interface Kept {
  prefix: string
  last4: string
  /** SHA-256 of the whole key. */
  digest: Buffer
}

export interface NewApiKey extends Kept {
  workspace_id: string
  owner_user_id: string
  name: string
  scopes: readonly Scope[]
  expires_at?: string | null
  allowed_cidrs?: readonly string[] | null
}

/** Keeps a new API key, and gives its id. */
export function insertApiKey(tx: Transaction, key: NewApiKey): string {
  const id = randomUUIDv7()
  tx.save(apiKeyInsert, [
    key.workspace_id,
    id,
    key.owner_user_id,
    key.name,
    key.prefix,
    key.last4,
    key.digest,
    key.scopes,
    key.expires_at ?? null,
    key.allowed_cidrs ?? null,
  ])
  return id
}

export const apiKeyById = (reader: Reader, workspace_id: string, id: string) =>
  reader.one(apiKeyByIdStatement, [workspace_id, id])

/** A page of keys by id; of one status, perhaps. */
export const apiKeysPage = (
  reader: Reader,
  workspace_id: string,
  page: { status: ApiKeyStatus | undefined; after: string | undefined; limit: number },
) => reader.many(apiKeysOfWorkspace, [workspace_id, page.status, page.after, page.limit])

/** A key that is to be changed: every change that it makes ends before, and none begins until this one has ended. */
export async function lockApiKey(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  if (!(await apiKeyById(tx, workspace_id, id))) return undefined
  const [, , locked] = await Promise.all([
    lockAlone(tx, workspace_id, [['api_key', id]]),
    tx.run(apiKeyLock, [workspace_id, id]),
    apiKeyById(tx, workspace_id, id),
  ])
  return locked
}

/** How many keys of a Workspace hold. To be asked under the lock of the team. */
export async function countLiveApiKeys(tx: Transaction, workspace_id: string): Promise<number> {
  return (await tx.one(liveApiKeys, [workspace_id]))?.count ?? 0
}

/** Saves what can be changed of a key that was locked, as a new revision. */
export async function saveApiKey(tx: Transaction, key: ApiKeyRow, now: Date): Promise<ApiKeyRow> {
  const { workspace_id, key_id, name, scopes, expires_at, allowed_cidrs } = key
  tx.save(apiKeySave, [workspace_id, key_id, name, scopes, expires_at, allowed_cidrs, now])
  return (await apiKeyById(tx, workspace_id, key_id)) as ApiKeyRow
}

/** Puts a new secret in the place of the present one, which holds for some seconds more. */
export async function replaceSecret(
  tx: Transaction,
  { workspace_id, key_id }: ApiKeyRow,
  secret: Omit<Kept, 'prefix'>,
  overlapSeconds: number,
  now: Date,
): Promise<ApiKeyRow> {
  const { last4, digest } = secret
  tx.save(apiKeyRotate, [workspace_id, key_id, last4, digest, overlapSeconds, now])
  return (await apiKeyById(tx, workspace_id, key_id)) as ApiKeyRow
}

export async function revokeApiKeyById(
  tx: Transaction,
  { workspace_id, key_id }: ApiKeyRow,
  now: Date,
): Promise<ApiKeyRow> {
  tx.save(apiKeyRevoke, [workspace_id, key_id, now])
  return (await apiKeyById(tx, workspace_id, key_id)) as ApiKeyRow
}

/** Revokes all keys that act for a person; gives those that were not revoked before. */
export const revokeApiKeysOf = (tx: Transaction, workspace_id: string, owner_user_id: string) =>
  tx.run(apiKeysRevokeByOwner, [workspace_id, owner_user_id])

/** Revokes the live keys of a name. */
export const revokeApiKeysNamed = (tx: Transaction, workspace_id: string, name: string) =>
  tx.run(apiKeysRevokeByName, [workspace_id, name])

/** Whether a key could be used now. */
export async function isLiveApiKey(reader: Reader, workspace_id: string, id: string): Promise<boolean> {
  return (await apiKeyById(reader, workspace_id, id))?.status === 'active'
}

const status = `case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end`

const columns = `k.id as key_id, k.workspace_id, k.owner_user_id, u.name as owner_name, k.name, k.prefix, k.last4, k.scopes,
  ${status} as status, k.allowed_cidrs::text[] as allowed_cidrs, k.expires_at,
  case when k.previous_secret_until > now() and k.revoked_at is null then k.previous_secret_until end as previous_secret_until,
  s.last_used_at, k.revision, k.created_at, k.updated_at`

const tables = `api_keys k join users u on u.id = k.owner_user_id
   left join api_key_uses s on s.workspace_id = k.workspace_id and s.key_id = k.id`

const apiKeyInsert = write(
  'api_key_insert',
  `insert into api_keys (workspace_id, id, owner_user_id, name, prefix, last4, secret_digest, scopes, expires_at, allowed_cidrs)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text[]::cidr[])`,
)

const apiKeyByIdStatement = read<ApiKeyRow>(
  'api_key_by_id',
  `select ${columns} from ${tables} where k.workspace_id = $1 and k.id = $2`,
)

const apiKeysOfWorkspace = read<ApiKeyRow>(
  'api_keys_page',
  `select ${columns} from ${tables}
   where k.workspace_id = $1 and ($2::text is null or ${status} = $2) and ($3::uuid is null or k.id > $3)
   order by k.id limit $4`,
  'long',
)

const apiKeyLock = write<{ id: string }>(
  'api_key_lock',
  'select id from api_keys where workspace_id = $1 and id = $2 for update',
)

const liveApiKeys = read<{ count: number }>(
  'api_keys_live_count',
  `select count(*)::integer as count from api_keys k where workspace_id = $1 and ${status} = 'active'`,
)

const apiKeySave = write(
  'api_key_save',
  `update api_keys set name = $3, scopes = $4, expires_at = $5, allowed_cidrs = $6::text[]::cidr[], revision = revision + 1,
     updated_at = $7
   where workspace_id = $1 and id = $2`,
)

const apiKeyRotate = write(
  'api_key_rotate',
  `update api_keys
   set previous_digest = case when $5::integer > 0 then secret_digest end,
       previous_secret_until = case when $5::integer > 0 then now() + $5::integer * interval '1 second' end,
       last4 = $3, secret_digest = $4, revision = revision + 1, updated_at = $6
   where workspace_id = $1 and id = $2`,
)

const apiKeyRevoke = write(
  'api_key_revoke',
  `update api_keys set revoked_at = $3, revision = revision + 1, updated_at = $3 where workspace_id = $1 and id = $2`,
)

const apiKeysRevokeByOwner = write<{ key_id: string; name: string }>(
  'api_keys_revoke_by_owner',
  `update api_keys set revoked_at = now(), revision = revision + 1, updated_at = now()
   where workspace_id = $1 and owner_user_id = $2 and revoked_at is null returning id as key_id, name`,
)

const apiKeysRevokeByName = write(
  'api_keys_revoke_by_name',
  `update api_keys set revoked_at = now(), revision = revision + 1 where workspace_id = $1 and name = $2 and revoked_at is null`,
)
