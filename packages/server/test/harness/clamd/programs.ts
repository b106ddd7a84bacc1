import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packages = ['clamav-daemon', 'libclamav12', 'libmspack0']

/** Unpacks clamd and its libraries from Debian's packages, without installing them. */
export async function unpackClamd(folder: string): Promise<void> {
  await run('apt-get', ['download', ...packages], { cwd: folder, timeout: 60_000 })
  for (const file of (await readdir(folder)).filter(name => name.endsWith('.deb'))) {
    await run('dpkg', ['-x', join(folder, file), folder])
    await rm(join(folder, file))
  }
}

/** Where the libraries of an unpacked Debian package are. */
export async function librariesIn(folder: string): Promise<string> {
  const libraries = join(folder, 'usr', 'lib')
  const names = (await readdir(libraries)).filter(name => name.includes('-linux-'))
  return names.map(name => join(libraries, name)).join(':')
}
