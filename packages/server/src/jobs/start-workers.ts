import type { PgBoss } from 'pg-boss'
import { noMeter } from '../telemetry/meter.ts'
import { jobKinds, jobRules, type JobData, type JobHandlers, type JobKind } from './job-kinds.ts'
import { innermostFrames, reasonOf, type JobLog } from './job-log.ts'
import { createJobMetrics, type JobMetrics } from './job-metrics.ts'
import { deadLetterQueue, type BossSettings } from './open-boss.ts'

/** Starts the workers of each kind of job: as many as it may run at once, and each runs one job at a time. */
export async function startWorkers(
  boss: PgBoss,
  handlers: JobHandlers,
  { log, pace, meter = noMeter }: BossSettings,
): Promise<void> {
  // A poll that finds nothing writes nothing.
  const metrics = createJobMetrics(meter)
  const polling = { pollingIntervalSeconds: pace?.poll ?? 1 }
  for (const kind of jobKinds)
    for (let worker = 0; worker < (jobRules[kind].workspacesAtOnce ?? 1); worker++)
      await workOn(boss, kind, handlers[kind], { ...polling, localGroupConcurrency: 1 }, { log, metrics })
  await boss.work(deadLetterQueue, { ...polling, includeMetadata: true }, async ([job]) => {
    metrics.noteGivenUp(job?.sourceName)
    log.error(
      { job_id: job?.sourceId, kind: job?.sourceName, attempts: (job?.sourceRetryCount ?? 0) + 1 },
      'a job failed at every attempt',
    )
  })
}

async function workOn<Kind extends JobKind>(
  boss: PgBoss,
  kind: Kind,
  handle: JobHandlers[Kind],
  polling: { pollingIntervalSeconds: number; localGroupConcurrency: number },
  { log, metrics }: { log: JobLog; metrics: JobMetrics },
): Promise<void> {
  const worker: string = await boss.work<JobData[Kind], void>(kind, polling, async ([job]) => {
    // More jobs may wait behind this one, so the next poll is due at once.
    boss.notifyWorker(worker)
    if (!job) return
    const begun = performance.now()
    const failure = await failureOf(handle(job.data, { id: job.id }))
    metrics.noteAttempt(kind, failure ? 'failed' : 'succeeded', performance.now() - begun)
    if (!failure) return
    log.warn({ job_id: job.id, kind, ...failure }, 'a job failed; it will be retried')
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
