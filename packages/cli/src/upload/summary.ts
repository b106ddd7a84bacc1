import { formatCount } from '../progress-line.ts'
import type { NotUploaded } from './find-files.ts'
import { formatBytes } from './progress.ts'
import { countOf, type Tally } from './tally.ts'

/** What a run did, for people. A dry run lists what it would do. */
export function summaryText(tally: Tally, dryRun: boolean): string {
  const { files, results, failed, skipped, sent_bytes, seconds } = tally
  const count = `${formatCount(files)} ${files === 1 ? 'file' : 'files'}`
  const done = dryRun ? 'nothing was sent' : `${formatBytes(sent_bytes)} sent in ${seconds.toFixed(1)} s`
  const lines = [
    ['new', countOf(tally, 'new')],
    ['new versions', countOf(tally, 'new_version')],
    ['continued', countOf(tally, 'continued')],
    ['unchanged', countOf(tally, 'unchanged')],
    ['failed', failed.length],
  ] as const
  const left = files - results.length - failed.length
  return [
    `${count}, ${done}`,
    ...lines.map(([what, number]) => `  ${what.padEnd(12)} ${formatCount(number)}`),
    ...(left > 0 ? [`  ${'not done'.padEnd(12)} ${formatCount(left)}`] : []),
    ...(dryRun ? listed('To do:', plan(tally)) : []),
    ...listed('Skipped:', skipped),
    ...listed('Failed:', failed),
  ].join('\n')
}

const words = { new: 'new', new_version: 'new version', continued: 'continued', unchanged: '' }

const plan = ({ results }: Tally): NotUploaded[] =>
  results
    .filter(({ result }) => result !== 'unchanged')
    .map(({ index_path, result }) => ({ path: index_path, reason: words[result] }))

const listed = (title: string, list: readonly NotUploaded[]): string[] =>
  list.length === 0 ? [] : [title, ...list.map(({ path, reason }) => `  ${printable(path)}: ${reason}`)]

/** Names of files must not control the terminal. */
const printable = (text: string) => text.replaceAll(/\p{C}/gu, '?')

/** What a run did, for programs. */
export const summaryJson = (tally: Tally, room_id: string, dryRun: boolean): string => {
  const { files, results, failed, skipped, sent_bytes, seconds } = tally
  const rounded = Math.round(seconds * 1000) / 1000
  return JSON.stringify({
    room_id,
    dry_run: dryRun,
    files,
    results,
    failed,
    skipped,
    sent_bytes,
    seconds: rounded,
  })
}
