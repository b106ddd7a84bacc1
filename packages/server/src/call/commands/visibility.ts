import type { ResourceType } from '@wbs/contract/receipts'
import { read } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { Caller } from '../authority/caller.ts'
import type { EarlierCommand } from './claim-key.ts'
import { Problem } from '../problem.ts'
import type { GuestStanding, Standing } from '../authority/standing.ts'

/** What a visibility check depends on. */
export interface VisibilityContext {
  caller: Caller
  standing: Standing | GuestStanding
  tx: Transaction
}

/** Whether a caller with standing in the Workspace can see the resource with an id at this point. */
export type VisibilityCheck = (id: string, context: VisibilityContext) => Promise<boolean>

/** One check for each type of resource that receipts name. */
export type VisibilityChecks = Readonly<Record<ResourceType, VisibilityCheck>>

/**
 * Checks that the caller can still see the resource that the receipt of an earlier command names, since its stored
 * answer is for nobody else. Throws not_found.
 */
export async function requireVisible(
  checks: Readonly<Record<string, VisibilityCheck>>,
  { receipt_workspace_id, command_id, period }: EarlierCommand,
  context: VisibilityContext,
): Promise<void> {
  const resource = await context.tx.one(resourceOfCommand, {
    workspace_id: receipt_workspace_id,
    command_id,
    period,
  })
  const sees = resource && checks[resource.type]
  if (!sees) throw new Error('A command that was committed has no receipt of a type that is known.')
  if (!(await sees(resource.id, context)))
    throw new Problem(
      'not_found',
      'You can no longer see the resource that this request created or changed.',
      {},
    )
}

const resourceOfCommand = read<{ type: string; id: string }>(
  'receipt_resource',
  `select resource_type as type, resource_id as id from receipts where workspace_id = :workspace_id and command_id = :command_id and period = :period`,
)
