import type { TestEvent } from 'node:test/reporters'
import type { Completed, Dequeued, Diagnosed, Enqueued, Failed } from './test-run/events.ts'
import type { GroupRun } from './test-run/groups/group-run.ts'
import { placeOf } from './test-run/place.ts'
import { SilenceWatch } from './test-run/silence.ts'
import { Tally } from './test-run/tally.ts'
import { closingText, failureText, fileLine } from './test-run/text.ts'
import { RECORD_TIMES, recordTimes } from './test-run/times.ts'

const FILTERS = /^--(?:test-(?:name-pattern|skip-pattern|only)|experimental-test-tag-filter)\b/

/**
 * Reports a run of `node --test`: a line for each file, each failure when it happens, and at the end all failures again,
 * what was skipped and why, and the totals. The output of tests is passed on.
 */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  const tally = new Tally(process.execArgv.some(option => FILTERS.test(option)))
  const silence = new SilenceWatch()
  const startedAt = performance.now()
  for await (const event of source) yield tell(event, tally, silence)
  silence.stop()
  yield closingText(tally, performance.now() - startedAt)
  if (process.env[RECORD_TIMES]) recordTimes(tally.files)
  // Node counts a file without tests as passed.
  if (tally.failures.length > 0) process.exitCode ||= 1
}

/** Records an event. Returns what to print about it at once. */
function tell(event: TestEvent, tally: Tally, silence: SilenceWatch): string {
  switch (event.type) {
    case 'test:enqueue':
      return enqueue(event.data, tally, silence)
    case 'test:dequeue':
      return dequeue(event.data, silence)
    case 'test:complete':
      return complete(event.data, tally, silence)
    case 'test:fail':
      return fail(event.data, tally)
    case 'test:stderr':
      return keep(event.data.file, event.data.message, tally)
    case 'test:diagnostic':
      return diagnose(event.data, tally)
    case 'test:stdout':
      return event.data.message
    case 'test:interrupted':
      return `\nInterrupted:\n${event.data.tests.map(test => `  ${placeOf(test)}\n`).join('')}`
    default:
      return ''
  }
}

function dequeue({ entryFile, file }: Dequeued, silence: SilenceWatch): string {
  if (entryFile === undefined && file !== undefined) silence.hear(file)
  return ''
}

function enqueue(test: Enqueued, tally: Tally, silence: SilenceWatch): string {
  if (test.entryFile === undefined) return ''
  silence.hear(test.entryFile)
  tally.announce(test.entryFile, test)
  return ''
}

function keep(entry: string, text: string, tally: Tally): string {
  tally.running(entry).keepOutput(text)
  return text
}

/** A diagnostic of a test, such as the seed of its random numbers. Those that are not about a file are Node's totals. */
function diagnose(note: Diagnosed, tally: Tally): string {
  if (note.entryFile === undefined) return ''
  tally.running(note.entryFile).keepOutput(`${note.message}\n`)
  return `ℹ ${placeOf(note)}  ${note.message}\n`
}

function complete(test: Completed, tally: Tally, silence: SilenceWatch): string {
  const { entryFile, file = '' } = test
  if (entryFile !== undefined) {
    silence.hear(entryFile)
    return completeInProcess(entryFile, test, tally)
  }
  silence.forget(file)
  const group = tally.group(file)
  if (group) return completeGroup(group, test, tally)
  const failure = tally.completeFile(file, test)
  return (failure ? failureText(failure) : '') + fileLine(tally.file(file))
}

/** A test has ended, or a file of a group. */
function completeInProcess(entry: string, test: Completed, tally: Tally): string {
  const group = tally.group(entry)
  const run = group?.ends(test)
  if (!group || !run) {
    const failure = tally.completeTest(entry, test)
    return failure ? failureText(failure) : ''
  }
  const failure = tally.completeFileOfGroup(run, group.millisecondsOf(run), test)
  return (failure ? failureText(failure) : '') + fileLine(run)
}

/** The process of a group has ended, perhaps before all of its files. */
function completeGroup(group: GroupRun, test: Completed, tally: Tally): string {
  const left = group.unfinished
  return [...tally.completeGroup(group, test).map(failureText), ...left.map(fileLine)].join('')
}

/** A failed test has completed before; a hook of a file does not complete. */
function fail(failed: Failed, tally: Tally): string {
  if (failed.entryFile === undefined || failed.details.type !== undefined) return ''
  return failureText(tally.failHook(failed.entryFile, failed))
}
