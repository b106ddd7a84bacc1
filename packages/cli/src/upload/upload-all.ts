import { failureInWords } from '../failure-in-words.ts'
import { concernsAll } from './concerns-all.ts'
import type { LocalFile } from './find-files.ts'
import { createSlots } from './slots.ts'
import { countBytes, type Tally } from './tally.ts'
import { uploadOne, type Target } from './upload-one.ts'

/** So many files may be processed by the service while others are sent. */
const mostProcessing = 100

/**
 * Uploads the files, `concurrency` at a time, and counts them. Ends early when the signal is aborted, or after an error
 * that would meet all files, which it gives.
 */
export async function uploadAll(
  target: Target,
  files: readonly LocalFile[],
  tally: Tally,
  concurrency: number,
  report: () => void,
): Promise<unknown> {
  const sending = createSlots(concurrency)
  const processing = createSlots(mostProcessing)
  const stop = new AbortController()
  const signal = AbortSignal.any([target.signal, stop.signal])

  async function upload(file: LocalFile): Promise<void> {
    const bytes = countBytes(tally, file)
    let held = sending
    try {
      const result = await uploadOne({ ...target, signal }, file, ({ phase, sent_bytes }) => {
        if (phase === 'sending') bytes.report(sent_bytes)
        // The next file can be sent while this one is processed.
        if (phase === 'processing' && processing.takeNow()) {
          sending.giveBack()
          held = processing
        }
        report()
      })
      tally.results.push({ path: file.path, index_path: file.index_path, result })
      if (result === 'unchanged') bytes.end()
    } catch (error) {
      bytes.end()
      if (signal.aborted) return
      if (concernsAll(error)) stop.abort(error)
      else tally.failed.push({ path: file.path, reason: failureInWords(error) })
    } finally {
      held.giveBack()
      report()
    }
  }

  const running: Promise<void>[] = []
  for (const file of files) {
    await sending.take()
    if (signal.aborted) break
    running.push(upload(file))
  }
  await Promise.all(running)
  return stop.signal.aborted ? stop.signal.reason : undefined
}
