import type { EventDraft } from '@wbs/contract/events'
import { scopesOf, workspaceOf } from '@wbs/contract/operation'
import type {
  EventOf,
  InputOf,
  Mutation,
  Operation,
  OutputOf,
  ProblemOf,
  Query,
} from '@wbs/contract/operation'
import type { Scope } from '@wbs/contract/scopes'
import type { ResourceType } from '@wbs/contract/receipts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { JobDraft } from '../jobs/job-kinds.ts'
import type { Bytes } from './bytes.ts'
import type { Compute, ComputedBy } from './waiting/compute.ts'
import type { CallerOf } from './authority/caller.ts'
import { refuseWith, type Refuse } from './problem.ts'
import type { GuestStanding, Standing, WorkspaceLock } from './authority/standing.ts'
import type { Stream } from './stream-item.ts'
import type { WaitWithoutSlot } from './waiting/wait-without-slot.ts'

/** Always set if the audience is a Workspace; null without SVC-Workspace-Id if the header is optional; else null. */
type StandingOf<Op extends Operation> = Op['audience'] extends 'workspace'
  ? Standing | (Op extends { guests: true } ? GuestStanding : never) | VisitorOf<Op>
  : Op extends { audience: 'anyone' } | { may_name_workspace: true }
    ? Standing | null
    : null

/** A visitor has no standing. What changes something for visitors is a handler of its own. */
type VisitorOf<Op extends Operation> = Op extends { kind: 'query'; visitors: true } ? null : never

interface Context<Op extends Operation> {
  caller: CallerOf[Op['audience']] | VisitorOf<Op>
  standing: StandingOf<Op>
  now: Date
  refuse: Refuse<ProblemOf<Op>>
}

export type QueryContext<Op extends Query> = Context<Op> & {
  read: Reader
  /** Releases the request's slot while it waits for something long. Throws unavailable if no slot is free afterwards. */
  waitWithoutSlot: WaitWithoutSlot
  /** A signal that is aborted with a Problem when the client has disconnected. */
  gone(): AbortSignal
} & (Op extends { waits: string } ? { wait: WaitContext<Op> } : unknown) &
  // What was read shows everything that was committed before this time.
  (Op extends { audience: 'anyone' } ? { asOf(): Date } : unknown) &
  // The header SVC-Claim-Token, with which a visitor reads; null if it was not sent.
  (Op extends { visitors: true } ? { claim_token: string | null } : unknown) &
  // An invitation token names a Workspace in which the caller has no standing.
  (Op extends { audience: 'public' } ? { within(workspace_id: string): Reader } : unknown)

/** What a handler needs that waits for something to happen. */
export interface WaitContext<Op extends Operation = Operation> {
  /** Aborted when the client has disconnected or the service stops. */
  signal: AbortSignal
  /** Whether the cursor came in the header Last-Event-ID. */
  resumes: boolean
  /** Marks the request as waiting, which releases its slot. */
  begin(): void
  /**
   * Judges the caller's credential and standing again. Throws as before the handler: either may have been revoked while
   * it waited.
   */
  currentStanding(): Promise<StandingOf<Op>>
  /**
   * Checks that the access token is still valid, at most once a second and without the database. For callers whose
   * standing was just judged together with that of others. Throws unauthenticated.
   */
  requireValidToken(): Promise<void>
}

/** What the handler of a visitor's change gets. There is no Workspace, so it writes no receipt and no event. */
export interface VisitorContext<Op extends Mutation, Work extends Compute = Compute> {
  tx: Transaction
  computed: ComputedBy<Work>
  now: Date
  request_id: string
  /** The same for a request that is sent again with its Idempotency-Key, and different for every other. */
  request_digest: Buffer
  refuse: Refuse<ProblemOf<Op>>
}

/** What it returns. */
export type VisitorOutcome<Op extends Mutation> = {
  result: OutputOf<Op>
  /** The ID of the earlier request that made it; null if this one did. */
  found: string | null
} & Tagged<Op>

export interface MutationContext<
  Op extends Mutation,
  Prepared = unknown,
  Work extends Compute = Compute,
> extends Context<Op> {
  tx: Transaction
  /** What `prepare` returned. */
  prepared: Prepared
  computed: ComputedBy<Work>
}

/** What `prepare` gets. There is no transaction, and nothing is locked. */
export interface PrepareContext<Op extends Mutation> extends Omit<Context<Op>, 'refuse'> {
  read: Reader
  /** Releases the request's slot while it waits for something long. Throws unavailable if no slot is free afterwards. */
  waitWithoutSlot: WaitWithoutSlot
}

/** What `finish` gets. */
export type FinishContext<Op extends Mutation> = Omit<PrepareContext<Op>, 'now'>

/**
 * The revision becomes the ETag; only answers that are declared as tagged have one. `hasUnversioned`: the answer has a part that
 * changes without a new revision, so it is sent again although the client has the revision.
 */
type Tagged<Op extends Operation> = Op extends { tagged: string }
  ? { revision: number; hasUnversioned?: boolean }
  : { revision?: never }

export type QueryOutcome<Op extends Query> = Op extends { waits: 'stream' }
  ? { stream: Stream<OutputOf<Op>> }
  : Op extends { answers: 'bytes' }
    ? { bytes: Bytes }
    : ({ result: OutputOf<Op> } & Tagged<Op>) | (Op extends { answers: 'either' } ? { bytes: Bytes } : never)

/** The types of events that an operation emits. If there are none, the error of the compiler says so. */
type EmittedBy<Op extends Mutation> = [EventOf<Op>] extends [never]
  ? 'emits is empty in the declaration'
  : EventOf<Op>

export type MutationOutcome<Op extends Mutation> = {
  result: OutputOf<Op>
  events: readonly EventDraft<EmittedBy<Op>>[]
  /** The resource of the receipt. A caller who cannot see it any more does not get the stored answer again. */
  resource: { type: ResourceType; id: string }
  /** The fields that changed. */
  changed?: readonly string[]
  /** Jobs to run after the change is committed. */
  jobs?: readonly JobDraft[]
} & Tagged<Op> &
  // Set if the resource existed already and nothing was created.
  (Op extends { status_if_found: 200 } ? { found?: boolean } : { found?: never }) &
  // An operation outside a Workspace names the one that keeps its receipt and events.
  (Op['audience'] extends 'workspace' ? { workspace_id?: never } : { workspace_id: string })

export type QueryHandler<Op extends Query> = (
  input: InputOf<Op>,
  context: QueryContext<Op>,
) => Promise<QueryOutcome<Op>>
export type MutationHandler<Op extends Mutation, Prepared = unknown, Work extends Compute = Compute> = (
  input: InputOf<Op>,
  context: MutationContext<Op, Prepared, Work>,
) => Promise<MutationOutcome<Op>>

/**
 * Checks, before a replay, that the caller can still see the resources that the input names. Throws not_found. The
 * first request finds this out in its handler. Whether the caller can see the resource of the receipt is checked for
 * every replay as well (commands/visibility.ts).
 */
export type Visibility<Op extends Mutation> = (
  input: InputOf<Op>,
  context: MutationContext<Op>,
) => Promise<void>

/** What a mutation needs before its handler runs. */
export interface MutationOptions<Op extends Mutation, Prepared = unknown, Work extends Compute = Compute> {
  visible?: Visibility<Op>
  /** What a replay shows of the stored answer, where a part of it takes a permission that the caller may have lost since. */
  replayed?: (stored: OutputOf<Op>, standing: StandingOf<Op>) => OutputOf<Op>
  /**
   * Runs before the transaction what takes too long for one, such as reading gigabytes. The caller has standing and scope, and
   * no request has used the key. It may run twice, and at the same time for requests with different keys, so it must do
   * nothing that matters if it is repeated or if the change is refused afterwards. It does not refuse: the handler does. Only
   * for operations of a Workspace.
   */
  prepare?: (input: InputOf<Op>, context: PrepareContext<Op>) => Promise<Prepared>
  /** What `computed` of the handler's context does, between two transactions. */
  compute?: Work
  /**
   * Takes back what `prepare` did, after the change was refused. Nobody waits for it, and it may not run at all, so it only
   * does early what would be done later anyway.
   */
  abandon?: (prepared: Prepared, scope: { workspace_id: string }) => Promise<unknown>
  /**
   * Sends the first locks and reads of the handler early, with the standing that the caller had last. The results are
   * used only if the handler then runs the same statements (Transaction.prefetch). A lock on something that may be
   * hidden is only taken if the seal of the standing still matches (mayLockForSql).
   */
  prefetch?: (
    input: InputOf<Op>,
    context: Pick<MutationContext<Op>, 'caller' | 'standing' | 'tx'>,
  ) => Promise<unknown>
  /**
   * Runs after the commit, and after a replay, and gives the answer as it has become since: for a change that goes on in a job
   * which the request can also run itself. The stored answer stays as it was, and is
   * given if this fails, since the change was made.
   */
  finish?: (
    answer: OutputOf<Op>,
    context: FinishContext<Op>,
  ) => Promise<{ result: OutputOf<Op> } & Tagged<Op>>
  /** What a visitor gets, who has neither a Workspace nor a receipt. Only for operations that visitors may call. */
  visitor?: (input: InputOf<Op>, context: VisitorContext<Op, Work>) => Promise<VisitorOutcome<Op>>
  /**
   * A lock taken before all others in the Workspace, even those of the caller's authority, so that changes with the same
   * lock run one after the other and cannot deadlock. Only a caller with standing gets that far. `team` excludes other
   * changes of the team; `workspace` excludes every change in the Workspace.
   */
  locks?: WorkspaceLock
  /**
   * Set if `visible` alone decides who may get the stored answer again: the caller need not be a member of the Workspace that
   * keeps the receipt, or see the resource of the receipt.
   */
  outsiders?: true
}

/** A handler bound to its operation, with its types erased: `implement` has checked them. */
export interface Implementation<Op extends Operation = Operation> {
  readonly operation: Op
  readonly handle: (input: never, context: never) => Promise<Outcome>
  readonly visible: ((input: never, context: never) => Promise<void>) | undefined
  readonly replayed: ((stored: never, standing: never) => object) | undefined
  readonly prefetch: ((input: never, context: never) => Promise<unknown>) | undefined
  readonly finish:
    | ((answer: never, context: never) => Promise<{ result: object; revision?: number }>)
    | undefined
  readonly prepare: ((input: never, context: never) => Promise<unknown>) | undefined
  readonly abandon: ((prepared: never, scope: { workspace_id: string }) => Promise<unknown>) | undefined
  readonly compute: Compute | undefined
  readonly visitor:
    | ((input: never, context: never) => Promise<{ result: object; found: string | null; revision?: number }>)
    | undefined
  readonly locks: WorkspaceLock | undefined
  readonly outsiders: boolean
  /** What follows from the declaration, so that no request works it out again. */
  readonly scopes: readonly Scope[]
  readonly takesWorkspace: ReturnType<typeof workspaceOf>
  readonly refuse: Refuse<ProblemOf<Op>>
}

export interface Outcome {
  result?: object
  stream?: Stream
  bytes?: Bytes
  revision?: number
  hasUnversioned?: boolean
  events?: readonly EventDraft[]
  resource?: { type: string; id: string }
  changed?: readonly string[]
  jobs?: readonly JobDraft[]
  workspace_id?: string
  found?: boolean
}

/** Whether a path names a resource that may be hidden. The Workspace does not count, since the caller has standing in it. */
type NamesThings<Http extends string> = Http extends `${infer Before}{workspace_id}${infer After}`
  ? NamesThings<`${Before}${After}`>
  : Http extends `${string}{${string}`
    ? true
    : false

type HandlerOf<Op extends Operation, Prepared, Work extends Compute> = Op extends Query
  ? QueryHandler<Op>
  : Op extends Mutation
    ? MutationHandler<Op, Prepared, Work>
    : never
type OptionsOf<Op extends Operation, Prepared, Work extends Compute> = Op extends Mutation
  ? NamesThings<Op['http']> extends true
    ? [MutationOptions<Op, Prepared, Work> & { visible: Visibility<Op> }]
    : [MutationOptions<Op, Prepared, Work>?]
  : []

/** Binds a handler to its operation. A mutation whose path names a resource must also say when that is visible. */
export function implement<const Op extends Operation, Prepared = unknown, Work extends Compute = Compute>(
  operation: Op,
  handle: HandlerOf<Op, Prepared, Work>,
  ...[options]: OptionsOf<Op, Prepared, Work>
): Implementation<Op> {
  return {
    operation,
    handle: handle as Implementation['handle'],
    visible: options?.visible,
    replayed: options?.replayed,
    prefetch: options?.prefetch,
    finish: options?.finish,
    prepare: options?.prepare,
    abandon: options?.abandon,
    compute: options?.compute,
    visitor: options?.visitor,
    locks: options?.locks,
    outsiders: options?.outsiders ?? false,
    scopes: scopesOf(operation),
    takesWorkspace: workspaceOf(operation),
    refuse: refuseWith(operation.problems as readonly ProblemOf<Op>[]),
  }
}
