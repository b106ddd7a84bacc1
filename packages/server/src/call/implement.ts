import type { EventDraft } from '@wbs/contract/events'
import type {
  EventOf,
  InputOf,
  Mutation,
  Operation,
  OutputOf,
  ProblemOf,
  Query,
} from '@wbs/contract/operation'
import type { ResourceType } from '@wbs/contract/receipts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { JobDraft } from '../jobs/job-kinds.ts'
import type { CallerOf } from './authority/caller.ts'
import type { Refuse } from './problem.ts'
import type { GuestStanding, Standing, WorkspaceLock } from './authority/standing.ts'
import type { Stream } from './stream-item.ts'

/** In a Workspace there is standing; where any credential will do, there is if a Workspace was named; elsewhere there is none. */
type StandingOf<Op extends Operation> = Op['audience'] extends 'workspace'
  ? Standing | (Op extends { guests: true } ? GuestStanding : never)
  : Op extends { audience: 'anyone' } | { may_name_workspace: true }
    ? Standing | null
    : null

interface Context<Op extends Operation> {
  caller: CallerOf[Op['audience']]
  standing: StandingOf<Op>
  now: Date
  refuse: Refuse<ProblemOf<Op>>
}

export type QueryContext<Op extends Query> = Context<Op> & { read: Reader } & (Op extends { waits: string }
    ? { wait: WaitContext<Op> }
    : unknown) &
  // A secret that nobody can guess may lead into a Workspace without any standing there.
  (Op extends { audience: 'public' } ? { within(workspace_id: string): Reader } : unknown)

/** What a handler goes by that waits for something to happen. */
export interface WaitContext<Op extends Operation = Operation> {
  /** Aborted when nobody waits for the answer any more: the caller has gone, or the service stops. */
  signal: AbortSignal
  /** The input's cursor came in the header Last-Event-ID. */
  resumes: boolean
  /** Says that it only waits from here on. */
  begin(): void
  /**
   * The caller's standing now. Throws what the judging before the handler throws: the credential may have ended
   * meanwhile, or standing been lost.
   */
  currentStanding(): Promise<StandingOf<Op>>
  /**
   * That the caller's access token still holds, for one whose standing was judged just now along with that of others; it
   * needs no database, and is judged once a second at most. Throws what the judging of a token does.
   */
  requireValidToken(): Promise<void>
}

export interface MutationContext<Op extends Mutation> extends Context<Op> {
  tx: Transaction
}

/** The revision goes into the ETag; only answers that are declared as tagged have one. */
type Tagged<Op extends Operation> = Op extends { tagged: string }
  ? { revision: number }
  : { revision?: never }

export type QueryOutcome<Op extends Query> = Op extends { waits: 'stream' }
  ? { stream: Stream<OutputOf<Op>> }
  : { result: OutputOf<Op> } & Tagged<Op>

export type MutationOutcome<Op extends Mutation> = {
  result: OutputOf<Op>
  events: readonly EventDraft<EventOf<Op>>[]
  /** What the receipt is about: whoever sees it no more is not told again. */
  resource: { type: ResourceType; id: string }
  /** The fields that changed. */
  changed?: readonly string[]
  /** What is to be done once the change is committed, and not if it is not. */
  jobs?: readonly JobDraft[]
} & Tagged<Op> &
  // It was there already, and nothing was made.
  (Op extends { status_if_found: 200 } ? { found?: boolean } : { found?: never }) &
  // An operation outside a Workspace says in which one its receipt and events are kept.
  (Op['audience'] extends 'workspace' ? { workspace_id?: never } : { workspace_id: string })

export type QueryHandler<Op extends Query> = (
  input: InputOf<Op>,
  context: QueryContext<Op>,
) => Promise<QueryOutcome<Op>>
export type MutationHandler<Op extends Mutation> = (
  input: InputOf<Op>,
  context: MutationContext<Op>,
) => Promise<MutationOutcome<Op>>

/**
 * Throws not_found if something that the input names cannot be seen by the caller (any more). It is asked before a
 * reused key is spoken of; the first run finds out through the handler itself. Whether the caller sees what the receipt
 * names is asked of every replay besides (sight.ts).
 */
export type Visibility<Op extends Mutation> = (
  input: InputOf<Op>,
  context: MutationContext<Op>,
) => Promise<void>

/** What the path does for a mutation before its handler runs. */
export interface MutationOptions<Op extends Mutation> {
  visible?: Visibility<Op>
  /**
   * What its handler locks and looks at first, for the standing that is given: it is sent before it is known whether the
   * caller has that standing still, and counts only where the handler then asks for the same (Transaction.ahead). What it
   * locks of things that may be hidden, it locks for the seal of the standing alone (mayLockFor).
   */
  prefetch?: (
    input: InputOf<Op>,
    context: Pick<MutationContext<Op>, 'caller' | 'standing' | 'tx'>,
  ) => Promise<unknown>
  /**
   * What it locks before anything else of the Workspace, its caller's own standing included: changes that take the same
   * lock run one after the other, and none waits for another that waits for it. `team` keeps out other changes of who
   * belongs there; `workspace` keeps out every change in the Workspace.
   */
  locks?: WorkspaceLock
  /**
   * Whoever does this need not belong to the Workspace that keeps its receipt: `visible` alone says who may be told of it
   * again. Elsewhere that is for members only.
   */
  outsiders?: true
}

/** A handler bound to its operation. Erased to what the pipeline calls; implement() is where the types are checked. */
export interface Implementation<Op extends Operation = Operation> {
  readonly operation: Op
  readonly handle: (input: never, context: never) => Promise<Outcome>
  readonly visible: ((input: never, context: never) => Promise<void>) | undefined
  readonly prefetch: ((input: never, context: never) => Promise<unknown>) | undefined
  readonly locks: WorkspaceLock | undefined
  readonly outsiders: boolean
}

export interface Outcome {
  result?: object
  stream?: Stream
  revision?: number
  events?: readonly EventDraft[]
  resource?: { type: string; id: string }
  changed?: readonly string[]
  jobs?: readonly JobDraft[]
  workspace_id?: string
  found?: boolean
}

/** Whether a path names something that may be hidden. The Workspace is not: standing in it has been judged. */
type NamesThings<Http extends string> = Http extends `${infer Before}{workspace_id}${infer After}`
  ? NamesThings<`${Before}${After}`>
  : Http extends `${string}{${string}`
    ? true
    : false

type HandlerOf<Op extends Operation> = Op extends Query
  ? QueryHandler<Op>
  : Op extends Mutation
    ? MutationHandler<Op>
    : never
type BeforehandOf<Op extends Operation> = Op extends Mutation
  ? NamesThings<Op['http']> extends true
    ? [MutationOptions<Op> & { visible: Visibility<Op> }]
    : [MutationOptions<Op>?]
  : []

/** Binds a handler to the operation it carries out. A mutation whose path names something also says when that is visible. */
export function implement<const Op extends Operation>(
  operation: Op,
  handle: HandlerOf<Op>,
  ...[before]: BeforehandOf<Op>
): Implementation<Op> {
  return {
    operation,
    handle: handle as Implementation['handle'],
    visible: before?.visible,
    prefetch: before?.prefetch,
    locks: before?.locks,
    outsiders: before?.outsiders ?? false,
  }
}
