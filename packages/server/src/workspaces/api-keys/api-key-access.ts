import type { Refuse } from '../../call/problem.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { apiKeyById } from './api-key-store.ts'

/** Checks before a replay that the Workspace has the key of the path, active or not. Throws not_found. */
export async function checkApiKeyVisible(
  { key_id }: { key_id: string },
  { standing, tx, refuse }: { standing: Standing; tx: Transaction; refuse: Refuse<'not_found'> },
): Promise<void> {
  if (!(await apiKeyById(tx, standing.workspace_id, key_id)))
    throw refuse.not_found('There is no such API key.')
}
