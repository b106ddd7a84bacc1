/** Content that can be read at any place, again and again. */
export interface Content {
  kind: 'content'
  size_bytes: number
  name?: string
  content_type?: string
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array | Blob>
  close(): Promise<void>
}

/** Content that can be read once, from its beginning. */
export interface Stream {
  kind: 'stream'
  size_bytes: number
  chunks: AsyncIterator<Uint8Array>
  close(): Promise<void>
}

const isClosed = async () => {}

/** Content in memory. */
export const contentOfBytes = (bytes: Uint8Array): Content => ({
  kind: 'content',
  size_bytes: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
  close: isClosed,
})

/** The content of a Blob or a File. It stays where the platform keeps it until a part of it is sent. */
export const contentOfBlob = (blob: Blob): Content => ({
  kind: 'content',
  size_bytes: blob.size,
  ...('name' in blob && typeof blob.name === 'string' && { name: blob.name }),
  ...(blob.type !== '' && { content_type: blob.type.replace(/;.*/s, '').trim() }),
  read: async (start, end) => blob.slice(start, end),
  close: isClosed,
})
