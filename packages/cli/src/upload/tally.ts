import type { FoundFiles, LocalFile, NotUploaded } from './find-files.ts'
import type { Result } from './upload-one.ts'

/** What has been done so far. */
export interface Tally {
  files: number
  /** Of the files that were done. */
  results: { path: string; index_path: string; result: Result }[]
  failed: NotUploaded[]
  skipped: NotUploaded[]
  /** The bytes of all files that are not unchanged, as far as that is known. */
  total_bytes: number
  /** The bytes that this run sent. */
  sent_bytes: number
  /** The bytes that the service has, including those that an earlier run sent. */
  stored_bytes: number
  seconds: number
}

export const newTally = ({ files, failed, skipped }: FoundFiles): Tally => ({
  files: files.length + failed.length,
  results: [],
  failed: [...failed],
  skipped,
  total_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  sent_bytes: 0,
  stored_bytes: 0,
  seconds: 0,
})

/** Counts the bytes of one file. */
export function countBytes(tally: Tally, file: LocalFile) {
  let stored: number | null = null
  return {
    /** `sent_bytes` includes what an earlier run sent; the first report has nothing else. */
    report(sent_bytes: number): void {
      if (stored !== null) tally.sent_bytes += sent_bytes - stored
      tally.stored_bytes += sent_bytes - (stored ?? 0)
      stored = sent_bytes
    },
    /** Nothing more of the file will be sent, so it no longer counts, other than what was. */
    end(): void {
      tally.total_bytes -= file.size_bytes - (stored ?? 0)
    },
  }
}

export const countOf = (tally: Tally, result: Result): number =>
  tally.results.filter(entry => entry.result === result).length
