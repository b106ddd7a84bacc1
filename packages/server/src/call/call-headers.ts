import type { Operation } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import type { Call, CallHeaders } from './call.ts'
import type { RawInput } from './validate.ts'

/** Reads the headers that the operation takes, and says what is wrong with them; others are not looked at. */
export function readCallHeaders(
  operation: Operation,
  call: Call,
): { headers: CallHeaders; errors: InputError[] } {
  const workspace =
    operation.audience === 'workspace' || operation.audience === 'anyone' ? call.workspace_id : undefined
  return {
    headers: { workspace_id: workspace?.toLowerCase() ?? null, idempotency_key: call.idempotency_key ?? '' },
    errors: [
      ...workspaceErrors(workspace, operation.audience === 'workspace'),
      ...(operation.kind === 'mutation' ? keyErrors(call.idempotency_key) : []),
    ],
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function workspaceErrors(given: string | undefined, required: boolean): InputError[] {
  const at = { in: 'header', pointer: '/SVC-Workspace-Id' } as const
  if (given === undefined)
    return required
      ? [{ ...at, code: 'required', detail: 'The header SVC-Workspace-Id must name the Workspace.' }]
      : []
  return uuid.test(given) ? [] : [{ ...at, code: 'format', detail: 'SVC-Workspace-Id must be a UUID.' }]
}

function keyErrors(key: string | undefined): InputError[] {
  const at = { in: 'header', pointer: '/Idempotency-Key' } as const
  if (key === undefined)
    return [
      {
        ...at,
        code: 'required',
        detail:
          'Every change needs the header Idempotency-Key: 8 to 200 visible ASCII characters, new for each new change.',
      },
    ]
  if (!/^[\x21-\x7e]*$/.test(key))
    return [
      { ...at, code: 'format', detail: 'Idempotency-Key must be visible ASCII characters without spaces.' },
    ]
  if (key.length < 8)
    return [{ ...at, code: 'too_short', detail: 'Idempotency-Key must have at least 8 characters.' }]
  if (key.length > 200)
    return [{ ...at, code: 'too_long', detail: 'Idempotency-Key must have at most 200 characters.' }]
  return []
}

/** A path that names the Workspace must name the one of the header. */
export function workspaceMismatch(headers: CallHeaders, path: RawInput['path']): InputError[] {
  const inPath = path.workspace_id
  if (inPath === undefined || headers.workspace_id === null || inPath.toLowerCase() === headers.workspace_id)
    return []
  const detail = 'The Workspace in the path and the one in the header SVC-Workspace-Id must be the same.'
  return [{ in: 'path', pointer: '/workspace_id', code: 'conflict', detail }]
}
