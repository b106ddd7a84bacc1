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

interface Locked {
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

type Lock = Record<string, Locked>
const lockOf = (file: string) => (JSON.parse(read(file)) as { packages: Lock }).packages
const locks = ['package-lock.json', 'tools/package-lock.json'].map(lockOf)

/** Whether Node resolves `name` from the package in `folder`: in its node_modules, or in those of a folder above. */
function isLocked(lock: Lock, folder: string, name: string): boolean {
  if (`${folder && `${folder}/`}node_modules/${name}` in lock) return true
  return folder !== '' && isLocked(lock, folder.replace(/(?:^|\/)[^/]*$/, ''), name)
}

const declared = globSync(['package.json', 'packages/*/package.json', 'tools/package.json'], { cwd: root })
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
    declared.filter(([, version]) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
    [],
  )
})

// npm leaves a package out of the lock file if the registry does not have it, and `npm ci` then refuses the file.
it('the lock file has each package that another one may need, those for other platforms too', () => {
  const missing = locks.flatMap(lock =>
    Object.entries(lock).flatMap(([folder, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter(name => !isLocked(lock, folder, name))
        .map(name => `${name}, which ${folder} depends on`),
    ),
  )
  assert.deepEqual(missing, [])
})

it('the lock file names no registry, so that each machine takes its own', () => {
  const hosts = locks
    .flatMap(lock => Object.entries(lock))
    .filter(([, { resolved }]) => resolved?.includes('://'))
  assert.deepEqual(
    hosts.map(([folder]) => folder),
    [],
  )
})
