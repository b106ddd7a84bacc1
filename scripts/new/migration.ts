import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = 'packages/server/src/database/migrations'

/** Writes an empty migration with the next number. Throws where the name is not of small letters, digits and _. */
export function newMigration(root: string, name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new Error('The name of a migration has small letters, digits and _, such as pinned_rooms.')
  const last = readdirSync(join(root, folder))
    .filter(file => file.endsWith('.sql'))
    .toSorted()
    .at(-1)
  const before = last?.slice(0, 4) ?? '0000'
  const number = String(Number(before) + 1).padStart(4, '0')
  const file = `${folder}/${number}_${name}.sql`
  const text = `-- Runs with versions from ${before} on.\n\n`
  writeFileSync(join(root, file), text, { flag: 'wx' })
  return `${file} is there. Keep its first line if it only adds, and read "A migration" in CONTRIBUTING.md.`
}
