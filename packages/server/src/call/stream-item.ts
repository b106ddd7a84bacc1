/** One item of a stream: something to tell, or only how far it has come. */
export interface StreamItem<Data = object> {
  /** Where a stream goes on that breaks off here. */
  position: string | null
  data?: Data
}
