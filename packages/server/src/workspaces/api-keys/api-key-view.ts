import type { ApiKeyRow } from './api-key-store.ts'

/** An API key for an answer. */
export const presentApiKey = ({ owner_user_id, owner_name, ...key }: ApiKeyRow) => ({
  ...key,
  owner: { user_id: owner_user_id, name: owner_name },
})

export const keySubject = ({ key_id, name }: { key_id: string; name: string }) => ({
  type: 'api_key',
  id: key_id,
  name,
})
