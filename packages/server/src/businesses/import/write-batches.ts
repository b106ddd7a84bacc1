import type pg from 'pg'
import type { Progress } from './progress.ts'
import type { Run } from './run.ts'
import { writeChanged } from './write-changed.ts'
import { writeNew } from './write-new.ts'
import type { Plan } from './match.ts'

// Large enough for the statements to weigh little, small enough to hold locks for less than a second.
const batchSize = 5000

/**
 * Writes what the plan says, each batch in a transaction of its own: wherever the run ends, there are whole batches
 * alone, and another run does the rest.
 */
export async function writePlan(
  client: pg.Client,
  plan: Plan,
  run: Run,
  progress: Progress,
  signal: AbortSignal,
) {
  const steps = [
    ...batches({ from: 1, to: plan.created }).map(range => ({
      range,
      statements: writeNew(run),
      count: 'created' as const,
    })),
    ...plan.changedRanges
      .flatMap(batches)
      .map(range => ({ range, statements: writeChanged(run), count: 'updated' as const })),
  ]
  for (const { range, statements, count } of steps) {
    signal.throwIfAborted()
    await writeBatch(client, statements, range)
    progress.counts[count] += range.to - range.from + 1
    progress.tell('writing')
  }
}

interface Range {
  from: number
  to: number
}

function batches({ from, to }: Range): Range[] {
  const count = Math.ceil((to - from + 1) / batchSize)
  return Array.from({ length: count }, (_, i) => ({
    from: from + i * batchSize,
    to: Math.min(to, from + (i + 1) * batchSize - 1),
  }))
}

// On failure the connection is given up, and its transaction with it.
async function writeBatch(
  client: pg.Client,
  statements: readonly string[],
  { from, to }: Range,
): Promise<void> {
  await client.query('begin')
  for (const statement of statements) await client.query(statement, [from, to])
  await client.query('commit')
}
