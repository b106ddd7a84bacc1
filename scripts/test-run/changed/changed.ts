import { changedPaths } from './changed-paths.ts'
import { readImports } from './import-graph.ts'
import { testsOf } from './tests-of.ts'

/** Those of the test files that depend on what has changed since a commit. Null: see `changedPaths`. */
export const filesThatChangesTouch = (since: string | null, files: readonly string[]): string[] =>
  testsOf(changedPaths(since), files, readImports())
