import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judge } from './architecture/judge.ts'
import { layers } from './architecture/layers.ts'
import { readModule } from './architecture/module.ts'

/** Checks the imports of all files against the layers and the other rules of the project. Fails if any breaks one. */
const root = join(import.meta.dirname, '..')
const files = globSync(['packages/*/{src,test}/**/*.ts', 'scripts/**/*.ts'], { cwd: root }).sort()
const modules = files.map(path => readModule(path, readFileSync(join(root, path), 'utf8')))
const findings = judge(modules, layers)

for (const { path, line, message } of findings) console.log(`${path}:${line}: ${message}`)
const imports = modules.reduce((sum, module) => sum + module.imports.length, 0)
console.log(
  `${modules.length} files with ${imports} imports of each other: ${findings.length === 0 ? 'as they should be' : `${findings.length} findings`}`,
)
if (findings.length > 0) process.exitCode = 1
