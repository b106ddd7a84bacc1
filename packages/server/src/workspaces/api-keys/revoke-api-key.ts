import { apiKeyMachine, revokeApiKey } from '@wbs/contract/workspaces/api-keys'
import { requireMove } from '../../call/state.ts'
import { implement } from '../../call/implement.ts'
import { lockApiKey, revokeApiKeyById } from './api-key-store.ts'
import { checkApiKeyVisible } from './api-key-access.ts'
import { keySubject, presentApiKey } from './api-key-view.ts'

export const handleRevokeApiKey = implement(
  revokeApiKey,
  async function revokeApiKey({ key_id }, { standing, tx, now, refuse }) {
    const key = await lockApiKey(tx, standing.workspace_id, key_id)
    if (!key) throw refuse.not_found('There is no such API key.')
    requireMove(apiKeyMachine, 'revoke', key.status, `The key is already ${key.status}.`, refuse)
    const revoked = revokeApiKeyById(tx, key, now)
    return {
      result: { data: presentApiKey(revoked) },
      resource: { type: 'api_key', id: key_id },
      changed: ['status'],
      events: [{ type: 'api_key.revoked', subject: keySubject(revoked) }],
    }
  },
  { visible: checkApiKeyVisible },
)
