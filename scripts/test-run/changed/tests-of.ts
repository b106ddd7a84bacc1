import { basename } from 'node:path'
import type { GraphModule, ImportGraph } from './import-graph.ts'

/** Every test depends on these: what is installed, and how tests run. */
const OF_ALL =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|packages\/[^/]+\/package\.json|scripts\/test[^/]*\.ts)$/

/** The file that puts the slices together. Tests of a slice reach their own slice through it, and no other. */
const SLICES = 'packages/server/src/slices.ts'

/** A test's database is a copy of the template, which the runner makes. */
const [DATABASE, TEMPLATE] = [
  'packages/server/test/harness/database.ts',
  'packages/server/test/harness/postgres/template.ts',
]
const HANDLERS = /^packages\/server\/src\/([^/]+)\/handlers\.ts$/

/**
 * The test files that depend on changed paths, through imports or because a module that they import names the file. A test in
 * the folder of a slice depends on the handlers of its slice, and of the others only on what these import; tests in other
 * folders, such as those that walk the registry, depend on the handlers of all.
 */
export function testsOf(changed: readonly string[], files: readonly string[], graph: ImportGraph): string[] {
  if (changed.some(path => OF_ALL.test(path))) return [...files]
  const named = changed.filter(path => !graph.has(path)).map(path => basename(path))
  const isMigration = changed.some(path => /\/migrations\/.*\.sql$/.test(path))
  const isTouched = (path: string, module: GraphModule) =>
    changed.includes(path) ||
    named.some(name => module.text.includes(name)) ||
    (isMigration && path === 'packages/server/src/database/migrating/migrate.ts')
  const touched = new Set(
    [...graph].filter(([path, module]) => isTouched(path, module)).map(([path]) => path),
  )
  return files.filter(file => [...reachedBy(file, graph)].some(path => touched.has(path)))
}

/** The modules that a test file loads, except the handlers of slices that it is not about. */
function reachedBy(file: string, graph: ImportGraph): Set<string> {
  const slices = graph.get(SLICES)?.imports.filter(path => HANDLERS.test(path)) ?? []
  const own = slices.filter(path => sliceOf(file) === HANDLERS.exec(path)?.[1])
  const seen = new Set<string>()
  const next = [file]
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const imports = graph.get(path)?.imports ?? []
    const isCut = path === SLICES && own.length > 0
    if (path === DATABASE) next.push(TEMPLATE)
    next.push(...(isCut ? [...imports.filter(target => !HANDLERS.test(target)), ...own] : imports))
  }
  return seen
}

const sliceOf = (file: string) => /^packages\/server\/test\/([^/]+)\//.exec(file)?.[1]
