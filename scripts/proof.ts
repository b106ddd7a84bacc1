import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { changedPaths, startOfChange } from './test-run/changed/changed-paths.ts'
import { readImports } from './test-run/changed/import-graph.ts'
import { proofFiles } from './test-run/changed/proof-files.ts'
import { testsOf } from './test-run/changed/tests-of.ts'
import { shuffled } from './test-run/groups/shuffle.ts'
import { allTestFiles } from './test-run/test-files.ts'

/**
 * Runs the long proofs in their full form: those of the given parts, such as `files` or `docs`, or all. With --changed, those
 * that depend on what the current branch or the last commit has changed. With --minutes=N, none begins after so many minutes,
 * and those that are left out are named.
 */
const parts = process.argv.slice(2).filter(argument => !argument.startsWith('-'))
const minutes = Number(process.argv.find(argument => argument.startsWith('--minutes='))?.slice(10) ?? 0)
const files = chooseFiles()
if (files.length === 0) process.stdout.write('No long proof depends on what has changed.\n')
else process.exitCode = minutes > 0 ? provedWithin(minutes * 60_000) : proved(files)

function chooseFiles(): string[] {
  const graph = readImports()
  const files = proofFiles(allTestFiles(), graph, parts)
  if (!process.argv.includes('--changed')) return files
  return testsOf(changedPaths(startOfChange()), files, graph)
}

function proved(files: readonly string[]): number {
  const runner = fileURLToPath(import.meta.resolve('./test.ts'))
  const env = { ...process.env, WBS_PROOF: 'full' }
  return spawnSync(process.execPath, [runner, ...files], { stdio: 'inherit', env }).status ?? 1
}

/** Runs one file after the other, in a new order each time. */
function provedWithin(milliseconds: number): number {
  const end = performance.now() + milliseconds
  const left = shuffled(files, Date.now())
  let status = 0
  while (left.length > 0 && performance.now() < end) status = Math.max(status, proved(left.splice(0, 1)))
  for (const file of left) process.stdout.write(`Left out, as the time is over: ${file}\n`)
  return status
}
