/**
 * Fills the compile cache of the image: `node compile-cache.ts FOLDER USER_ID`. The service then starts sooner, although
 * it may write nothing. The cache belongs to a user id, to the paths of the code, to the version of Node and to its
 * flags, so it is filled with those of the image.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'

const [folder = '', userId = ''] = process.argv.slice(2)
const uid = Number(userId)
const flags = ['--max-semi-space-size=8', '--max-old-space-size=384']

mkdirSync(folder, { recursive: true })
chownSync(folder, uid, uid)
fill(flags, '/app/packages/server/src/service.ts')
fill(flags, '/app/packages/server/src/config.ts')
fill([], '/app/packages/cli/src/back-up.ts')
fill([], '/app/packages/cli/src/restore.ts')

/** Imports a file, and all that it imports, which Node then keeps in the folder. */
function fill(withFlags: string[], file: string): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [...withFlags, '--eval', `await import('${file}')`],
    {
      uid,
      gid: uid,
      env: { NODE_COMPILE_CACHE: folder },
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${file} cannot be imported: ${stderr}`)
}
