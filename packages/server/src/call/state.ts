import { nextState, type StateMachine } from '@wbs/contract/state-machine'
import type { Refuse } from './problem.ts'

/** The state to which a move leads. Throws state_conflict with `detail` if it is not possible from the current one. */
export function requireMove<State extends string, Move extends string>(
  machine: StateMachine<State, Move>,
  move: NoInfer<Move>,
  from: NoInfer<State>,
  detail: string,
  refuse: Pick<Refuse<'state_conflict'>, 'state_conflict'>,
): State {
  const to = nextState(machine, move, from)
  if (to === undefined) throw refuse.state_conflict(detail, { current_status: from })
  return to
}
