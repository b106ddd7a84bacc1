import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { hash } from 'node:crypto'
import { gather } from '../../src/backup/gather.ts'
import { endOfTar, readTar, tarEntry } from '../../src/backup/tar.ts'

/** Rewrites a backup into version 1 of the format, which has no content: another header and manifest, and their digest. */
export async function asFirstFormat(from: string, to: string): Promise<void> {
  await rewriteArchive(from, to, (name, content) => {
    if (name.startsWith('blobs/')) return null
    if (name !== 'backup.json' && name !== 'manifest.json') return content
    const { blobs: _blobs, ...value } = JSON.parse(content.toString()) as Record<string, unknown>
    const first = name === 'backup.json' ? { ...value, format_version: 1 } : value
    return Buffer.from(`${JSON.stringify(first, null, 2)}\n`)
  })
}

/** Writes a backup with other contents of entries, or without those that become null, and with the digest that fits them. */
export async function rewriteArchive(
  from: string,
  to: string,
  change: (name: string, content: Buffer) => Buffer | null,
): Promise<void> {
  const at = new Date('2026-01-01T00:00:00Z')
  const written: Buffer[] = []
  async function* archive() {
    yield gunzipSync(await readFile(from))
  }
  for await (const { name, content } of readTar(archive())) {
    const bytes = await gather(content)
    const changed =
      name === 'sha256' ? Buffer.from(`${hash('sha256', Buffer.concat(written))}\n`) : change(name, bytes)
    if (changed) written.push(...tarEntry(name, changed, at))
  }
  await writeFile(to, gzipSync(Buffer.concat([...written, endOfTar])))
}
