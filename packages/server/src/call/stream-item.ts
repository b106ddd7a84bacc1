/** One item of a stream: something to tell, or only how far it has come. */
export interface StreamItem<Data = object> {
  /** Where a stream goes on that breaks off here. */
  position: string | null
  data?: Data
}

/** Where a stream is sent. */
export interface Listener<Data = object> {
  /**
   * Sends some items at once; lists and items that many are sent are written once. False where the client has not read
   * enough of what it was sent, or is gone: what is sent before it has `read` is kept in memory.
   */
  send(items: readonly StreamItem<Data>[]): boolean
  /** Resolves when the client has read what it was sent, or is gone. */
  read(): Promise<void>
}

/** Tells a listener what comes, until the stream ends. */
export type Stream<Data = object> = (listener: Listener<Data>) => Promise<void>
