import type { Tracer } from '@opentelemetry/api'
import type { PgBoss } from 'pg-boss'
import { giveBack, GivenBack, type Attempt } from './give-back.ts'
import { noMeter } from '../telemetry/meter.ts'
import {
  jobKinds,
  jobRules,
  type JobCause,
  type JobData,
  type JobHandlers,
  type JobKind,
} from './job-kinds.ts'
import { failedStatement, innermostFrames, reasonOf, type JobLog } from './job-log.ts'
import { createJobMetrics, type JobMetrics } from './job-metrics.ts'
import { inJobSpan } from './job-span.ts'
import { deadLetterQueue, type BossSettings } from './open-boss.ts'

/** Jobs that run on this node. */
export interface Workers {
  /** Gives back every job that runs, while its handler may go on. */
  giveBackAll(): Promise<void>
}

/**
 * Starts the workers of each kind of job: as many as it may run at once, and each runs one job at a time. Handlers learn from
 * the signal that the node stops.
 */
export async function startWorkers(
  boss: PgBoss,
  handlers: JobHandlers,
  { log, tracer, pace, meter = noMeter }: BossSettings,
  stopping: AbortSignal,
): Promise<Workers> {
  const running = new Set<Attempt>()
  // A poll that finds nothing writes nothing.
  const metrics = createJobMetrics(meter)
  const polling = { pollingIntervalSeconds: pace?.poll ?? 1 }
  for (const kind of jobKinds)
    for (let worker = 0; worker < (jobRules[kind].workspacesAtOnce ?? 1); worker++)
      await workOn(
        boss,
        kind,
        handlers[kind],
        { ...polling, localGroupConcurrency: 1 },
        { log, tracer, metrics, stopping, running },
      )
  await boss.work(deadLetterQueue, { ...polling, includeMetadata: true }, async ([job]) => {
    metrics.noteGivenUp(job?.sourceName)
    log.error(
      {
        job_id: job?.sourceId,
        kind: job?.sourceName,
        request_id: (job?.data as Stored | undefined)?.cause?.request_id,
        attempts: (job?.sourceRetryCount ?? 0) + 1,
      },
      'a job failed at every attempt',
    )
  })
  return {
    async giveBackAll() {
      for (const attempt of running) {
        await giveBack(boss, attempt)
        log.info({ job_id: attempt.id, kind: attempt.name }, 'a job was given back, because the node stops')
      }
    },
  }
}

/** The data of a job as it is stored. */
interface Stored {
  cause?: JobCause
}

interface WorkerParts {
  log: JobLog
  tracer: Tracer | undefined
  metrics: JobMetrics
  stopping: AbortSignal
  /** What the workers of this node are at. */
  running: Set<Attempt>
}

async function workOn<Kind extends JobKind>(
  boss: PgBoss,
  kind: Kind,
  handle: JobHandlers[Kind],
  polling: { pollingIntervalSeconds: number; localGroupConcurrency: number },
  { log, tracer, metrics, stopping, running }: WorkerParts,
): Promise<void> {
  const worker: string = await boss.work<JobData[Kind] & Stored, void>(kind, polling, async ([job]) => {
    // More jobs may wait behind this one, so the next poll is due at once.
    boss.notifyWorker(worker)
    if (!job) return
    const { cause, ...data } = job.data
    const { id } = job
    const attempt: Attempt = { name: kind, id, retryCount: job.retryCount }
    const begun = performance.now()
    running.add(attempt)
    const failure = await inJobSpan(tracer, { id, kind, cause }, () =>
      failureOf(handle(data as JobData[Kind], { id, cause, stopping })),
    )
    running.delete(attempt)
    const took = performance.now() - begun
    if (failure?.isGivenBack) {
      await giveBack(boss, attempt)
      return log.info({ job_id: id, kind }, 'a job was given back, because the node stops')
    }
    metrics.noteAttempt(kind, failure ? 'failed' : 'succeeded', took)
    const line = { job_id: id, kind, request_id: cause?.request_id, ms: Math.round(took) }
    if (!failure) return log.info(line, 'job')
    log.warn(
      { ...line, reason: failure.reason, statement: failure.statement, at: failure.at },
      'a job failed; it will be retried',
    )
    // pg-boss stores the error with the job, so it has no more than the log.
    throw new Error(failure.reason)
  })
}

interface Failure {
  reason: string
  statement: string | undefined
  at: string[]
  isGivenBack: boolean
}

async function failureOf(work: Promise<void>): Promise<Failure | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return {
      reason: reasonOf(error),
      statement: failedStatement(error),
      at: innermostFrames(error),
      isGivenBack: error instanceof GivenBack,
    }
  }
}
