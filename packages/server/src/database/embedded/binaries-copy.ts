import { createHash } from 'node:crypto'
import { constants, lstatSync, readdirSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Folders that may hold a copy, best first. Only root can write to the first, and no cleaner of temporary files empties it. */
const PLACES = ['/var/cache', '/var/tmp', tmpdir()]
const OTHERS_MAY_WRITE = 0o022
const STICKY = 0o1000

/**
 * Copies the installation in `folder` to a folder that everybody can read and only this user can write, unless an
 * earlier copy is there. Gives its path, or undefined if no folder serves. `works` completes a candidate and tries it.
 */
export async function trustedCopy(
  folder: string,
  version: string,
  works: (candidate: string) => boolean,
  places = PLACES,
): Promise<string | undefined> {
  const files = listFiles(folder)
  const name = `wbs-postgres-${version}-${digest(files)}`
  for (const place of places.filter(isSafePlace)) {
    const made = join(place, name)
    if (isTrusted(made, files) && works(made)) return made
    const fresh = await copyInto(place, name, folder, files).catch(() => undefined)
    if (!fresh) continue
    if (works(fresh)) return await settle(fresh, made, files)
    await rm(fresh, { recursive: true, force: true })
  }
  return undefined
}

interface Entry {
  readonly path: string
  readonly size: number
  readonly executable: boolean
}

/** The files that the server needs, in a stable order: neither symbolic links nor files for compilers. */
function listFiles(folder: string): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => !/\.a$|^lib\/pkgconfig|^lib\/postgresql\/pgxs/.test(path))
    .map(path => ({ path, stat: lstatSync(join(folder, path)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ path, stat }) => ({ path, size: stat.size, executable: (stat.mode & 0o111) !== 0 }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

const digest = (files: Entry[]) =>
  createHash('sha256')
    .update(files.map(({ path, size }) => `${path} ${size}\n`).join(''))
    .digest('hex')
    .slice(0, 16)

// In a folder where others may rename and delete, they could replace the copy.
function isSafePlace(place: string) {
  const stat = lstatSync(place, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return false
  return isOwn(stat) && ((stat.mode & OTHERS_MAY_WRITE) === 0 || (stat.mode & STICKY) !== 0)
}

// An attacker can predict the name and create the folder first, but not as this user and closed to the attacker. The
// files are compared too, since cleaners of temporary folders delete single old files.
function isTrusted(folder: string, files: Entry[]) {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || !isOwn(stat) || (stat.mode & OTHERS_MAY_WRITE) !== 0) return false
  return digest(listFiles(folder)) === digest(files)
}

const isOwn = ({ uid }: { uid: number }) => uid === 0 || uid === process.geteuid!()

async function copyInto(place: string, name: string, from: string, files: Entry[]) {
  const to = await mkdtemp(join(place, `${name}-`))
  try {
    for (const { path, executable } of files) {
      await mkdir(dirname(join(to, path)), { recursive: true })
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
      await chmod(join(to, path), executable ? 0o755 : 0o644)
    }
    await openToAll(to, files)
    return to
  } catch (error) {
    await rm(to, { recursive: true, force: true })
    throw error
  }
}

// mkdir's mode is subject to the umask, which may be restrictive.
async function openToAll(root: string, files: Entry[]) {
  const folders = new Set<string>()
  for (const { path } of files) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder)
  }
  for (const folder of folders) await chmod(join(root, folder), 0o755)
}

/**
 * Renames `fresh` to its predictable name, so that it is found next time. If somebody else took that name, the copy
 * keeps its own.
 */
async function settle(fresh: string, name: string, files: Entry[]) {
  if (isTrusted(name, files)) {
    await rm(fresh, { recursive: true, force: true }) // another process was faster
    return name
  }
  const taken = lstatSync(name, { throwIfNoEntry: false })
  if (taken && isOwn(taken)) await rm(name, { recursive: true, force: true }) // a damaged copy of this user
  return await rename(fresh, name).then(
    () => name,
    () => fresh,
  )
}
