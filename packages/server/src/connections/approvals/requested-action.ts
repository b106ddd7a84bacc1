import { createHash } from 'node:crypto'
import { canonicalJson } from '@wbs/contract/json/canonical-json'
import type { InputError } from '@wbs/contract/problems'
import type { Plugin } from '../../plugins/plugin.ts'
import { argumentErrors, errorAt } from '../connection.ts'
import type { ConnectionRow } from '../connection-store.ts'
import { expiryOf, oneLine } from './approval.ts'

/** What a requester sends. */
interface Asked {
  operation: string
  arguments: Readonly<Record<string, unknown>>
  expires_at?: string | undefined
}

/** An action as it is stored, and as it will be sent. */
interface RequestedAction {
  /** Canonical JSON. */
  arguments: string
  arguments_sha256: string
  summary: string
  expires_at: string
}

/**
 * The action that is requested of a connection at a moment of the database's clock, or what is wrong with the request. The
 * plugin sees what was read back from the canonical form, which is what it gets when the action is sent.
 */
export function requestedAction(
  asked: Asked,
  connection: Pick<ConnectionRow, 'allowed_operations' | 'config'>,
  plugin: Plugin,
  now: Date,
): RequestedAction | { errors: InputError[] } {
  const { allowed_operations, config } = connection
  const operation = allowed_operations.includes(asked.operation) && ownOf(plugin.operations, asked.operation)
  const expires_at = expiryOf(asked.expires_at, now)
  const canonical = canonicalJson(asked.arguments)
  const args = canonical === null ? null : (JSON.parse(canonical) as Record<string, unknown>)
  const errors = [
    ...(operation
      ? []
      : [errorAt('/operation', 'The connection does not allow this operation.', 'conflict')]),
    ...(args
      ? []
      : [errorAt('/arguments', 'The arguments have a number that is too large.', 'out_of_range')]),
    ...(operation && args ? argumentErrors(operation, args) : []),
    ...(expires_at
      ? []
      : [errorAt('/expires_at', 'expires_at must be from 1 second to 30 days ahead.', 'out_of_range')]),
  ]
  if (errors.length > 0 || !operation || !args || canonical === null || !expires_at) return { errors }
  return {
    arguments: canonical,
    arguments_sha256: createHash('sha256').update(canonical).digest('hex'),
    summary: oneLine(operation.summaryOf(config, args)) || asked.operation,
    expires_at: expires_at.toISOString(),
  }
}

const ownOf = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
