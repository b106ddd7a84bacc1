import type { Operation } from '@wbs/contract/operation'
import type { Answer, Call, CallHeaders, Pipeline, Runnable } from './call.ts'
import { isVisitor, readCallHeaders, workspaceMismatch } from './call-headers.ts'
import type { Caller } from './authority/caller.ts'
import { translateFault } from './fault-problem.ts'
import { forbidden, invalid, unauthenticated } from './problem.ts'
import { runMutation } from './run-mutation.ts'
import { runQuery } from './run-query.ts'
import { runVisitorMutation } from './run-visitor-mutation.ts'
import { NoStanding } from './authority/standing.ts'
import type { Validator } from './input/validate.ts'

/**
 * The path of every operation after authentication: headers and parameters → audience → standing and scope → (a
 * mutation: claim the key, or replay) → handler → settle. Throws Problem.
 */
export async function run(
  pipeline: Pipeline,
  { implementation, validate }: Runnable,
  call: Call,
): Promise<Answer> {
  const { operation } = implementation
  const caller = callerFor(operation, call.caller, call.workspace_id)
  const { headers, input } = requireValid(operation, validate, call)
  requireAudience(operation, caller)
  const { request_id, wait, waitWithoutSlot, gone = neverGone } = call
  const request = { implementation, caller, headers, input, request_id, wait, waitWithoutSlot, gone }
  try {
    if (operation.kind === 'query') return await runQuery(pipeline, operation, request)
    return isVisitor(operation, call)
      ? await runVisitorMutation(pipeline, operation, request)
      : await runMutation(pipeline, operation, request)
  } catch (error) {
    if (error instanceof NoStanding && caller && headers.workspace_id)
      pipeline.knownMembers.remove(caller, headers.workspace_id)
    throw translateFault(error)
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
  operation: Operation,
  validate: Validator,
  call: Call,
): { headers: CallHeaders; input: object } {
  const { headers, errors } = readCallHeaders(operation, call)
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
