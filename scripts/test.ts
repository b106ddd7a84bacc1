import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareTestServer } from '../packages/server/test/harness/postgres/test-server.ts'
import { runnerArguments } from './test-run/arguments.ts'
import { NOTES_FOLDER } from './test-run/notes.ts'
import { makeScratchFolder } from './test-run/scratch-folder.ts'

/**
 * Runs the tests on one PostgreSQL: the one that DATABASE_URL names, or else an embedded one in a temporary folder.
 * Only the files given as arguments are run, and those in the given folders; options of node --test are accepted too. The
 * last line counts the tests.
 */
const given = process.argv.slice(2)
const options = given.filter(argument => argument.startsWith('-'))
const named = given
  .filter(argument => !argument.startsWith('-'))
  .flatMap(path =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() ? globSync(`${path}/**/*.test.ts`).sort() : path,
  )
const files =
  named.length > 0 ? named : globSync(['packages/*/test/**/*.test.ts', 'scripts/*.test.ts']).sort()

const folder = makeScratchFolder()
const notes = join(folder, 'notes')
await mkdir(notes)
const server = await prepareTestServer({ databaseUrl: process.env.DATABASE_URL || null, folder })
try {
  process.exitCode = await runTests({
    ...process.env,
    ...server.environment,
    TMPDIR: folder,
    [NOTES_FOLDER]: notes,
  })
} finally {
  await server.close()
  await rm(folder, { recursive: true, force: true })
}

function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const runner = spawn(process.execPath, runnerArguments(options, files), { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
  return new Promise(resolve => runner.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0))))
}
