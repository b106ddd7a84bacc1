/** One item of a stream: data, or only the position that the stream has reached. */
export interface StreamItem<Data = object> {
  /** Where to resume a stream that breaks off after this item. */
  position: string | null
  data?: Data
}

/** The client that a stream is sent to. */
export interface Listener<Data = object> {
  /**
   * Sends items. A list or item that goes to many streams is serialized once. Returns false if the client has
   * disconnected or reads too slowly; what is sent before `read` resolves is kept in memory.
   */
  send(items: readonly StreamItem<Data>[]): boolean
  /** Resolves when the client has read what was sent, or has disconnected. */
  read(): Promise<void>
}

/** Sends items to a listener until the stream ends. */
export type Stream<Data = object> = (listener: Listener<Data>) => Promise<void>
