import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** A migration file of this version. */
export interface MigrationFile {
  name: string
  text: string
  sha256: string
  /** The level of the oldest version that runs on a database with this migration; null if only versions that have it do. */
  runsWith: number | null
}

const shipped = new URL('../migrations/', import.meta.url)

/** The migrations of a folder by their names, in the order in which they run. Default: those of this version. */
export async function readMigrations(folder: URL = shipped): Promise<Map<string, MigrationFile>> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const files = await Promise.all(names.map(name => readMigration(new URL(name, folder))))
  return new Map(files.map(file => [file.name, file]))
}

async function readMigration(url: URL): Promise<MigrationFile> {
  const name = decodeURIComponent(url.pathname).replace(/^.*\//, '').slice(0, -'.sql'.length)
  const text = await readFile(url, 'utf8')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { name, text, sha256, runsWith: readRunsWith(name, text) }
}

const runsWithForm = /^-- Runs with (?:versions from (\d{4}) on|no earlier version)\.$/m

/** Reads which earlier versions run with a migration; without a declaration, none do. */
function readRunsWith(name: string, text: string): number | null {
  const form = runsWithForm.exec(text)
  if (!form && /^-- *Runs with/im.test(text))
    throw new Error(
      `The migration ${name} must say "-- Runs with versions from NNNN on." or "-- Runs with no earlier version.".`,
    )
  return form?.[1] === undefined ? null : Number(form[1])
}

/** The level of a version: the number of its last migration. */
export const latestMigrationNumber = (names: Iterable<string>): number =>
  Math.max(0, ...Array.from(names, name => Number.parseInt(name, 10) || 0))
