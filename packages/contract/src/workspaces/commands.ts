import { T } from '../json/type.ts'
import { query } from '../operation.ts'
import { Receipt } from '../receipts.ts'
import { nullable, open, openSet } from '../schema.ts'

export const getCommand = query('get_command', {
  http: 'GET /v1/commands/{idempotency_key}',
  summary: 'Retrieve the outcome of a change by its Idempotency-Key.',
  description:
    'Finds only changes that you made: in the Workspace that SVC-Workspace-Id names or, without this header, outside of any Workspace. The status unknown means that nothing was changed with this key, or that the key has expired.',
  tag: 'System of record',
  audience: 'caller',
  may_name_workspace: true,
  input: {
    idempotency_key: T.Unsafe<string>({
      type: 'string',
      minLength: 8,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The Idempotency-Key of the change.',
      examples: ['close-2026-01-glacier'],
    }),
  },
  output: {
    status: openSet(['in_progress', 'committed', 'unknown']),
    operation: nullable(T.String()),
    receipt: nullable(Receipt),
    resource: nullable(open({ type: T.String(), id: T.String() })),
  },
  // The answer to a path that has no key.
  problems: ['not_found'],
})
