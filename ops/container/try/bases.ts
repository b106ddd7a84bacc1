import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'

/** Images made here instead of those that the Containerfile names, which come from registries of images. */
export interface Bases {
  builder: string
  base: string
}

const suite = 'trixie'
const mirror = 'http://deb.debian.org/debian'

/** What gcr.io/distroless/cc-debian13 consists of, as far as Node needs it. */
const packages = [
  'base-files',
  'netbase',
  'tzdata',
  'ca-certificates',
  'libc6',
  'libgcc-s1',
  'gcc-14-base',
  'libstdc++6',
]

/** Makes both from Debian's packages: one with npm to build in, and one with libraries alone to run in. */
export async function makeBases(folder: string, root: string): Promise<Bases> {
  const whole = join(folder, 'whole')
  const include = ['ca-certificates', 'netbase', 'libstdc++6', 'tzdata'].join()
  await run('debootstrap', ['--variant=minbase', `--include=${include}`, suite, whole, mirror])
  const small = join(folder, 'small')
  await unpackInto(small, whole)
  await addNpm(whole, root)
  return { builder: await imported(whole, 'wbs-builder'), base: await imported(small, 'wbs-base') }
}

/** Without a shell and a package manager. Each package is named in status.d, as distroless images do. */
async function unpackInto(small: string, whole: string): Promise<void> {
  const archives = join(whole, 'var/cache/apt/archives')
  const status = join(small, 'var/lib/dpkg/status.d')
  for (const name of packages) {
    const file = readdirSync(archives).find(archive => archive.startsWith(`${name}_`))
    if (file === undefined) throw new Error(`debootstrap did not bring the package ${name}.`)
    await run('dpkg-deb', ['--extract', join(archives, file), small])
    mkdirSync(status, { recursive: true })
    writeFileSync(join(status, name), (await run('dpkg-deb', ['--field', join(archives, file)])).stdout)
  }
  // A merged /usr, and the certificates that ca-certificates collects when it is configured.
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (!existsSync(join(small, name)))
      cpSync(join(whole, name), join(small, name), { verbatimSymlinks: true })
  cpSync(join(whole, 'etc/ssl/certs'), join(small, 'etc/ssl/certs'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  writeFileSync(join(small, 'etc/passwd'), 'root:x:0:0:root:/root:/sbin/nologin\n')
  writeFileSync(join(small, 'etc/group'), 'root:x:0:\n')
  for (const name of ['tmp', 'proc', 'sys', 'dev'])
    mkdirSync(join(small, name), { recursive: true, mode: 0o1777 })
}

/** The Node that the project pins, and the npm of this machine's registry. */
async function addNpm(whole: string, root: string): Promise<void> {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const name = Object.keys(optionalDependencies).find(candidate =>
    existsSync(join(root, 'node_modules', candidate)),
  )
  if (name === undefined) throw new Error('The pinned Node is not installed: run npm ci.')
  cpSync(join(root, 'node_modules', name, 'bin/node'), join(whole, 'usr/local/bin/node'))
  await run('npm', ['install', '--global', '--prefix', join(whole, 'usr/local'), 'npm@11'])
}

async function imported(folder: string, name: string): Promise<string> {
  const archive = `${folder}.tar`
  await run('tar', ['--create', '--file', archive, '--exclude=./var/cache/apt/archives/*', '-C', folder, '.'])
  const image = `localhost/${name}:check`
  await run('podman', ['import', '--quiet', archive, image])
  return image
}
