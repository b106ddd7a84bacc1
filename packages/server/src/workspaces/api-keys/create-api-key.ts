import { createApiKey } from '@wbs/contract/workspaces/api-keys'
import { implement } from '../../call/implement.ts'
import { mintApiKey, type ApiKeyEnvironment } from '../../identity/api-key-format.ts'
import { canonicalNetworks, mostApiKeys, firstMissingScope, settingErrors } from './api-key-rules.ts'
import { readForNewApiKey, insertApiKey } from './api-key-store.ts'
import { keySubject, presentApiKey } from './api-key-view.ts'

/** @param environment the part of a key that names the environment of the service */
export const handleCreateApiKey = (environment: ApiKeyEnvironment) =>
  implement(
    createApiKey,
    async function createApiKey(
      { name, scopes, expires_at, allowed_cidrs },
      { caller, standing, tx, now, refuse },
    ) {
      const errors = settingErrors({ expires_at, allowed_cidrs }, now)
      if (errors.length > 0)
        throw refuse.validation_error('The settings of the key are not valid.', { errors })
      const missing = firstMissingScope(standing.permissions, scopes)
      if (missing)
        throw refuse.forbidden(`A key does no more than its owner may; the caller lacks ${missing}.`, {
          required_permission: missing,
        })
      const { workspace_id } = standing
      const { active_keys, owner_name } = await readForNewApiKey(tx, workspace_id, caller.user_id)
      if (active_keys >= mostApiKeys)
        throw refuse.limit_reached(
          `A Workspace can have at most ${mostApiKeys} active keys. Revoke one first.`,
        )
      const { secret, ...stored } = mintApiKey(environment)
      const owner = { owner_user_id: caller.user_id, owner_name }
      const limits = {
        expires_at: expires_at ?? null,
        allowed_cidrs: canonicalNetworks(allowed_cidrs ?? null),
      }
      const key = insertApiKey(tx, { ...stored, ...owner, ...limits, workspace_id, name, scopes }, now)
      return {
        result: { data: presentApiKey(key), secret },
        resource: { type: 'api_key', id: key.key_id },
        events: [{ type: 'api_key.created', subject: keySubject(key), data: { scopes } }],
      }
    },
    {
      locks: 'team',
      prefetch: (_input, { caller, standing, tx }) =>
        readForNewApiKey(tx, standing.workspace_id, caller.user_id),
    },
  )
