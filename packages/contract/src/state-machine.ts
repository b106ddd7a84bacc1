/**
 * A state machine as a table: for each move, the states from which it is possible, and the state to which it leads. A state
 * from which no move leads to another one is terminal.
 */
export interface StateMachine<State extends string = string, Move extends string = string> {
  readonly states: readonly State[]
  /** The state of a new resource. */
  readonly initial: State
  readonly moves: Readonly<Record<Move, Readonly<Partial<Record<State, State>>>>>
}

/** Declares a state machine. */
export const stateMachine = <State extends string, Move extends string>(
  states: readonly State[],
  initial: NoInfer<State>,
  moves: Readonly<Record<Move, Readonly<Partial<Record<NoInfer<State>, NoInfer<State>>>>>>,
): StateMachine<State, Move> => ({ states, initial, moves })

/** The state to which a move leads; undefined if the move is not possible from a state. */
export const nextState = <State extends string, Move extends string>(
  machine: StateMachine<State, Move>,
  move: NoInfer<Move>,
  from: NoInfer<State>,
): State | undefined => machine.moves[move][from]
