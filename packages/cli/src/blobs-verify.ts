import { verifyBlobs, type BlobFinding, type VerifyProgress } from '@wbs/server/backup/content/verify-blobs'
import { blobKey, type BlobTotals } from '@wbs/server/backup/archive-format'
import type { ListedBlob } from '@wbs/server/blobs/blob-store'
import { interruptSignal } from './interruption.ts'
import { formatBytes, formatCount, showProgress } from './progress-line.ts'
import { requireDatabase, withServer } from './with-database.ts'
import { withStore } from './with-store.ts'

interface Report {
  verified: BlobTotals
  missing: Omit<BlobFinding, 'problem' | 'reason'>[]
  damaged: Omit<BlobFinding, 'problem'>[]
  unnamed: ListedBlob[]
}

/**
 * `wbs blobs verify`, with progress on stderr and the report on stdout. Gives the exit code: 0 if all content is complete, 1
 * if not, 130 if interrupted. Throws if it fails.
 */
export async function verifyStoredBlobs({ json }: { json: boolean }): Promise<number> {
  const signal = interruptSignal()
  const progress = showProgress(process.stderr, line)
  const report: Report = { verified: { count: 0, bytes: 0 }, missing: [], damaged: [], unnamed: [] }
  const tell = (text: string) => {
    if (json) return
    progress.end()
    console.log(text)
  }
  try {
    requireDatabase('verify')
    report.verified = await withServer(
      ({ address }) =>
        withStore(store =>
          verifyBlobs({
            address,
            store,
            signal,
            onProgress: progress.show,
            onFinding(finding) {
              tell(findingLine(finding))
              add(report, finding)
            },
            onUnnamed(blob) {
              tell(unnamedLine(blob))
              report.unnamed.push(blob)
            },
          }),
        ),
      signal,
    )
    progress.end()
    console.log(json ? JSON.stringify(report, null, 2) : summary(report))
    return report.missing.length + report.damaged.length > 0 ? 1 : 0
  } catch (error) {
    progress.end()
    if (!signal.aborted) throw error
    console.error('Interrupted. What was reported is right; the rest was not verified.')
    return 130
  }
}

function add({ missing, damaged }: Report, { problem, reason, ...finding }: BlobFinding): void {
  if (problem === 'missing') missing.push(finding)
  else damaged.push({ ...finding, reason })
}

function line(progress: VerifyProgress): string {
  return progress.phase === 'listing'
    ? `${formatCount(progress.blobs)} blobs of the store compared with the database`
    : `${formatBytes(progress.bytes)} of ${formatBytes(progress.total_bytes)} verified`
}

const findingLine = ({ problem, reason, file_version_ids, ...blob }: BlobFinding): string =>
  `${problem}  ${blobKey(blob)}  ${formatCount(blob.size_bytes)} bytes of ${file_version_ids.join(', ')}: ${reason}`

const unnamedLine = ({ stored_at, ...blob }: ListedBlob): string =>
  `unnamed  ${blobKey(blob)}  ${formatCount(blob.size_bytes)} bytes, stored ${age(stored_at)} ago`

function age(since: Date): string {
  const minutes = Math.max(0, Math.floor((Date.now() - since.getTime()) / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${formatCount(Math.floor(hours / 24))} days`
}

function summary({ verified, missing, damaged, unnamed }: Report): string {
  const size = `${formatCount(verified.count)} ${verified.count === 1 ? 'blob' : 'blobs'}, ${formatBytes(verified.bytes)}`
  const outcome =
    missing.length + damaged.length === 0
      ? 'all complete'
      : `${formatCount(missing.length)} missing, ${formatCount(damaged.length)} damaged`
  const bytes = unnamed.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  const others = `In addition ${formatCount(unnamed.length)} that no row names, ${formatBytes(bytes)}; the service removes them after a day.`
  return `Verified ${size}: ${outcome}.${unnamed.length === 0 ? '' : `\n${others}`}`
}
