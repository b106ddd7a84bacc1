import type { Content } from './content.ts'
import { isNode, nodeModule } from './platform.ts'

/** The content of a file, in Node.js. Throws TypeError elsewhere and for what is not a file, and errors of the system. */
export async function contentOfFile(path: string): Promise<Content> {
  if (!isNode())
    throw new TypeError(
      'A path can be uploaded only in Node.js. Pass a File or a Blob, or the text as bytes.',
    )
  const { open } = (await nodeModule('fs/promises')) as typeof import('node:fs/promises')
  const { basename } = (await nodeModule('path')) as typeof import('node:path')
  const file = await open(path, 'r')
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new TypeError(`${path} is not a file.`)
    return {
      kind: 'content',
      size_bytes: stats.size,
      name: basename(path),
      async read(start, end) {
        const bytes = new Uint8Array(end - start)
        let at = 0
        while (at < bytes.length) {
          const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at)
          if (bytesRead === 0) throw new Error(`${path} became shorter while it was uploaded.`)
          at += bytesRead
        }
        return bytes
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
