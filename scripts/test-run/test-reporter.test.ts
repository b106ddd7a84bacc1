import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { runnerArguments } from './arguments.ts'
import { writeGroup } from './groups/group.ts'
import { NOTES_FOLDER } from './notes.ts'

const fixture = join(import.meta.dirname, 'fixture')

interface Ran {
  code: number | null
  out: string
  lines: readonly string[]
}

const run = (...given: readonly string[]) => runUntil(undefined, ...given)

/** Runs files of the fixture as `npm test` runs files, and presses Ctrl-C when it says `enough`. */
const runUntil = (enough: string | undefined, ...given: readonly string[]) =>
  runEntries(
    given.filter(argument => argument.startsWith('-')),
    () => given.filter(argument => !argument.startsWith('-')).map(name => `${name}.ts`),
    enough,
  )

/** Runs files of the fixture as one group. */
const runGroup = (...names: readonly string[]) =>
  runEntries([], folder => [writeGroup({ name: 'some', files: names.map(name => `${name}.ts`) }, 1, folder)])

async function runEntries(
  options: readonly string[],
  entriesIn: (folder: string) => readonly string[],
  enough?: string,
): Promise<Ran> {
  const notes = mkdtempSync(join(tmpdir(), 'wbs-test-reporter-'))
  // Of a clean environment, for this is a test that is run by the same means.
  const env = {
    PATH: process.env['PATH'],
    [NOTES_FOLDER]: notes,
    WBS_TEST_GRACE_MS: '1000',
    WBS_TEST_SILENCE_MS: '5000',
  }
  const runner = spawn(process.execPath, runnerArguments(options, entriesIn(notes)), { cwd: fixture, env })
  let out = ''
  for (const stream of [runner.stdout, runner.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (text.trim() === enough) runner.kill('SIGINT')
    })
  const code = await new Promise<number | null>(resolve => runner.on('close', resolve))
  rmSync(notes, { recursive: true, force: true })
  return { code, out, lines: out.trimEnd().split('\n') }
}

const closingLine = ({ lines }: Ran) => lines.at(-1)

/** Asserts that a failure was reported with its position, title and detail: when it happened, and again at the end. */
function assertToldTwice({ out }: Ran, told: RegExp): void {
  const [during = '', atEnd = ''] = out.split('\nFailed:\n')
  assert.match(during, told)
  assert.match(atEnd, told)
}

describe('what a run of tests says', { timeout: 240_000, concurrency: 2 }, () => {
  describe('of a file with every outcome', () => {
    let ran: Ran
    before(async () => {
      ran = await run('outcomes')
    })

    it('counts the tests alone on the last line, and fails', () => {
      assert.equal(closingLine(ran), '3 passed, 6 failed, 5 skipped')
      assert.equal(ran.code, 1)
    })

    it('shows a failure with its file, title, differences and place', () => {
      assertToldTwice(
        ran,
        /^✖ outcomes\.ts:5:1 {2}differs\n {2}AssertionError .*\n[^✖]*\n {2}\+ {3}sum: 1\n {2}- {3}sum: 2\n[^✖]*outcomes\.ts:5:\d+/m,
      )
    })

    for (const [what, told] of [
      [
        'the suites that it is in',
        /^✖ outcomes\.ts:13:5 {2}outer › inner › throws\n {2}TypeError: deep inside\n/m,
      ],
      [
        'the test that it is part of',
        /^✖ outcomes\.ts:19:11 {2}has parts › a part\n[^✖]*parts differ\n[^✖]*expected: 2/m,
      ],
    ] as const) {
      it(`names a test with ${what}, and no failure for those`, () => {
        assertToldTwice(ran, told)
        assert.doesNotMatch(ran.out, /^✖ [^ ]+ {2}(?:outer|outer › inner|has parts)$/m)
      })
    }

    it('shows a suite whose hook failed, and what did not run because of it', () => {
      assertToldTwice(
        ran,
        /^✖ [^ ]+ {2}begins badly\n {2}failed running before hook\n {2}Error: no ground\n/m,
      )
      assertToldTwice(ran, /^✖ [^ ]+ {2}begins badly › never runs\n {2}test did not finish/m)
      assertToldTwice(ran, /^✖ [^ ]+ {2}ends badly\n {2}failed running after hook\n {2}Error: no rest\n/m)
    })

    it('names what was skipped, and why', () => {
      const [, skipped = ''] = /\nSkipped:\n((?: {2}.*\n)+)/.exec(ran.out) ?? []
      assert.deepEqual(
        skipped
          .trimEnd()
          .split('\n')
          .map(line => line.replace(/^ {2}outcomes\.ts:\d+:\d+ {2}/, '')),
        [
          'is skipped: no browser',
          'skips itself: no network',
          'is skipped without a word: no reason is given',
          'is to do: to do: not built',
          'is skipped whole: no disk',
        ],
      )
    })
  })

  it('has a line for each file, what its tests printed and noted, and ends well where all pass', async () => {
    const ran = await run('passes', 'closes-slowly')
    assert.match(ran.out, /^from the test$/m)
    assert.match(ran.out, /^ℹ passes\.ts:4:3 {2}seed 42$/m)
    assert.match(ran.out, /^✔ passes\.ts {2}2 passed \(\d+\.\d s\)$/m)
    assert.match(ran.out, /^2 files in \d+\.\d s$/m)
    assert.deepEqual([closingLine(ran), ran.code], ['3 passed, 0 failed, 0 skipped', 0])
    assert.doesNotMatch(ran.out, /Failed|Skipped/)
  })

  for (const [file, what] of [
    ['crashes', 'Its process was ended by SIGKILL.'],
    ['breaks', String.raw`Its process ended with code \d+\.\n[^✖]*Error: not loaded`],
    ['leaves', 'Its process ended before its tests did.'],
    ['has-no-test', 'It ended without a test.'],
    ['stays', String.raw`Its process did not end after its last test\. 1 TCPServerWrap, 1 Timeout kept it\.`],
    ['throws-late', String.raw`Its process ended with code 1\.\n[^✖]*Error: too late`],
    ['loops', String.raw`It was ended after 5 s in which no test of it ended\.`],
  ] as const) {
    it(`counts a file that ${file.replaceAll('-', ' ')} as a failure, and says why`, async () => {
      const ran = await run(file)
      const atEnd = ran.out.split('\nFailed:\n')[1] ?? ''
      assert.match(atEnd, new RegExp(`^✖ ${file}\\.ts {2}the file itself\\n {2}${what}`, 'm'))
      // Tests that passed just before the process ended may not have been reported.
      assert.match(closingLine(ran) ?? '', /^[01] passed, 1 failed, 0 skipped$/)
      assert.equal(ran.code, 1)
    })
  }

  it('shows a hook of a file that fails when all its tests have passed', async () => {
    const ran = await run('ends-badly')
    assertToldTwice(ran, /^✖ ends-badly\.ts:3:1 {2}a hook of the file\n[^✖]*Error: no end\n/m)
    assert.deepEqual([closingLine(ran), ran.code], ['1 passed, 1 failed, 0 skipped', 1])
  })

  describe('of files that share a process', () => {
    it('has a line and the failures of each file, however it fails', async () => {
      const ran = await runGroup('passes', 'outcomes', 'breaks', 'has-no-test', 'ends-badly', 'closes-slowly')
      assert.match(ran.out, /^✔ passes\.ts {2}2 passed \(\d+\.\d s\)$/m)
      assert.match(ran.out, /^✖ outcomes\.ts {2}3 passed, 6 failed, 5 skipped \(/m)
      assert.match(ran.out, /^✔ closes-slowly\.ts {2}1 passed \(/m)
      assertToldTwice(ran, /^✖ outcomes\.ts:13:5 {2}outer › inner › throws\n {2}TypeError: deep inside\n/m)
      assertToldTwice(ran, /^✖ breaks\.ts {2}the file itself\n[^✖]*Error: not loaded/m)
      assertToldTwice(ran, /^✖ has-no-test\.ts {2}the file itself\n {2}It ended without a test\./m)
      assertToldTwice(ran, /^✖ ends-badly\.ts {2}a hook of the file\n[^✖]*Error: no end\n/m)
      assert.deepEqual([closingLine(ran), ran.code], ['7 passed, 9 failed, 5 skipped', 1])
    })

    it('names the file in which the process ended, and those that did not run', async () => {
      const ran = await runGroup('passes', 'crashes', 'closes-slowly')
      assertToldTwice(ran, /^✖ crashes\.ts {2}the file itself\n {2}Its process was ended by SIGKILL\./m)
      assertToldTwice(
        ran,
        /^✖ closes-slowly\.ts {2}the file itself\n {2}It did not run, because the process of its group ended in crashes\.ts\./m,
      )
      // The results just before a process is killed may not have arrived; their file has failed then.
      assert.match(closingLine(ran) ?? '', /^(?:[23] passed, 2|0 passed, 3) failed, 0 skipped$/)
      assert.equal(ran.code, 1)
    })

    it('names the file that left something open', async () => {
      const ran = await runGroup('passes', 'stays', 'closes-slowly')
      assertToldTwice(
        ran,
        /^✖ some {2}the process of the group\n {2}Its process did not end after its last test\.[^✖]* stays\.ts opened 1 TCPSERVERWRAP, 1 Timeout\./m,
      )
      assert.doesNotMatch(ran.out, /(?:passes|closes-slowly)\.ts opened/)
      assert.deepEqual([closingLine(ran), ran.code], ['4 passed, 1 failed, 0 skipped', 1])
    })

    it('fails if a file throws after its tests, or never ends', async () => {
      const late = await runGroup('passes', 'throws-late')
      assertToldTwice(late, /^✖ some {2}the process of the group\n[^✖]*Error: too late/m)
      assert.equal(late.code, 1)
      const loops = await runGroup('passes', 'loops')
      assertToldTwice(
        loops,
        /^✖ loops\.ts {2}the file itself\n {2}It was ended after 5 s in which no test of it ended\./m,
      )
      assert.equal(loops.code, 1)
    })
  })

  it('holds no file for faulty of which no test was asked for', async () => {
    const ran = await run('--test-name-pattern=prints', 'passes', 'crashes')
    assert.deepEqual([closingLine(ran), ran.code], ['1 passed, 0 failed, 0 skipped', 0])
  })

  it('names the files that an interruption met, and counts nothing', async () => {
    const ran = await runUntil('waiting', 'waits')
    assert.match(ran.out, /\nInterrupted:\n {2}waits\.ts:1:1\n/)
    assert.doesNotMatch(ran.out, /\d passed/)
    assert.notEqual(ran.code, 0)
  })

  it('is what a reporter says that was asked for', async () => {
    const ran = await run('--test-reporter=tap', 'passes')
    assert.match(ran.out, /^TAP version 13$/m)
    assert.doesNotMatch(ran.out, /2 passed/)
  })
})
