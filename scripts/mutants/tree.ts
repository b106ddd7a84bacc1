import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { planted, type Mutant } from './mutant.ts'

const leftOut = ['node_modules', '.git', '.data', 'dist']

/** Copies the project into a folder. Its dependencies are linked; the packages of the project are those of the copy. */
export function copyTree(root: string, copy: string): void {
  cpSync(root, copy, { recursive: true, filter: path => !leftOut.includes(basename(path)) })
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from))
    // The links in this folder lead to the packages beside it.
    if (name === '@wbs') cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(from, name), join(to, name))
  symlinkSync(join(root, 'tools/node_modules'), join(copy, 'tools/node_modules'))
}

/** Runs work while the fault is in the copy. */
export async function withPlanted<T>(copy: string, mutant: Mutant, work: () => Promise<T>): Promise<T> {
  const path = join(copy, mutant.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, planted(mutant, source))
  try {
    return await work()
  } finally {
    writeFileSync(path, source)
  }
}
