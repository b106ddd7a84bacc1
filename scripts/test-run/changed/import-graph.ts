import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { readModule } from '../../architecture/module.ts'

/** A module: its text, and the modules that it imports or names, such as one that it starts as a process. */
export interface GraphModule {
  imports: readonly string[]
  text: string
}

export type ImportGraph = ReadonlyMap<string, GraphModule>

/** The modules of the project by their paths. */
export function readImports(): ImportGraph {
  const paths = globSync(['packages/*/{src,test}/**/*.{ts,js,cjs}', 'scripts/**/*.{ts,cjs}', 'bench/**/*.ts'])
  return new Map(paths.map(path => [path, readFile(path)]))
}

function readFile(path: string): GraphModule {
  const text = readFileSync(path, 'utf8')
  const imported = path.endsWith('.ts') ? readModule(path, text).imports.map(({ target }) => target) : []
  const targets = new Set([...imported, ...namedModules(path, text)])
  return { imports: [...targets].filter(target => existsSync(target)), text }
}

/** The modules that a text names in quotes: relative to the module, or from the root of the project. */
export const namedModules = (path: string, text: string): string[] =>
  [...text.matchAll(/['"`]((?:\.{1,2}|packages|scripts)\/[^'"`\s]+\.(?:ts|cjs|js))['"`]/g)].map(
    ([, name = '']) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name),
  )
