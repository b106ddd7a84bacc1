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
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { CallerOf } from './caller.ts'
import type { Refuse } from './problem.ts'
import type { Standing } from './standing.ts'

/** In a Workspace there is standing; where any credential will do, there is if a Workspace was named; elsewhere there is none. */
type StandingOf<Op extends Operation> = Op['audience'] extends 'workspace'
  ? Standing
  : Op['audience'] extends 'anyone'
    ? Standing | null
    : null

interface Context<Op extends Operation> {
  caller: CallerOf[Op['audience']]
  standing: StandingOf<Op>
  now: Date
  refuse: Refuse<ProblemOf<Op>>
}

export interface QueryContext<Op extends Query> extends Context<Op> {
  read: Reader
}

export interface MutationContext<Op extends Mutation> extends Context<Op> {
  tx: Transaction
}

/** The revision goes into the ETag; only answers that are declared as tagged have one. */
type Tagged<Op extends Operation> = Op extends { tagged: string }
  ? { revision: number }
  : { revision?: never }

export type QueryOutcome<Op extends Query> = { result: OutputOf<Op> } & Tagged<Op>

export type MutationOutcome<Op extends Mutation> = {
  result: OutputOf<Op>
  events: readonly EventDraft<EventOf<Op>>[]
  /** What the receipt is about. */
  resource: { type: string; id: string }
  /** The fields that changed. */
  changed?: readonly string[]
} & Tagged<Op> &
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
 * replay is given out or a reused key is spoken of; the first run finds out through the handler itself.
 */
export type Visibility<Op extends Mutation> = (
  input: InputOf<Op>,
  context: MutationContext<Op>,
) => Promise<void>

/** A handler bound to its operation. Erased to what the pipeline calls; implement() is where the types are checked. */
export interface Implementation<Op extends Operation = Operation> {
  readonly operation: Op
  readonly handle: (input: never, context: never) => Promise<Outcome>
  readonly visible: ((input: never, context: never) => Promise<void>) | undefined
}

export interface Outcome {
  result: object
  revision?: number
  events?: readonly EventDraft[]
  resource?: { type: string; id: string }
  changed?: readonly string[]
  workspace_id?: string
}

type NamesThings<Op> = Op extends { http: `${string}{${string}` } ? true : false

type HandlerOf<Op extends Operation> = Op extends Query
  ? QueryHandler<Op>
  : Op extends Mutation
    ? MutationHandler<Op>
    : never
type VisibilityOf<Op extends Operation> = Op extends Mutation
  ? NamesThings<Op> extends true
    ? [Visibility<Op>]
    : [Visibility<Op>?]
  : []

/** Binds a handler to the operation it carries out. A mutation whose path names something also says when that is visible. */
export function implement<const Op extends Operation>(
  operation: Op,
  handle: HandlerOf<Op>,
  ...visible: VisibilityOf<Op>
): Implementation<Op> {
  return {
    operation,
    handle,
    visible: visible[0],
  }
}
