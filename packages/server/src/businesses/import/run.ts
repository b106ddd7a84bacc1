/** What the statements of a run have in common. */
export interface Run {
  publish: boolean
  /** When it started, as an expression of SQL. */
  startedAt: string
}
