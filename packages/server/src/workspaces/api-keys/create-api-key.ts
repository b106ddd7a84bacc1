import { createApiKey } from '@wbs/contract/workspaces/api-keys'
import { implement } from '../../call/implement.ts'
import { mintApiKey, type ApiKeyEnvironment } from '../../identity/api-key-format.ts'
import { canonicalNetworks, mostApiKeys, scopeBeyond, settingErrors } from './api-key-rules.ts'
import { factsForNewApiKey, insertApiKey } from './api-key-store.ts'
import { keySubject, presentApiKey } from './api-key-view.ts'

/** @param environment what the key's text says of the service that made it */
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
      const beyond = scopeBeyond(standing.permissions, scopes)
      if (beyond)
        throw refuse.forbidden(`You cannot grant a permission that you lack: ${beyond}.`, {
          required_permission: beyond,
        })
      const { workspace_id } = standing
      const { live, owner_name } = await factsForNewApiKey(tx, workspace_id, caller.user_id)
      if (live >= mostApiKeys)
        throw refuse.limit_reached(
          `A Workspace can have at most ${mostApiKeys} active keys. Revoke one first.`,
        )
      const { secret, ...kept } = mintApiKey(environment)
      const owner = { owner_user_id: caller.user_id, owner_name }
      const limits = {
        expires_at: expires_at ?? null,
        allowed_cidrs: canonicalNetworks(allowed_cidrs ?? null),
      }
      const key = insertApiKey(tx, { ...kept, ...owner, ...limits, workspace_id, name, scopes }, now)
      return {
        result: { data: presentApiKey(key), secret },
        resource: { type: 'api_key', id: key.key_id },
        events: [{ type: 'api_key.created', subject: keySubject(key), data: { scopes } }],
      }
    },
    {
      locks: 'team',
      prefetch: (_input, { caller, standing, tx }) =>
        factsForNewApiKey(tx, standing.workspace_id, caller.user_id),
    },
  )
