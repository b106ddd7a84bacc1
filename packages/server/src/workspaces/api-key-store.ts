import { randomUUIDv7 } from 'node:crypto'
import type { Scope } from '@wbs/contract/scopes'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'

export interface NewApiKey {
  workspace_id: string
  owner_user_id: string
  name: string
  prefix: string
  last4: string
  /** SHA-256 of the whole key; the key itself is never stored. */
  digest: Buffer
  scopes: readonly Scope[]
}

/** Keeps a new API key, and gives its id. */
export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<string> {
  const id = randomUUIDv7()
  await tx.run(apiKeyInsert, [
    key.workspace_id,
    id,
    key.owner_user_id,
    key.name,
    key.prefix,
    key.last4,
    key.digest,
    key.scopes,
  ])
  return id
}

/** Revokes the live keys of a name. */
export const revokeApiKeysNamed = (tx: Transaction, workspace_id: string, name: string) =>
  tx.run(apiKeysRevokeByName, [workspace_id, name])

/** Whether a key could be used now. */
export async function isLiveApiKey(reader: Reader, workspace_id: string, id: string): Promise<boolean> {
  return (await reader.one(liveApiKey, [workspace_id, id])) !== undefined
}

const apiKeyInsert = write(
  'api_key_insert',
  `insert into api_keys (workspace_id, id, owner_user_id, name, prefix, last4, secret_digest, scopes)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

const apiKeysRevokeByName = write(
  'api_keys_revoke_by_name',
  `update api_keys set revoked_at = now(), revision = revision + 1 where workspace_id = $1 and name = $2 and revoked_at is null`,
)

const liveApiKey = read<{ id: string }>(
  'api_key_live',
  `select id from api_keys
   where workspace_id = $1 and id = $2 and revoked_at is null and (expires_at is null or expires_at > now())`,
)
