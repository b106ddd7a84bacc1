import { globSync, readFileSync, statSync } from 'node:fs'
import { relative } from 'node:path'

/** All test files, relative to the root of the project. */
export const allTestFiles = (): string[] =>
  globSync(['packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts']).sort()

/** The test files that paths name: files themselves, and those in folders. */
export function filesAt(paths: readonly string[]): string[] {
  return paths.flatMap(path =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? globSync(`${path}/**/*.test.ts`).sort()
      : relative(process.cwd(), path),
  )
}

/** Whether a test file says that it cannot share its process with others, and why. */
export const runsAlone = (file: string): boolean =>
  /^\/\/ Runs in a process of its own: /m.test(readFileSync(file, 'utf8'))
