import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const servers = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object']

const cache = new URL('../../../../../node_modules/.cache/', import.meta.url).pathname

/** Where Swift was unpacked, or why there is none. */
export type SwiftPackages = { root: string } | { missing: string }

/**
 * Downloads Swift, an S3 server, from Debian, and unpacks it without installing it. Later runs use what the first one
 * unpacked.
 */
export async function fetchSwift(): Promise<SwiftPackages> {
  const root = join(cache, 'wbs-swift')
  if (existsSync(root)) return { root }
  if (!existsSync('/usr/bin/python3')) return { missing: 'no Swift, because there is no /usr/bin/python3' }
  await mkdir(cache, { recursive: true })
  const making = await mkdtemp(`${root}-`)
  try {
    await unpackInto(making)
    await rename(join(making, 'root'), root)
  } catch (error) {
    if (!existsSync(root)) return { missing: `no Swift, because apt cannot download it: ${reasonOf(error)}` }
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return { root }
}

async function unpackInto(folder: string): Promise<void> {
  const options = ['install', '--simulate', '--no-install-recommends', ...servers]
  const { stdout } = await run('apt-get', options)
  const needed = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
  await run('apt-get', ['download', ...needed], { cwd: folder })
  const archives = (await readdir(folder)).filter(name => name.endsWith('.deb'))
  for (const archive of archives)
    await run('dpkg', ['--extract', join(folder, archive), join(folder, 'root')])
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr?.trim() || message).split('\n', 1)[0] ?? ''
}
