/** One attempt to send a request. */
export interface AttemptEntry {
  /** The name of the operation, or `send_part` for a part of an upload. */
  operation: string
  method: string
  /** The path as the reference shows it, such as `/v1/rooms/{room_id}`. Null for a part, whose address is a secret. */
  path: string | null
  /** 1 for the first attempt. */
  attempt: number
}

/** How an attempt ended. */
export interface Ending {
  /** Null without an answer. */
  status: number | null
  request_id: string | null
  /** The code of the problem, or the name of another error. Null if the attempt succeeded. */
  error: string | null
}

/** An attempt that has ended. */
export interface AnswerEntry extends AttemptEntry, Ending {
  /** From the request to the end of the answer; of content and streams, to its head. */
  milliseconds: number
}

/** An attempt that has failed and will be repeated. */
export interface RetryEntry extends AttemptEntry, Ending {
  /** The milliseconds until then. */
  pause: number
}

/**
 * Functions to log with. What they get has no credential, no input, no content and no address of a part. They are not
 * waited for, and what they throw is ignored.
 */
export interface Hooks {
  onRequest?(entry: AttemptEntry): unknown
  onAnswer?(entry: AnswerEntry): unknown
  onRetry?(entry: RetryEntry): unknown
}

/** Calls a function of the user of the client, whose errors are not those of the call. */
export function tell<Entry>(listener: ((entry: Entry) => unknown) | undefined, entry: Entry): void {
  ;(async () => listener?.(entry))().catch(() => {})
}
