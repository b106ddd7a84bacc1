import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Test files that one process runs, one after the other. */
export interface Group {
  name: string
  /** Relative to the root of the project. */
  files: readonly string[]
}

const ENDING = '.group.mjs'

export const isGroup = (path: string): boolean => path.endsWith(ENDING)

/**
 * Writes the module that runs a group, and its files beside it. `rank` comes first in the name of the module, because Node
 * starts test files in the order of their names.
 */
export function writeGroup(group: Group, rank: number, folder: string): string {
  const entry = join(folder, `${String(rank).padStart(3, '0')}-${group.name}${ENDING}`)
  const runner = import.meta.resolve('./run-group.ts')
  writeFileSync(
    entry,
    `import { runGroup } from ${JSON.stringify(runner)}\nawait runGroup(import.meta.filename)\n`,
  )
  writeFileSync(listOf(entry), JSON.stringify(group))
  return entry
}

/** The group that a module runs. */
export const readGroup = (entry: string): Group => JSON.parse(readFileSync(listOf(entry), 'utf8')) as Group

const listOf = (entry: string) => entry.replace(/\.mjs$/, '.json')
