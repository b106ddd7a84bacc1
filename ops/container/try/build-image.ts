import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bases } from './bases.ts'
import { run, type Ended } from './command.ts'

export interface BuiltImage {
  name: string
  version: string
  revision: string
}

/** Builds the Containerfile on the given bases. The registry of npm is the one that this machine is configured for. */
export async function buildImage(root: string, bases: Bases): Promise<BuiltImage> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const revision = (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim()
  const name = `localhost/wbs:${version}-check`
  await build(root, bases, { version, revision, name })
  return { name, version, revision }
}

/** A build with another version than the one of package.json. */
export const buildOtherVersion = (root: string, bases: Bases): Promise<Ended> =>
  build(root, bases, { version: '0.0.1', revision: 'none', name: 'localhost/wbs:never' }, true)

async function build(
  root: string,
  { builder, base }: Bases,
  image: BuiltImage,
  mayFail = false,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'wbs-npmrc-'))
  try {
    const npmrc = join(folder, 'npmrc')
    writeFileSync(npmrc, npmSettings(), { mode: 0o600 })
    const args = [
      'build',
      '--isolation=chroot',
      '--format=docker',
      '--pull-never',
      '--layers',
      // The registry of a workplace may have a certificate that only its machines trust.
      '--volume=/etc/ssl/certs:/etc/ssl/certs:ro',
      `--secret=id=npmrc,src=${npmrc}`,
      `--build-arg=BUILDER=${builder}`,
      `--build-arg=BASE=${base}`,
      `--build-arg=VERSION=${image.version}`,
      `--build-arg=REVISION=${image.revision}`,
      '--file=ops/container/Containerfile',
      `--tag=${image.name}`,
      '.',
    ]
    return await run('buildah', args, { cwd: root, mayFail })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How npm reaches its registry here: the settings of the user, and the certificates that the machine trusts. */
function npmSettings(): string {
  const file = join(homedir(), '.npmrc')
  return `${existsSync(file) ? readFileSync(file, 'utf8') : ''}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`
}
