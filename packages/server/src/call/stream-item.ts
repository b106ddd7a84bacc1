/** One item of a stream: something to tell, or only how far it has come. */
export interface StreamItem<Data = object> {
  /** Where a stream goes on that breaks off here. */
  position: string | null
  data?: Data
}

/** What a stream tells as it comes: some items at once. Lists and items that many streams share are written once. */
export type StreamItems<Data = object> = AsyncIterable<readonly StreamItem<Data>[]>
