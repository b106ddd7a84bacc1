import type pg from 'pg'
import { naicsCodes } from './naics.ts'
import { readCatalogue, saveSources } from './catalogue.ts'
import { timeOfBodies } from './id-bodies.ts'
import { matchRows } from './match.ts'
import { checkReadable } from './open-input.ts'
import { Progress } from './progress.ts'
import type { ImportCounts, ImportProgress } from './progress.ts'
import { RejectsFile } from './rows/rejects.ts'
import type { RejectCode } from './rows/row.ts'
import type { Run } from './run.ts'
import { runAll, openSessions, waitForImportLock } from './sessions.ts'
import { stageFiles } from './stage.ts'
import { writePlan } from './write-batches.ts'

/** Large enough to make the cost of each statement small, small enough to hold locks for less than a second. */
const defaultBatchSize = 5000

export interface ImportOptions {
  /**
   * Opens a connection that may write. The import opens two and closes them. A pooler will not do, because the connections hold
   * locks and temporary tables.
   */
  connect: () => Promise<pg.Client>
  /** Paths of CSV files, gzip-compressed where they end in .gz; `-` is standard input. */
  files: readonly string[]
  /** Whether the Businesses are published, or inserted as drafts that search does not find. */
  publish: boolean
  /** The file for rejected rows. It is overwritten, and deleted if there are none. */
  rejectsFile: string
  /** A CSV file of data sets that rows may name as their source, in addition to those already known. */
  sourceCatalogue?: string | undefined
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Queues jobs in the transaction of a connection. */
  sendJobs: Run['sendJobs']
  /** How many rows a transaction writes; by default 5,000. */
  batchSize?: number
  /** Stops the import between two batches; written batches stay. */
  signal?: AbortSignal | undefined
}

export interface ImportResult extends ImportCounts {
  seconds: number
  /** How often each reason for a rejection occurred; a row can have several. */
  reasons: Partial<Record<RejectCode, number>>
}

/**
 * Imports Businesses from CSV files. A record is identified by source and source_id: importing a file twice changes nothing,
 * and an interrupted import is completed by running it again. Only one import runs at a time; another one waits. Throws an
 * ImportError, before any Business is written, for an error that the caller can correct.
 */
export async function importBusinesses(options: ImportOptions): Promise<ImportResult> {
  const progress = new Progress(options.onProgress)
  await checkReadable(options.files)
  const rejects = await RejectsFile.open(options.rejectsFile, options.files)
  try {
    await runImport(options, progress, rejects)
  } finally {
    await rejects.close()
  }
  return { ...progress.counts, seconds: progress.seconds, reasons: rejects.reasons }
}

async function runImport(options: ImportOptions, progress: Progress, rejects: RejectsFile): Promise<void> {
  const { files, publish, sendJobs, signal = new AbortController().signal } = options
  const { batchSize = defaultBatchSize } = options
  const { counts } = progress
  const catalogue = options.sourceCatalogue === undefined ? [] : await readCatalogue(options.sourceCatalogue)
  await using sessions = await openSessions(options.connect)
  const [client] = sessions.clients
  await waitForImportLock(client, signal, () => progress.report('waiting'))

  const startedAt = new Date()
  const known = { sources: await saveSources(client, catalogue), naics: await naicsCodes(client) }
  await stageFiles(sessions.clients, { files, known, startedAt, rejects, progress, signal })

  progress.report('matching')
  const plans = await runAll(sessions.clients, async client => ({
    client,
    plan: await matchRows(client, files, publish, rejects),
  }))
  for (const { plan } of plans) counts.unchanged += plan.unchanged
  counts.rejected = rejects.count
  await rejects.sync() // before the first Business is written

  const created = plans.reduce((sum, { plan }) => sum + plan.created, 0)
  await client.query('select extend_published_businesses($1, $2)', [
    `biz_${timeOfBodies(startedAt)}`,
    created,
  ])

  await runAll(plans, ({ client, plan }, stopped) => {
    const stop = AbortSignal.any([signal, stopped])
    return writePlan(
      client,
      plan,
      { publish, startedAt: `timestamptz '${startedAt.toISOString()}'`, batchSize, sendJobs },
      progress,
      stop,
    )
  })
  if (publish && counts.created + counts.updated > 0)
    await client.query('select analyze_published_businesses()')
  checkCounts(counts)
}

function checkCounts({ read, created, updated, unchanged, rejected }: ImportCounts): void {
  if (read !== created + updated + unchanged + rejected)
    throw new Error(
      `The counts of the import do not add up: ${read} rows read, but ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`,
    )
}
