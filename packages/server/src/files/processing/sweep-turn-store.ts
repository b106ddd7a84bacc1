import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { SweepPosition } from './sweep-blobs.ts'

/** The turn of one node to sweep. */
export interface SweepTurn {
  turn_id: string
  /** What the round has reached; null at its start. */
  position: SweepPosition | null
}

/** How long a node that is silent keeps its turn. */
export const turnMinutes = 5

/** Takes the turn if a round is due or was left, and nobody has it. */
export async function takeTurn(tx: Transaction): Promise<SweepTurn | undefined> {
  const [turn] = await tx.run(turnTake, { minutes: turnMinutes })
  return turn
}

/** Keeps what the round has reached, and lengthens the turn. False if it is somebody else's by now. */
export const keepTurn = async (tx: Transaction, turn_id: string, position: SweepPosition): Promise<boolean> =>
  (await tx.run(turnKeep, { turn_id, minutes: turnMinutes, position: JSON.stringify(position) })).length > 0

/** Lets another node go on with the round at once. */
export const leaveTurn = (tx: Transaction, turn_id: string): void => tx.save(turnLeave, { turn_id })

/** Ends the round; the next one is due after the pause. */
export const endRound = (tx: Transaction, turn_id: string, pauseMilliseconds: number): void =>
  tx.save(roundEnd, { turn_id, pause_seconds: pauseMilliseconds / 1000 })

const turnTake = write<SweepTurn>(
  'sweep_turn_take',
  `update content_sweep set turn_id = gen_random_uuid(), turn_ends_at = statement_timestamp() + make_interval(mins => :minutes)
   where due_at <= statement_timestamp() and (turn_ends_at is null or turn_ends_at <= statement_timestamp())
   returning turn_id, position`,
)

const turnKeep = write<object>(
  'sweep_turn_keep',
  `update content_sweep set position = :position::jsonb, turn_ends_at = statement_timestamp() + make_interval(mins => :minutes)
   where turn_id = :turn_id returning 1`,
)

const turnLeave = write(
  'sweep_turn_leave',
  'update content_sweep set turn_id = null, turn_ends_at = null where turn_id = :turn_id',
)

const roundEnd = write(
  'sweep_round_end',
  `update content_sweep set position = null, turn_id = null, turn_ends_at = null,
     due_at = statement_timestamp() + make_interval(secs => :pause_seconds)
   where turn_id = :turn_id`,
)
