import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { jobsWriterConfig, openPools } from '../../src/database/database.ts'
import type { Transaction } from '../../src/database/connections/writer.ts'
import { sendJobs } from '../../src/call/commands/send-jobs.ts'
import { jobKinds, type JobData, type JobDraft, type JobHandlers } from '../../src/jobs/job-kinds.ts'
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts'
import { createShutdown } from '../../src/shutdown.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

/** The request that all jobs of these nodes follow from. */
export const requestOfJobs = 'req_0123456789abcdefghjkmnpqrs'

type Handler = JobHandlers['mail_team_invitation']

/** A node that only runs jobs, with its own connections and log. */
export interface JobNode {
  jobs: Jobs
  logged: { level: string; message: string; details: Record<string, unknown> }[]
  /** Sends a job in a transaction that ends as `work` does; gives the data of the job. */
  ask(work?: (tx: Transaction) => Promise<void>): Promise<JobData['mail_team_invitation']>
  close(): Promise<void>
}

/** A database of jobs, and nodes on it. */
export interface JobWorld {
  testDatabase: TestDatabase
  /** Starts nodes, each with a handler if one is given. */
  node(handler?: Handler): JobNode
  sql<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Closes the nodes, so that none takes the jobs of the next test, and deletes the jobs. */
  clear(): Promise<void>
  close(): Promise<void>
}

const nothing = async () => {}
const doNothing = Object.fromEntries(jobKinds.map(kind => [kind, nothing])) as unknown as JobHandlers

/** The shortest intervals that pg-boss allows. */
const pace = { poll: 0.5, firstPause: 1, supervise: 1, attempt: 6 }

export async function startJobWorld(): Promise<JobWorld> {
  const testDatabase = await createTestDatabase()
  const admin = superuserPool(testDatabase.address, 1)
  const nodes: JobNode[] = []
  const closeNodes = () => Promise.all(nodes.splice(0).map(node => node.close()))
  return {
    testDatabase,
    node(handler) {
      const node = jobNode(testDatabase, handler)
      nodes.push(node)
      return node
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await admin.query<Row>(text, values)).rows
    },
    async clear() {
      await closeNodes()
      await admin.query('delete from svc_jobs.job')
    },
    async close() {
      await closeNodes()
      await admin.end()
      await testDatabase.drop()
    },
  }
}

function jobNode({ address }: TestDatabase, handler?: Handler): JobNode {
  const logged: JobNode['logged'] = []
  const log = Object.fromEntries(
    ['info', 'warn', 'error'].map(level => [
      level,
      (details: object, message: string) =>
        void logged.push({ level, message, details: details as Record<string, unknown> }),
    ]),
  ) as Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
  const jobs = createJobs({ connection: jobsWriterConfig(address), log, pace })
  const database = openPools(address, log)
  const shutdown = createShutdown()
  shutdown.add('jobs', () => jobs.stopWorking())
  shutdown.add('jobs_connection', () => jobs.close())
  shutdown.add('database', () => database.close())
  if (handler) jobs.work({ ...doNothing, mail_team_invitation: handler })
  let closing: Promise<void> | undefined
  return {
    jobs,
    logged,
    async ask(work = async () => {}) {
      const data = { workspace_id: randomUUID(), invitation_id: randomUUID(), token_number: 1 }
      const drafts: JobDraft[] = [{ kind: 'mail_team_invitation', data }]
      await jobs.open()
      await database.writers.transaction({ workspace_id: null, user_id: null }, async tx => {
        await sendJobs(tx, jobs, drafts, { request_id: requestOfJobs })
        await work(tx)
      })
      return data
    },
    close: () => (closing ??= shutdown.close()),
  }
}
