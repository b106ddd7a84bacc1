import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../../..')

/** What the image contains, in folders of this machine. */
export interface ImageFolder {
  /** The folder that the image has as /app. */
  app: string
  /** Each folder is copied to the root of the image, as a layer. */
  layers: Record<'node' | 'dependencies' | 'service' | 'data', string>
  remove(): void
}

export const containerfile = (): string => readFileSync(join(root, 'ops/container/Containerfile'), 'utf8')

export const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

/**
 * Follows the Containerfile without a container: copies what it copies, installs what `npm ci --omit=dev` installs (as
 * links to the packages of this project), and lays out the image. Only the Debian packages are made up.
 */
export function makeImageFolder(): ImageFolder {
  const folder = mkdtempSync(join(tmpdir(), 'wbs-image-'))
  const [build, target, app] = ['build', 'target', 'app'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of copiedPaths()) cpSync(join(root, path), join(build, path), { recursive: true })
  installIn(build)
  writeFileSync(join(folder, 'npm.cdx.json'), npmSbom())
  mkdirSync(join(folder, 'dpkg/status.d'), { recursive: true })
  const libc = 'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.41-12\n'
  writeFileSync(join(folder, 'dpkg/status.d/libc6'), libc)
  const [sbom, dpkg] = [join(folder, 'npm.cdx.json'), join(folder, 'dpkg')]
  const script = 'ops/container/image/lay-out.sh'
  execFileSync('sh', [script, versionOf(root), sbom, dpkg, target], { cwd: build, stdio: 'pipe' })
  const layers = {
    node: join(target, 'node'),
    dependencies: join(target, 'dependencies'),
    service: join(target, 'service'),
    data: join(target, 'data'),
  }
  for (const layer of ['dependencies', 'service'] as const)
    cpSync(join(layers[layer], 'app'), app, { recursive: true, verbatimSymlinks: true })
  return { app, layers, remove: () => removeAll(folder) }
}

/** The paths that the Containerfile copies from the project. */
export const copiedPaths = (): string[] =>
  [...containerfile().matchAll(/^COPY (?!--)(.*)$/gm)].flatMap(([, words = '']) =>
    words.split(' ').slice(0, -1),
  )

/** Each package that is not for development alone, and the links of the workspaces. */
function installIn(build: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; link?: true; resolved?: string; os?: string[]; cpu?: string[] }>
  }
  for (const [path, { dev, link, resolved = '', os, cpu }] of Object.entries(packages)) {
    const isForHere = (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true)
    if (dev || !isForHere || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue
    mkdirSync(dirname(join(build, path)), { recursive: true })
    symlinkSync(link ? join('../..', resolved) : join(root, path), join(build, path))
  }
}

/** As the Containerfile makes it. */
const npmSbom = (): string =>
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** The layout is read-only, as in the image. */
function removeAll(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
}
