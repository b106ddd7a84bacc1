import type { ProblemCode } from '@wbs/contract/problems'
import type { MachineName, MoveOf, StateOf } from '@wbs/contract/state-machines'

/** A resource of a noun, whose moves a test can make. */
export interface Subject<Move extends string = string> {
  /** Its state, and its revision where it has one. */
  look(): Promise<{ state: string; revision?: number | undefined }>
  /**
   * Makes each move or, in a state from which it is not possible, tries to. If the service makes the move, it then does
   * nothing.
   */
  moves: Readonly<Record<Move, () => Promise<unknown>>>
}

/** How a request is refused. Without a status, any is right. */
export interface Refusal {
  code: ProblemCode
  current_status?: string
}

/** What the test of a state machine needs to know of its noun. */
export interface Driver<State extends string = string, Move extends string = string> {
  /** A new resource, in the initial state. */
  make(): Promise<Subject<Move>>
  /** How a move is refused where it is not by state_conflict with the status of the resource. */
  refusal?(move: Move, from: State): Refusal | undefined
}

export type DriverOf<N extends MachineName> = Driver<StateOf<N>, MoveOf<N>>

/** A driver of every machine: one that is missing fails to compile. */
export type Drivers = { readonly [N in MachineName]: DriverOf<N> }
