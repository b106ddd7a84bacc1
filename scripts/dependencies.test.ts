import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const declared = globSync(['package.json', 'packages/*/package.json'], { cwd: root })
  .map(file => JSON.parse(read(file)) as Manifest)
  .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  .filter(([name]) => !name.startsWith('@wbs/'))

it('each dependency is accounted for in docs/decisions/dependencies.md, and no other', () => {
  const rows = read('docs/decisions/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)
  const explained = Array.from(rows, ([, name = '']) => name)
  assert.deepEqual(explained.sort(), [...new Set(declared.map(([name]) => name))].sort())
})

it('dependencies are pinned to one exact version', () => {
  assert.deepEqual(
    declared.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
    [],
  )
})
