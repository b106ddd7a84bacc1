import type pg from 'pg'
import { naicsCodes } from './naics.ts'
import { readCatalogue, saveSources } from './catalogue.ts'
import { matchRows } from './match.ts'
import { checkReadable } from './open-input.ts'
import { Progress } from './progress.ts'
import type { ImportCounts, ImportProgress } from './progress.ts'
import { RejectsFile } from './rows/rejects.ts'
import type { RejectCode } from './rows/row.ts'
import type { Run } from './run.ts'
import { onEach, openSessions, takeTurn } from './sessions.ts'
import { stageFiles } from './stage.ts'
import { writePlan } from './write-batches.ts'

export interface ImportOptions {
  /** Opens a connection that may write; the import takes two and ends them. Not through a pooler: they have a state. */
  connect: () => Promise<pg.Client>
  /** Paths of CSV files, gzip-compressed where they end in .gz; `-` is standard input. */
  files: readonly string[]
  /** Whether the Businesses are published, or written as drafts that no search finds. */
  publish: boolean
  /** Where rejected rows go. The file is started anew, and taken away if there are none. */
  rejectsFile: string
  /** A CSV file of the data sets that rows may name as their source, beside those already known. */
  sourceCatalogue?: string | undefined
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Writes down jobs in the transaction that a connection is in. */
  sendJobs: Run['sendJobs']
  /** Ends the import between two batches; those written stay. */
  signal?: AbortSignal | undefined
}

export interface ImportResult extends ImportCounts {
  seconds: number
  /** How often each reason for rejecting was given; a row may have several. */
  reasons: Partial<Record<RejectCode, number>>
}

/**
 * Brings Businesses in from CSV files. A record is known again by source and source_id: importing a file twice changes
 * nothing, and an import that broke off is completed by running it again. One import runs at a time; another one waits.
 * Throws an ImportError for what the caller can mend; no Business was written then.
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
  const { counts } = progress
  const catalogue = options.sourceCatalogue === undefined ? [] : await readCatalogue(options.sourceCatalogue)
  await using sessions = await openSessions(options.connect)
  const [client] = sessions.clients
  await takeTurn(client, signal, () => progress.tell('waiting'))

  const startedAt = new Date()
  const known = { sources: await saveSources(client, catalogue), naics: await naicsCodes(client) }
  await stageFiles(sessions.clients, { files, known, startedAt, rejects, progress, signal })

  progress.tell('matching')
  const plans = await onEach(sessions.clients, async client => ({
    client,
    plan: await matchRows(client, files, publish, rejects),
  }))
  for (const { plan } of plans) counts.unchanged += plan.unchanged
  counts.rejected = rejects.count
  await rejects.sync() // before anything of this run counts as done

  await onEach(plans, ({ client, plan }, stopped) => {
    const either = AbortSignal.any([signal, stopped])
    return writePlan(
      client,
      plan,
      { publish, startedAt: `timestamptz '${startedAt.toISOString()}'`, sendJobs },
      progress,
      either,
    )
  })
  if (publish && counts.created + counts.updated > 0)
    await client.query('select analyze_published_businesses()')
  checkCounts(counts)
}

function checkCounts({ read, created, updated, unchanged, rejected }: ImportCounts): void {
  if (read !== created + updated + unchanged + rejected)
    throw new Error(
      `The import lost count: ${read} rows read, but ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`,
    )
}
