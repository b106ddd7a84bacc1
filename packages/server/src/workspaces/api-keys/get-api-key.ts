import { getApiKey } from '@wbs/contract/workspaces/api-keys'
import { implement } from '../../call/implement.ts'
import { apiKeyById } from './api-key-store.ts'
import { presentApiKey } from './api-key-view.ts'

export const handleGetApiKey = implement(
  getApiKey,
  async function getApiKey({ key_id }, { standing, read, refuse }) {
    const key = await apiKeyById(read, standing.workspace_id, key_id)
    if (!key) throw refuse.not_found('There is no such API key.')
    return { result: { data: presentApiKey(key) }, revision: key.revision }
  },
)
