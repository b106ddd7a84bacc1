import type { Query } from '@wbs/contract/operation'
import type { Caller } from './caller.ts'
import { refuseWith } from './problem.ts'
import type { Answer, Pipeline, ValidRequest } from './call.ts'
import { requireScope, standingIn } from './standing.ts'

/** Answers a read: single statements on the connections that may only SELECT, outside any transaction. */
export async function runQuery(pipeline: Pipeline, operation: Query, request: ValidRequest): Promise<Answer> {
  const { caller, input } = request
  const workspace_id = workspaceOf(operation, caller, request.headers.workspace_id)
  const read = caller
    ? pipeline.readers.scoped({ workspace_id, user_id: caller.user_id })
    : pipeline.readers.open
  const standing = caller && workspace_id ? await standingIn(read, caller, workspace_id) : null
  if (standing && operation.scope) requireScope(standing, operation.scope)
  const context = { caller, standing, read, now: pipeline.now(), refuse: refuseWith(operation.problems) }
  const { result, revision } = await request.implementation.handle(input as never, context as never)
  const body = operation.bare ? result : { ...result, request_id: request.request_id }
  return { status: 200, body, replay: false, ...(revision !== undefined && { revision }) }
}

/** The Workspace that a read runs in: the named one; and where none need be named, a key speaks for its own. */
function workspaceOf(operation: Query, caller: Caller | null, named: string | null): string | null {
  if (operation.audience === 'workspace') return named
  if (operation.audience !== 'anyone' || !caller) return null
  return named ?? (caller.kind === 'key' ? caller.workspace_id : null)
}
