import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Systems allow 104 to 108 bytes for a socket's whole path, of which its name takes 15.
const LONGEST_FOLDER = 85
const LINK_BYTES = '/wbs-XXXXXX/db'.length

/** A way to the socket in a cluster folder; `close` removes what was made for it. */
export interface SocketFolder {
  readonly path: string
  readonly close: () => void
}

/** The folder clients give as their host: `cluster`, or a short link to it where its path is too long. */
export function openSocketFolder(cluster: string): SocketFolder {
  if (Buffer.byteLength(cluster) <= LONGEST_FOLDER) return { path: cluster, close: () => {} }
  const short = Buffer.byteLength(tmpdir()) <= LONGEST_FOLDER - LINK_BYTES ? tmpdir() : '/tmp'
  const folder = mkdtempSync(join(short, 'wbs-'))
  const path = join(folder, 'db')
  symlinkSync(cluster, path)
  return { path, close: () => rmSync(folder, { recursive: true, force: true }) }
}
