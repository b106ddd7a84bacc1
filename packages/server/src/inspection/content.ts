import { pipeline, Transform, type Readable } from 'node:stream'

/** One uploaded content, which can be read more than once. */
export interface Content {
  declared_type: string
  name: string
  size_bytes: number
  open(): Promise<Readable>
}

/**
 * Opens a content and passes it on; it is closed when the work ends, and fails when the signal aborts. It also fails if it
 * is shorter or longer than it should be, so that a fault of the storage is not taken for a broken file.
 */
export async function readWhole<T>(
  content: Content,
  signal: AbortSignal,
  work: (stream: Readable) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const stream = counted(await content.open(), content.size_bytes)
  const stop = () => stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await work(stream)
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}

function counted(source: Readable, bytes: number): Readable {
  let seen = 0
  const counter = new Transform({
    transform(chunk: Buffer, _, pass) {
      seen += chunk.length
      pass(null, chunk)
    },
    flush(end) {
      end(seen === bytes ? null : new Error(`The stored content has ${seen} bytes instead of ${bytes}.`))
    },
  })
  pipeline(source, counter, () => {}) // An error of the source is an error of the counter.
  return counter
}
