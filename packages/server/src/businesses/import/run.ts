import type pg from 'pg'
import type { JobDraft } from '../../jobs/job-kinds.ts'

/** What all statements of an import need. */
export interface Run {
  publish: boolean
  /** When the import started, as an SQL expression. */
  startedAt: string
  /** How many rows a transaction writes. */
  batchSize: number
  /** Queues jobs in the transaction of the connection. */
  sendJobs: (client: pg.Client, drafts: readonly JobDraft[]) => Promise<void>
}

/** A range of row numbers, both ends included. */
export interface Range {
  from: number
  to: number
}
