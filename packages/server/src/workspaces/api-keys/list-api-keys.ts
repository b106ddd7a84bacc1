import { listApiKeys } from '@wbs/contract/workspaces/api-keys'
import { implement } from '../../call/implement.ts'
import { apiKeysPage } from './api-key-store.ts'
import { presentApiKey } from './api-key-view.ts'
import { pageOf } from '../../call/page.ts'

export const handleListApiKeys = implement(
  listApiKeys,
  async function listApiKeys({ status, cursor, limit = 20 }, { standing, read }) {
    const rows = await apiKeysPage(read, standing.workspace_id, { status, after: cursor, limit: limit + 1 })
    return { result: pageOf(rows.map(presentApiKey), limit, key => key.key_id) }
  },
)
