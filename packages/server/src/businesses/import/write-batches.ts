import type pg from 'pg'
import type { Progress } from './progress.ts'
import type { Range, Run } from './run.ts'
import { writeChanged } from './write-changed.ts'
import { writeNew } from './write-new.ts'
import type { Plan } from './match.ts'

/**
 * Carries out a plan in batches, each in its own transaction. If the import stops, whole batches are written, and the next run
 * writes the rest.
 */
export async function writePlan(
  client: pg.Client,
  plan: Plan,
  run: Run,
  progress: Progress,
  signal: AbortSignal,
) {
  const steps = [
    ...batches({ from: 1, to: plan.created }, run.batchSize).map(range => ({
      range,
      write: writeNew,
      count: 'created' as const,
    })),
    ...plan.changedRanges
      .flatMap(range => batches(range, run.batchSize))
      .map(range => ({ range, write: writeChanged, count: 'updated' as const })),
  ]
  for (const { range, write, count } of steps) {
    signal.throwIfAborted()
    // On failure the connection is closed, which rolls the transaction back.
    await client.query('begin')
    await write(client, run, range)
    await client.query('commit')
    progress.counts[count] += range.to - range.from + 1
    progress.report('writing')
  }
}

function batches({ from, to }: Range, batchSize: number): Range[] {
  const count = Math.ceil((to - from + 1) / batchSize)
  return Array.from({ length: count }, (_, i) => ({
    from: from + i * batchSize,
    to: Math.min(to, from + (i + 1) * batchSize - 1),
  }))
}
