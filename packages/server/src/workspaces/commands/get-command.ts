import { getCommand } from '@wbs/contract/workspaces/commands'
import type { Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { principalOf } from '../../call/authority/caller.ts'
import { implement } from '../../call/implement.ts'
import { commandByKey } from './command-store.ts'

export const handleGetCommand = implement(
  getCommand,
  async function getCommand({ idempotency_key }, { caller, standing, read }) {
    const scope_id = standing?.workspace_id ?? caller.user_id
    const command = await commandByKey(read, scope_id, principalOf(caller), idempotency_key)
    const { status, operation, receipt } = command
    return {
      result: {
        status,
        operation,
        receipt: receipt && operation ? { ...receipt, ...operationFields(operation) } : null,
        resource: receipt && receipt.resource,
      },
    }
  },
)

/** The name of the operation, in the fields in which its own receipt has it. */
function operationFields(name: string): Record<string, string> {
  const operation = (operations as readonly Operation[]).find(operation => operation.name === name)
  const keys = (operation?.kind === 'mutation' && operation.receipt?.names) || ['operation']
  return Object.fromEntries(keys.map(key => [key, name]))
}
