import type { BlobStore } from '../../blobs/blob-store.ts'

/** Reads a range of content into memory. The range must be short. */
export async function readBytes(
  blobs: Pick<BlobStore, 'read'>,
  workspace_id: string,
  sha256: string,
  range: { start: number; end: number },
): Promise<Buffer> {
  if (range.end <= range.start) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  for await (const chunk of await blobs.read(workspace_id, sha256, range)) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  if (bytes.length !== range.end - range.start) throw new Error('Content is shorter than its version says.')
  return bytes
}
