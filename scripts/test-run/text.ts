import { styleText } from 'node:util'
import type { FileRun } from './file-run.ts'
import type { Failure, Skipped, Tally } from './tally.ts'

const SLOWEST = 5

const green = (text: string) => styleText('green', text, { stream: process.stdout })
const red = (text: string) => styleText('red', text, { stream: process.stdout })

/** The line for a completed file: `✔ …/create-room.test.ts  12 passed (1.4 s)`. */
export function fileLine({ name, passed, failed, skipped, milliseconds }: FileRun): string {
  const mark = failed > 0 ? red('✖') : green('✔')
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
  return `${mark} ${name}  ${counts.filter(Boolean).join(', ')} (${seconds(milliseconds)})\n`
}

export function failureText({ place, title, detail, output = [] }: Failure): string {
  const told = [detail, ...output].map(text => text.trimEnd()).join('\n')
  return `\n${red(`✖ ${place}  ${title}`)}\n${indented(told)}\n\n`
}

/** The summary of the run. Programs can parse its last line: `12 passed, 1 failed, 0 skipped`. */
export function closingText({ files, failures, skipped }: Tally, milliseconds: number): string {
  const passed = files.reduce((sum, run) => sum + run.passed, 0)
  const parts = [
    failures.length > 0 && `\n${red('Failed:')}\n${failures.map(failureText).join('')}`,
    skipped.length > 0 && `\nSkipped:\n${skipped.map(skippedLine).join('')}`,
    files.length > 2 * SLOWEST && `\nSlowest:\n${slowest(files).join('')}`,
    `\n${files.length} ${files.length === 1 ? 'file' : 'files'} in ${seconds(milliseconds)}\n`,
    `${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`,
  ]
  return parts.filter(part => part !== false).join('')
}

const skippedLine = ({ place, title, reason }: Skipped) => `  ${place}  ${title}: ${reason}\n`

const slowest = (files: readonly FileRun[]) =>
  files
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, SLOWEST)
    .map(({ name, milliseconds }) => `  ${name} (${seconds(milliseconds)})\n`)

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')
