import { apiKeyMachine, updateApiKey } from '@wbs/contract/workspaces/api-keys'
import { requireMove } from '../../call/state.ts'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { canonicalNetworks, narrows, firstMissingScope, settingErrors } from './api-key-rules.ts'
import { lockApiKey, saveApiKey, type ApiKeyRow } from './api-key-store.ts'
import { checkApiKeyVisible } from './api-key-access.ts'
import { keySubject, presentApiKey } from './api-key-view.ts'

export const handleUpdateApiKey = implement(
  updateApiKey,
  async function updateApiKey(
    { key_id, expected_revision, ...changes },
    { caller, standing, tx, now, refuse },
  ) {
    const key = await lockApiKey(tx, standing.workspace_id, key_id)
    if (!key) throw refuse.not_found('There is no such API key.')
    const errors = settingErrors(changes, now)
    if (errors.length > 0) throw refuse.validation_error('The settings of the key are not valid.', { errors })
    const wanted = withChanges(key, changes)
    // The key acts for its owner, so nobody else may extend or rename it.
    if (key.owner_user_id !== caller.user_id && !(wanted.name === key.name && narrows(key, wanted)))
      throw refuse.forbidden(
        'Only the owner of the key can rename or extend it. You can remove scopes, set an earlier expiry, restrict its networks, or revoke it.',
      )
    const added = wanted.scopes.filter(scope => !key.scopes.includes(scope))
    const missing = firstMissingScope(standing.permissions, added)
    if (missing)
      throw refuse.forbidden(
        `Nobody gives a key what they may not do themselves; the caller lacks ${missing}.`,
        {
          required_permission: missing,
        },
      )
    const detail = 'The key is no longer active and cannot be changed.'
    requireMove(apiKeyMachine, 'update', key.status, detail, refuse)
    const changed = changedFields(key, wanted)
    requireRevision(key, expected_revision, changed, refuse)
    const saved = changed.length > 0 ? saveApiKey(tx, wanted, now) : key
    return {
      result: { data: presentApiKey(saved) },
      revision: saved.revision,
      resource: { type: 'api_key', id: key_id },
      changed,
      events:
        changed.length > 0
          ? [{ type: 'api_key.updated', subject: keySubject(saved), data: { changed } }]
          : [],
    }
  },
  { visible: checkApiKeyVisible },
)

type Changes = Partial<Pick<ApiKeyRow, 'name' | 'scopes' | 'expires_at' | 'allowed_cidrs'>>

function withChanges(
  key: ApiKeyRow,
  changes: { [Field in keyof Changes]: Changes[Field] | undefined },
): ApiKeyRow {
  const { name = key.name, scopes = key.scopes, expires_at, allowed_cidrs } = changes
  return {
    ...key,
    name,
    scopes,
    expires_at: expires_at === undefined ? key.expires_at : expires_at,
    allowed_cidrs: allowed_cidrs === undefined ? key.allowed_cidrs : canonicalNetworks(allowed_cidrs),
  }
}

const changedFields = (a: ApiKeyRow, b: ApiKeyRow): string[] =>
  (['name', 'scopes', 'expires_at', 'allowed_cidrs'] as const).filter(
    field => JSON.stringify(a[field]) !== JSON.stringify(b[field]),
  )
