import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { changedPaths, startOfChange } from './test-run/changed/changed-paths.ts'
import { readImports } from './test-run/changed/import-graph.ts'
import { proofFiles } from './test-run/changed/proof-files.ts'
import { testsOf } from './test-run/changed/tests-of.ts'
import { allTestFiles } from './test-run/test-files.ts'

/**
 * Runs the long proofs in their full form: those of the given parts, such as `files` or `docs`, or all. With --changed, those
 * that depend on what the current branch or the last commit has changed.
 */
const parts = process.argv.slice(2).filter(argument => !argument.startsWith('-'))
const files = chooseFiles()
if (files.length === 0) process.stdout.write('No long proof depends on what has changed.\n')
else {
  const runner = fileURLToPath(import.meta.resolve('./test.ts'))
  const env = { ...process.env, WBS_PROOF: 'full' }
  process.exitCode = spawnSync(process.execPath, [runner, ...files], { stdio: 'inherit', env }).status ?? 1
}

function chooseFiles(): string[] {
  const graph = readImports()
  const files = proofFiles(allTestFiles(), graph, parts)
  if (!process.argv.includes('--changed')) return files
  return testsOf(changedPaths(startOfChange()), files, graph)
}
