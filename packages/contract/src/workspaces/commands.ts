import { Type as T } from 'typebox'
import { query } from '../operation.ts'
import { Receipt } from '../receipts.ts'
import { nullable, open, openSet } from '../schema.ts'

export const getCommand = query('get_command', {
  http: 'GET /v1/commands/{idempotency_key}',
  summary: 'Say what became of a change, by its Idempotency-Key.',
  description:
    "Of the caller's own changes: of those in a Workspace where SVC-Workspace-Id names it, else of those outside any. An answer of unknown means that nothing was done under this key, or that the key has been forgotten since.",
  tag: 'System of record',
  audience: 'caller',
  may_name_workspace: true,
  input: {
    idempotency_key: T.Unsafe<string>({
      type: 'string',
      minLength: 8,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The Idempotency-Key that the change was sent with.',
    }),
  },
  output: {
    status: openSet(['in_progress', 'committed', 'unknown']),
    operation: nullable(T.String()),
    receipt: nullable(Receipt),
    resource: nullable(open({ type: T.String(), id: T.String() })),
  },
  // Where the path ends before the key: like everywhere else, nothing is there.
  problems: ['not_found'],
})
