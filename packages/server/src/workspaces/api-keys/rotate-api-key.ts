import { apiKeyMachine, rotateApiKey } from '@wbs/contract/workspaces/api-keys'
import { requireMove } from '../../call/state.ts'
import { implement } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import { mintSecret } from '../../identity/api-key-format.ts'
import { lockApiKey, replaceSecret } from './api-key-store.ts'
import { checkApiKeyVisible } from './api-key-access.ts'
import { keySubject, presentApiKey } from './api-key-view.ts'

export const handleRotateApiKey = implement(
  rotateApiKey,
  async function rotateApiKey({ key_id, overlap_seconds = 0 }, { caller, standing, tx, now, refuse }) {
    const [key, at] = await Promise.all([lockApiKey(tx, standing.workspace_id, key_id), databaseTime(tx)])
    if (!key) throw refuse.not_found('There is no such API key.')
    // Whoever has the secret can act as the key's owner.
    if (key.owner_user_id !== caller.user_id)
      throw refuse.forbidden('Only the owner of the key can rotate it. You can revoke it instead.')
    const detail = 'The key is no longer active. Create a new one.'
    requireMove(apiKeyMachine, 'rotate', key.status, detail, refuse)
    const { secret, last4, digest } = mintSecret(key.prefix)
    const until = overlap_seconds > 0 ? new Date(at.getTime() + overlap_seconds * 1000).toISOString() : null
    const saved = replaceSecret(tx, key, { last4, digest }, until, now)
    return {
      result: { data: presentApiKey(saved), secret },
      resource: { type: 'api_key', id: key_id },
      changed: ['secret'],
      events: [{ type: 'api_key.rotated', subject: keySubject(saved), data: { overlap_seconds } }],
    }
  },
  { visible: checkApiKeyVisible },
)
