import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Systems limit the path of a socket to 104 or 108 bytes, of which its name takes 15.
const LONGEST_FOLDER = 85
const LINK_BYTES = '/wbs-XXXXXX/db'.length

/** A path to the socket in a cluster folder; `close` removes what was created for it. */
export interface SocketFolder {
  readonly path: string
  readonly close: () => void
}

/** The folder that clients use as their host: `cluster`, or a short link to it if its path is too long. */
export function openSocketFolder(cluster: string): SocketFolder {
  if (Buffer.byteLength(cluster) <= LONGEST_FOLDER) return { path: cluster, close: () => {} }
  const short = Buffer.byteLength(tmpdir()) <= LONGEST_FOLDER - LINK_BYTES ? tmpdir() : '/tmp'
  const folder = mkdtempSync(join(short, 'wbs-'))
  const path = join(folder, 'db')
  symlinkSync(cluster, path)
  return { path, close: () => rmSync(folder, { recursive: true, force: true }) }
}
