/** A change that the service acknowledged. Times are in milliseconds since 1970. */
export interface AcknowledgedChange {
  idempotency_key: string
  operation: 'create_room' | 'update_room'
  workspace_id: string
  /** The API key that made it. */
  key_id: string
  room_id: string
  /** The revision of the Room after the change. */
  revision: number
  title: string
  command_id: string
  receipt_id: string
  /** Whether an earlier attempt had made the change, and its answer was lost. */
  idempotent_replay: boolean
  attempts: number
  sent_at: number
  acknowledged_at: number
}

/** A change for which no attempt was acknowledged. It may have happened. */
export type UnansweredChange = Pick<
  AcknowledgedChange,
  'idempotency_key' | 'operation' | 'workspace_id' | 'key_id' | 'attempts' | 'sent_at'
> & { error: string }

/** An attempt that failed: it got no answer, or was refused. */
export interface FailedAttempt {
  at: number
  operation: string
  /** Null without an answer. */
  status: number | null
  /** The code of the problem, or what the socket said. */
  reason: string
  milliseconds: number
}

/** A Room that was read with an older revision than the reader's own acknowledged change had given it. */
export interface StaleRead {
  at: number
  room_id: string
  acknowledged: number
  read: number
}

/** The calls of one kind. A call is sent again until it succeeds or all its attempts are used. */
export interface CallFigures {
  succeeded: number
  per_second: number
  /** From the first attempt to the answer. */
  p50_ms: number
  p99_ms: number
  max_ms: number
  /** The longest time in which no call succeeded. */
  longest_pause_ms: number
  /** Attempts without an answer or with a status from 500 on. */
  failed_attempts: number
  /** Attempts that were refused with 429. */
  limited_attempts: number
  /** Calls of which no attempt succeeded. */
  failed: number
}

export interface LoadReport {
  seconds: number
  changes: CallFigures
  reads: CallFigures
  acknowledged: AcknowledgedChange[]
  unanswered: UnansweredChange[]
  /** All failed attempts, in order. */
  attempts: FailedAttempt[]
  /** Reads of which no attempt succeeded. */
  failed_reads: string[]
  stale_reads: StaleRead[]
}
