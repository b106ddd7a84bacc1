import type { Refuse } from '../../call/problem.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { apiKeyById } from './api-key-store.ts'

/** Throws not_found unless the Workspace has this key, which whoever manages keys sees for as long as it is kept. */
export async function apiKeyVisible(
  { key_id }: { key_id: string },
  { standing, tx, refuse }: { standing: Standing; tx: Transaction; refuse: Refuse<'not_found'> },
): Promise<void> {
  if (!(await apiKeyById(tx, standing.workspace_id, key_id)))
    throw refuse.not_found('There is no such API key.')
}
