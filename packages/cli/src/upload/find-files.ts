import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { reasonOf } from '../reason-of.ts'
import { placeOf, refusalOf } from './place.ts'
import { CommandError } from '../command-error.ts'

/** A file that is to be uploaded. */
export interface LocalFile {
  /** As the user would name it. */
  path: string
  index_path: string
  size_bytes: number
}

/** A file or folder that is not uploaded, and why. */
export interface NotUploaded {
  path: string
  reason: string
}

export interface FoundFiles {
  files: LocalFile[]
  /** What is no file of the user: it is left out on purpose. */
  skipped: NotUploaded[]
  /** What could not be uploaded. */
  failed: NotUploaded[]
}

/** The files that the paths name or that are in the folders that they name. Throws CommandError for a path that is neither. */
export async function findFiles(paths: readonly string[], under: string | undefined): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], skipped: [], failed: [] }
  for (const path of paths) {
    const stats = await stat(path).catch((error: unknown) => {
      throw new CommandError(`${path} cannot be read: ${reasonOf(error)}.`)
    })
    if (stats.isDirectory()) await findIn(path, [], under, found)
    else if (stats.isFile()) add(path, stats.size, [basename(resolve(path))], under, found)
    else throw new CommandError(`${path} is neither a file nor a folder.`)
  }
  return withoutDuplicates(found)
}

async function findIn(
  folder: string,
  above: readonly string[],
  under: string | undefined,
  found: FoundFiles,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    found.failed.push({ path: `${folder}/`, reason: `it cannot be read: ${reasonOf(error)}` })
    return []
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    const reason = reasonToSkip(entry)
    if (reason !== null) found.skipped.push({ path: entry.isDirectory() ? `${path}/` : path, reason })
    else if (entry.isDirectory()) await findIn(path, [...above, entry.name], under, found)
    else
      await stat(path).then(
        ({ size }) => add(path, size, [...above, entry.name], under, found),
        (error: unknown) => found.failed.push({ path, reason: notReadable(error, entry.name) }),
      )
  }
}

function reasonToSkip(entry: Dirent): string | null {
  if (entry.name.startsWith('.')) return 'its name begins with a dot'
  if (entry.isSymbolicLink()) return 'it is a symbolic link'
  return entry.isFile() || entry.isDirectory() ? null : 'it is not a file'
}

const notReadable = (error: unknown, name: string) =>
  name.includes('\ufffd') ? 'its path is not UTF-8' : `it cannot be read: ${reasonOf(error)}`

function add(
  path: string,
  size_bytes: number,
  names: readonly string[],
  under: string | undefined,
  found: FoundFiles,
): void {
  const index_path = placeOf(names, under)
  const reason = refusalOf(index_path)
  if (reason === null) found.files.push({ path, index_path, size_bytes })
  else found.failed.push({ path, reason })
}

/** Of several files for one place, only the first is uploaded. */
function withoutDuplicates({ files, skipped, failed }: FoundFiles): FoundFiles {
  const first = new Map<string, LocalFile>()
  const others: NotUploaded[] = []
  for (const file of files) {
    const known = first.get(file.index_path)
    if (!known) first.set(file.index_path, file)
    else if (resolve(known.path) !== resolve(file.path))
      others.push({ path: file.path, reason: `it would be at the same place as ${known.path}` })
  }
  return { files: [...first.values()], skipped, failed: [...failed, ...others] }
}
