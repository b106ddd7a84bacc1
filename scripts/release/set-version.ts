import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The release cannot be made. The message says why. */
export class UnfitRelease extends Error {}

interface Manifest {
  name?: string
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  /** In the lock file: by its folder, that of the project being ''. */
  packages?: Record<string, Manifest>
}

/**
 * Sets the version of all packages, of their dependencies on each other and of the lock file, and gives the unreleased
 * changes of the changelog to the version. Throws UnfitRelease, and has changed nothing then.
 *
 * @param day YYYY-MM-DD
 */
export function setVersion(root: string, version: string, day: string): void {
  const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })]
  const before = (readJson(join(root, 'package.json')) as Manifest).version ?? '0.0.0'
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new UnfitRelease('Name the version as three numbers: npm run release -- 0.4.0')
  if (compareVersions(version, before) <= 0)
    throw new UnfitRelease(`The version is ${before} now, so ${version} is no later one.`)
  const changelog = join(root, 'CHANGELOG.md')
  const dated = dateChanges(readFileSync(changelog, 'utf8'), version, day)

  for (const file of manifests) rewriteJson(join(root, file), manifest => setIn(manifest, version))
  rewriteJson(join(root, 'package-lock.json'), lock => {
    lock.version = version
    for (const [path, entry] of Object.entries(lock.packages ?? {}))
      if (path === '' || path.startsWith('packages/')) setIn(entry, version)
  })
  writeFileSync(changelog, dated)
}

function setIn(manifest: Manifest, version: string): void {
  manifest.version = version
  for (const dependencies of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const name of Object.keys(dependencies)) if (name.startsWith('@wbs/')) dependencies[name] = version
}

const heading = '## Unreleased'

/** The changelog in which the unreleased changes belong to a version. Throws UnfitRelease if there are none. */
export function dateChanges(changelog: string, version: string, day: string): string {
  const [head = '', ...rest] = changelog.split(`${heading}\n`)
  const changes = rest.join(`${heading}\n`).split('\n## ', 1)[0] ?? ''
  if (!/^- /m.test(changes))
    throw new UnfitRelease(`CHANGELOG.md has no changes below "${heading}": write down what is new.`)
  return `${head}${heading}\n\n## ${version} (${day})\n${rest.join(`${heading}\n`)}`
}

/** Less than 0 if the first is the earlier one. */
const compareVersions = (version: string, other: string): number =>
  version.localeCompare(other, 'en', { numeric: true })

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

function rewriteJson(path: string, change: (content: Manifest) => void): void {
  const content = readJson(path) as Manifest
  change(content)
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}
