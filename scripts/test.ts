import { spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isFullProof } from '../packages/server/test/harness/proof.ts'
import { prepareTestServer } from '../packages/server/test/harness/postgres/test-server.ts'
import { filesThatChangesTouch } from './test-run/changed/changed.ts'
import { CONCURRENCY, runnerArguments } from './test-run/arguments.ts'
import { readTestCommand } from './test-run/command-line.ts'
import { writeGroup } from './test-run/groups/group.ts'
import { NOTES_FOLDER } from './test-run/notes.ts'
import { planGroups } from './test-run/groups/plan-groups.ts'
import { makeScratchFolder } from './test-run/scratch-folder.ts'
import { shuffled } from './test-run/groups/shuffle.ts'
import { allTestFiles, filesAt, runsAlone } from './test-run/test-files.ts'
import { readTimes, RECORD_TIMES } from './test-run/times.ts'

/**
 * Runs the tests on one PostgreSQL: the one that DATABASE_URL names, or else an embedded one in a temporary folder.
 * Only the files given as arguments are run, and those in the given folders; options of node --test are accepted too. The
 * last line counts the tests.
 */
const command = readTestCommand(process.argv.slice(2))
const files = chooseFiles()
if (files.length > 0) await runOnServer()
else process.stdout.write('No test depends on what has changed.\n0 passed, 0 failed, 0 skipped\n')

function chooseFiles(): string[] {
  const files = command.paths.length > 0 ? filesAt(command.paths) : allTestFiles()
  const { changedSince } = command
  return changedSince === undefined ? files : filesThatChangesTouch(changedSince, files)
}

async function runOnServer(): Promise<void> {
  const folder = makeScratchFolder()
  const notes = join(folder, 'notes')
  await mkdir(notes)
  const server = await prepareTestServer({ databaseUrl: process.env['DATABASE_URL'] || null, folder })
  try {
    process.exitCode = await runTests(await entriesIn(folder), {
      ...process.env,
      ...server.environment,
      TMPDIR: folder,
      [NOTES_FOLDER]: notes,
      ...(command.recordTimes && { [RECORD_TIMES]: 'yes' }),
    })
  } finally {
    await server.close()
    // A process that a test left may still write there.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

/**
 * What node --test runs: groups of files. The files themselves if there is one, if options for Node are given, which are
 * about files, or in a full proof, whose files take longer than a group may.
 */
async function entriesIn(folder: string): Promise<string[]> {
  if (files.length === 1 || command.nodeOptions.length > 0 || isFullProof) return files
  const place = join(folder, 'groups')
  await mkdir(place)
  const { shuffle } = command
  const seed = shuffle === null ? Math.floor(Math.random() * 2 ** 31) : shuffle
  if (seed !== undefined) process.stdout.write(`ℹ --shuffle=${seed}\n`)
  return planGroups(files, readTimes(), CONCURRENCY, runsAlone)
    .map(group => (seed === undefined ? group : { ...group, files: shuffled(group.files, seed) }))
    .map((group, index) => writeGroup(group, index + 1, place))
}

function runTests(entries: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const runner = spawn(process.execPath, runnerArguments(command.nodeOptions, entries), {
    stdio: 'inherit',
    env,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
  return new Promise(resolve => runner.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0))))
}
