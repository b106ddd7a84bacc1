import type { Tracer } from '@opentelemetry/api'
import type { PgBoss } from 'pg-boss'
import { noMeter } from '../telemetry/meter.ts'
import {
  jobKinds,
  jobRules,
  type JobCause,
  type JobData,
  type JobHandlers,
  type JobKind,
} from './job-kinds.ts'
import { innermostFrames, reasonOf, type JobLog } from './job-log.ts'
import { createJobMetrics, type JobMetrics } from './job-metrics.ts'
import { inJobSpan } from './job-span.ts'
import { deadLetterQueue, type BossSettings } from './open-boss.ts'

/** Starts the workers of each kind of job: as many as it may run at once, and each runs one job at a time. */
export async function startWorkers(
  boss: PgBoss,
  handlers: JobHandlers,
  { log, tracer, pace, meter = noMeter }: BossSettings,
): Promise<void> {
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
        { log, tracer, metrics },
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
}

/** The data of a job as it is stored. */
interface Stored {
  cause?: JobCause
}

async function workOn<Kind extends JobKind>(
  boss: PgBoss,
  kind: Kind,
  handle: JobHandlers[Kind],
  polling: { pollingIntervalSeconds: number; localGroupConcurrency: number },
  { log, tracer, metrics }: { log: JobLog; tracer: Tracer | undefined; metrics: JobMetrics },
): Promise<void> {
  const worker: string = await boss.work<JobData[Kind] & Stored, void>(kind, polling, async ([job]) => {
    // More jobs may wait behind this one, so the next poll is due at once.
    boss.notifyWorker(worker)
    if (!job) return
    const { cause, ...data } = job.data
    const { id } = job
    const begun = performance.now()
    const failure = await inJobSpan(tracer, { id, kind, cause }, () =>
      failureOf(handle(data as JobData[Kind], { id, cause })),
    )
    const took = performance.now() - begun
    metrics.noteAttempt(kind, failure ? 'failed' : 'succeeded', took)
    const line = { job_id: id, kind, request_id: cause?.request_id, ms: Math.round(took) }
    if (!failure) return log.info(line, 'job')
    log.warn({ ...line, ...failure }, 'a job failed; it will be retried')
    // pg-boss stores the error with the job, so it has no more than the log.
    throw new Error(failure.reason)
  })
}

async function failureOf(work: Promise<void>): Promise<{ reason: string; at: string[] } | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return { reason: reasonOf(error), at: innermostFrames(error) }
  }
}
