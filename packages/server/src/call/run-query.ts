import { scopesOf, workspaceOf as namesWorkspace, type Query } from '@wbs/contract/operation'
import type { Reader } from '../database/statement.ts'
import type { Answer, Pipeline, ValidRequest } from './call.ts'
import { principalOf, type Caller } from './authority/caller.ts'
import type { WaitContext } from './implement.ts'
import { unauthenticated } from './problem.ts'
import { requireScopes, standingIn, type GuestStanding, type Standing } from './authority/standing.ts'
import { waitAtOnce } from './waiting/wait-without-slot.ts'

/** How long a read waits for its turn, in milliseconds. All streams that wait for the same event read at once when it comes. */
const patienceForTurns = 20_000

/** Runs a read: single statements, without a transaction, on connections whose role may only SELECT. */
export async function runQuery(pipeline: Pipeline, operation: Query, request: ValidRequest): Promise<Answer> {
  const { caller, input, waitWithoutSlot = waitAtOnce } = request
  const workspace_id = workspaceOf(operation, caller, request.headers.workspace_id)
  const scope = caller && { workspace_id, user_id: caller.user_id }
  const publicRead = mayBeBehind(operation, caller) ? pipeline.publicReads.reader(scope) : null
  const read =
    publicRead ??
    (scope ? pipeline.readers.scoped(scope, operation.waits && patienceForTurns) : pipeline.readers.unscoped)
  const standing = caller && workspace_id ? await judge(read, caller, workspace_id, operation) : null
  if (caller && standing) pipeline.knownMembers.add(caller, standing)
  const now = pipeline.now()
  const context = {
    caller,
    standing,
    read,
    waitWithoutSlot,
    gone: request.gone,
    now,
    refuse: request.implementation.refuse,
    ...(operation.audience === 'anyone' && { asOf: () => publicRead?.asOf(now) ?? now }),
    ...(operation.visitors && { claim_token: request.headers.claim_token }),
    ...(operation.audience === 'public' && {
      within: (into: string) => pipeline.readers.scoped({ workspace_id: into, user_id: null }),
    }),
    ...(operation.waits && { wait: waitContextOf(operation, request, read, pipeline.now) }),
  }
  const {
    result,
    stream,
    bytes,
    revision,
    hasUnversioned = false,
  } = await request.implementation.handle(input as never, context as never)
  if (stream) return { status: 200, body: {}, stream, replay: false }
  if (bytes) return { status: 200, body: {}, bytes, replay: false }
  const body = operation.bare ? (result ?? {}) : { ...result, request_id: request.request_id }
  return { status: 200, body, replay: false, hasUnversioned, ...(revision !== undefined && { revision }) }
}

/**
 * Whether what an operation answers may be some seconds old. A revision may not be for those who could use it in a change:
 * whoever reads again after a conflict must see what they were in conflict with.
 */
const mayBeBehind = (operation: Query, caller: Caller | null): boolean =>
  operation.audience === 'anyone' && (caller === null || !operation.tagged)

async function judge(
  read: Reader,
  caller: Caller,
  workspace_id: string,
  operation: Query,
): Promise<Standing | GuestStanding> {
  const standing = await standingIn(read, caller, workspace_id, operation)
  requireScopes(standing, scopesOf(operation))
  return standing
}

function waitContextOf(
  operation: Query,
  { caller, headers, wait }: ValidRequest,
  read: Reader,
  clock: () => Date,
): WaitContext<Query & { audience: 'workspace'; guests: true }> {
  const { workspace_id } = headers
  if (!wait || !caller || workspace_id === null)
    throw new Error(`${operation.name} waits, but has no caller or no Workspace.`)
  async function authenticateAgain(): Promise<Caller> {
    const now = await wait?.authenticateAgain()
    if (!now || principalOf(now) !== principalOf(caller as Caller))
      throw unauthenticated('The credential now belongs to somebody else.')
    return now
  }
  let heldIn = 0
  return {
    signal: wait.signal,
    resumes: headers.last_event_id !== null,
    begin: () => wait.begin(),
    currentStanding: async () => judge(read, await authenticateAgain(), workspace_id, operation),
    async requireValidToken() {
      // Tokens expire at a full second.
      const second = Math.floor(clock().getTime() / 1000)
      if (caller.kind !== 'user' || heldIn === second) return
      await authenticateAgain()
      heldIn = second
    },
  }
}

/** The Workspace that a read runs in: the named one. If it is optional, an API key implies its own. */
function workspaceOf(operation: Query, caller: Caller | null, named: string | null): string | null {
  if (operation.audience === 'workspace') return named
  if (namesWorkspace(operation) === 'none' || !caller) return null
  return named ?? (caller.kind === 'key' ? caller.workspace_id : null)
}
