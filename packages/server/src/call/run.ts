import { inputParts, isStream, type Operation } from '@wbs/contract/operation'
import type { Answer, Call, CallHeaders, Pipeline, Runnable } from './call.ts'
import type { Caller } from './authority/caller.ts'
import type { Implementation } from './implement.ts'
import { translateFault } from './fault-problem.ts'
import { forbidden, invalid, unauthenticated } from './problem.ts'
import { runMutation } from './run-mutation.ts'
import { runQuery } from './run-query.ts'
import { runVisitorMutation } from './run-visitor-mutation.ts'
import { NoStanding } from './authority/standing.ts'
import type { Validator, RawInput } from './input/validate.ts'
import type { InputError } from '@wbs/contract/problems'

/**
 * The path of every operation after authentication: headers and parameters → audience → (a mutation: claim of the key,
 * locks of the caller's authority) → standing and scope → handler, or replay of the stored answer → (a mutation: settle).
 * Throws Problem.
 */
export async function run(
  pipeline: Pipeline,
  { implementation, validate }: Runnable,
  call: Call,
): Promise<Answer> {
  const { operation } = implementation
  const caller = callerFor(operation, call.caller, call.workspace_id)
  const { headers, input } = requireValid(implementation, validate, call)
  requireAudience(operation, caller)
  const { request_id, wait, waitWithoutSlot, gone = neverGone } = call
  const request = { implementation, caller, headers, input, request_id, wait, waitWithoutSlot, gone }
  try {
    if (operation.kind === 'query') return await runQuery(pipeline, operation, request)
    return operation.visitors && isVisitor(operation, call)
      ? await runVisitorMutation(pipeline, operation, request)
      : await runMutation(pipeline, operation, request)
  } catch (error) {
    if (error instanceof NoStanding && caller && headers.workspace_id)
      pipeline.knownMembers.remove(caller, headers.workspace_id)
    throw translateFault(error)
  }
}

/** Runs operations, and knows which of them run: one may go on after its client has gone. */
export interface Runner {
  run(runnable: Runnable, call: Call): Promise<Answer>
  /** Waits until none runs. */
  ended(): Promise<void>
}

export function createRunner(pipeline: Pipeline): Runner {
  const running = new Set<Promise<unknown>>()
  return {
    run(runnable, call) {
      const work = run(pipeline, runnable, call)
      running.add(work)
      const forget = () => void running.delete(work)
      work.then(forget, forget)
      return work
    },
    async ended() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/** For transports that do not notice it. */
const neverGone = () => new AbortController().signal

/** The caller that an operation gets: null if it ignores credentials. Throws unauthenticated if it needs one. */
export function callerFor(
  operation: Operation,
  caller: Caller | null,
  workspace_id: string | undefined,
): Caller | null {
  if (operation.audience === 'public') return null
  if (caller === null && operation.audience !== 'anyone' && !isVisitor(operation, { caller, workspace_id }))
    throw unauthenticated(
      'A credential is required: an access token or, for operations that accept it, an API key.',
    )
  return caller
}

/** Validates the form of a request, and reports all errors at once. */
function requireValid(
  { operation, takesWorkspace }: Implementation,
  validate: Validator,
  call: Call,
): { headers: CallHeaders; input: object } {
  const { headers, errors } = readCallHeaders(operation, takesWorkspace, call)
  const checked = validate(call.input)
  const mismatch =
    errors.length + checked.errors.length === 0 ? workspaceMismatch(headers, call.input.path) : []
  const all = [...errors, ...checked.errors, ...mismatch]
  if (all.length > 0) throw invalid(all)
  // A client that reconnects to a stream repeats the URL of the first request, and sends its position in Last-Event-ID.
  const goesOn = headers.last_event_id === null ? {} : { cursor: headers.last_event_id }
  return { headers, input: { ...checked.input, ...goesOn } }
}

function requireAudience(operation: Operation, caller: Caller | null): void {
  if (operation.audience !== 'user' && operation.audience !== 'signed_in') return
  if (caller?.kind !== 'user')
    throw forbidden('This operation requires the access token of a person, not an API key.')
  if (operation.audience === 'signed_in' && caller.is_anonymous)
    throw forbidden('This operation requires the access token of a signed-in person, not an anonymous one.')
}

/** Reads and validates the headers that the operation takes. Other headers are ignored. */
export function readCallHeaders(
  operation: Operation,
  takes: Implementation['takesWorkspace'],
  call: Call,
): { headers: CallHeaders; errors: InputError[] } {
  const workspace = takes === 'none' ? undefined : call.workspace_id
  return {
    headers: {
      workspace_id: workspace?.toLowerCase() ?? null,
      idempotency_key: call.idempotency_key ?? '',
      claim_token: (operation.visitors && call.claim_token) || null,
      last_event_id: (call.wait && isStream(operation) && call.wait.last_event_id) || null,
    },
    errors: [
      ...workspaceErrors(
        workspace,
        takes === 'required' || (operation.visitors === true && !isVisitor(operation, call)),
      ),
      ...(operation.kind === 'mutation' ? keyErrors(call.idempotency_key) : []),
      ...(call.if_match === undefined ? [] : matchErrors(operation, call)),
      ...(call.wait && isStream(operation) ? lastEventErrors(call.wait.last_event_id) : []),
    ],
  }
}

/** Whether a request is that of a visitor: it names no Workspace, and has no credential or an anonymous access token. */
export const isVisitor = (
  operation: Pick<Operation, 'visitors'>,
  { caller, workspace_id }: Pick<Call, 'caller' | 'workspace_id'>,
): boolean =>
  operation.visitors === true &&
  workspace_id === undefined &&
  (caller === null || (caller.kind === 'user' && caller.is_anonymous))

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function workspaceErrors(given: string | undefined, required: boolean): InputError[] {
  const at = { in: 'header', pointer: '/SVC-Workspace-Id' } as const
  if (given === undefined)
    return required ? [{ ...at, code: 'required', detail: 'The header SVC-Workspace-Id is required.' }] : []
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
          'The header Idempotency-Key is required: 8 to 200 visible ASCII characters, different for each change.',
      },
    ]
  if (!/^[\x21-\x7e]*$/.test(key))
    return [
      {
        ...at,
        code: 'format',
        detail: 'Idempotency-Key must have only visible ASCII characters, and no spaces.',
      },
    ]
  if (key.length < 8)
    return [{ ...at, code: 'too_short', detail: 'Idempotency-Key must have at least 8 characters.' }]
  if (key.length > 200)
    return [{ ...at, code: 'too_long', detail: 'Idempotency-Key must have at most 200 characters.' }]
  return []
}

/** An empty Last-Event-ID means that there was none, as browsers send it. */
function lastEventErrors(given = ''): InputError[] {
  if (/^(?:|[1-9][0-9]{0,17})$/.test(given)) return []
  const detail = 'Last-Event-ID must be the ID of an event of this stream.'
  return [{ in: 'header', pointer: '/Last-Event-ID', code: 'format', detail }]
}

/** If-Match may repeat expected_revision. It cannot contradict or replace it. */
function matchErrors(operation: Operation, { if_match, input }: Call): InputError[] {
  if (if_match === undefined || if_match.trim() === '*') return []
  const expected = expectedOf(operation, input.body)
  if (!expected) return []
  if (if_match.split(',').some(tag => tag.trim() === `"${operation.tagged}${expected.value}"`)) return []
  const detail = `If-Match and ${expected.field} must agree. You can omit If-Match.`
  return [{ in: 'header', pointer: '/If-Match', code: 'conflict', detail }]
}

function expectedOf(operation: Operation, body: unknown): { field: string; value: number } | null {
  const { body: declared } = inputParts(operation)
  const field = ['expected_revision', 'expected_version'].find(name => name in declared)
  if (!field || typeof body !== 'object' || body === null) return null
  const value = (body as Record<string, unknown>)[field]
  return typeof value === 'number' ? { field, value } : null
}

/** Checks that the Workspace in the path is the one of the header. */
function workspaceMismatch(headers: CallHeaders, path: RawInput['path']): InputError[] {
  const inPath = path.workspace_id
  if (inPath === undefined || headers.workspace_id === null || inPath.toLowerCase() === headers.workspace_id)
    return []
  const detail = 'The Workspace in the path must equal the one in the header SVC-Workspace-Id.'
  return [{ in: 'path', pointer: '/workspace_id', code: 'conflict', detail }]
}
