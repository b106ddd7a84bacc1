import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const migrations = 'packages/server/src/database/migrations'
/** The migration that introduced the rule for running on a newer database. */
const rule = `${migrations}/0015_running_with_newer_migrations.sql`

const run = promisify(execFile)
const git = async (...args: string[]) =>
  (await run('git', ['-C', root, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout.trim()

/** An earlier version of the service, set up to run with the dependencies of this one. */
export interface PreviousVersion {
  commit: string
  main: string
  /** The folder of its migrations. */
  migrations: URL
  remove(): Promise<void>
}

/**
 * The version before the last migration, or else before the last commit; or the reason if the history is not available
 * or neither can run here.
 */
export async function previousVersion(): Promise<PreviousVersion | { missing: string }> {
  const reasons: string[] = []
  for (const revision of await candidates()) {
    const missing = await whyNot(revision)
    if (missing === null) return layOut(revision)
    reasons.push(missing)
  }
  return { missing: reasons.join('; ') || 'git has no history of this project' }
}

async function candidates(): Promise<string[]> {
  if (!existsSync(join(root, '.git'))) return []
  const last = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', migrations).catch(() => '')
  return last === '' ? [] : [`${last}~1`, 'HEAD~1']
}

async function whyNot(revision: string): Promise<string | null> {
  const lock = await git('show', `${revision}:package-lock.json`).catch(() => null)
  if (lock === null) return `${revision} is not in the history at hand`
  const hasRule = await git('cat-file', '-e', `${revision}:${rule}`).then(
    () => true,
    () => false,
  )
  if (!hasRule) return `${revision} runs on no database that is newer than itself`
  const own = dependencies(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const same = [...dependencies(lock)].every(([at, version]) => own.get(at) === version)
  return same ? null : `${revision} has other dependencies`
}

/** The version of each package that the service itself needs. */
function dependencies(lock: string): Map<string, string> {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string; dev?: boolean }> }
  const needed = Object.entries(packages).filter(([at, { dev }]) => at.includes('node_modules/') && !dev)
  return new Map(needed.map(([at, { version }]) => [at, version]))
}

async function layOut(revision: string): Promise<PreviousVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-previous-'))
  const archive = join(folder, 'archive.tar')
  await git('archive', '--output', archive, revision, 'package.json', 'packages')
  await run('tar', ['-xf', archive, '-C', folder])
  await linkDependencies(folder)
  return {
    commit: await git('rev-parse', '--short', revision),
    main: join(folder, 'packages/server/src/main.ts'),
    migrations: pathToFileURL(join(folder, `${migrations}/`)),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * Everything that this version has installed, except the project's own packages, which must be those of the earlier
 * version.
 */
async function linkDependencies(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@wbs'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@wbs' && !name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(modules, name))
  for (const name of await readdir(join(folder, 'packages')))
    await symlink(join(folder, 'packages', name), join(modules, '@wbs', name))
}
