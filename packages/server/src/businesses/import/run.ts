import type pg from 'pg'
import type { JobDraft } from '../../jobs/job-kinds.ts'

/** What the statements of a run have in common. */
export interface Run {
  publish: boolean
  /** When it started, as an expression of SQL. */
  startedAt: string
  /** Writes jobs down in the transaction that the connection is in. */
  sendJobs: (client: pg.Client, drafts: readonly JobDraft[]) => Promise<void>
}

/** Rows of a plan, by their numbers, both ends included. */
export interface Range {
  from: number
  to: number
}
