import { formatCount } from '../progress-line.ts'
import type { Tally } from './tally.ts'

const width = 20

/** The progress of a run in one line: a bar, files, bytes, the rate and the rest of the time. */
export function progressLine(tally: Tally): string {
  const { files, results, failed, total_bytes, stored_bytes, sent_bytes, seconds } = tally
  const done = results.length + failed.length
  const share = total_bytes > 0 ? stored_bytes / total_bytes : done / Math.max(files, 1)
  const filled = Math.floor(Math.min(share, 1) * width)
  const rate = sent_bytes / Math.max(seconds, 0.001)
  const parts = [
    `${formatCount(done)} of ${formatCount(files)} files`,
    `${formatBytes(stored_bytes)} of ${formatBytes(total_bytes)}`,
    ...(rate > 0
      ? [`${formatBytes(rate)}/s`, `${formatTime((total_bytes - stored_bytes) / rate)} left`]
      : []),
  ]
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${parts.join(', ')}`
}

export function formatBytes(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`
  return `${Math.round(bytes)} B`
}

function formatTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
