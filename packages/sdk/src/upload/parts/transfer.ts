import type { ClientSettings } from '../../settings.ts'
import { tellsProgress } from '../source/platform.ts'
import type { PartUrl } from './part-urls.ts'

/** What is used of the XMLHttpRequest of browsers. */
interface XmlHttpRequest {
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  send(body: Bytes): void
  abort(): void
  getAllResponseHeaders(): string
  readonly status: number
  readonly responseText: string
  readonly upload: {
    addEventListener(type: 'progress', listener: (progress: { loaded: number }) => void): void
  }
  addEventListener(type: 'load' | 'error' | 'loadend', listener: () => void): void
}

type Bytes = Uint8Array<ArrayBuffer> | Blob

/** How many bytes are handed to the network at a time. */
const step = 64 * 1024

/**
 * Sends a part to its address. `report` is told how many of its bytes the network has taken, on platforms that tell. It is
 * not asked where a fetch function was given, which may not know streams. Without `report`, it is sent by fetch as it is.
 */
export function transfer(
  { fetch: own }: ClientSettings,
  to: PartUrl,
  part: Uint8Array | Blob,
  signal: AbortSignal,
  report: ((sent_bytes: number) => void) | undefined,
): Promise<Response> {
  const { method, url, headers } = to
  const bytes = part as Bytes
  const { XMLHttpRequest: Xhr } = globalThis as { XMLHttpRequest?: new () => XmlHttpRequest }
  if (report && !own && Xhr) return byXhr(new Xhr(), to, bytes, signal, report)
  const isStream = report && !own && tellsProgress()
  const size = bytes instanceof Blob ? bytes.size : bytes.length
  return (own ?? fetch)(url, {
    method,
    // A stream with a known length is not sent in chunks, which stores refuse.
    headers: isStream ? { ...headers, 'content-length': String(size) } : headers,
    body: isStream ? streamOf(bytes, size, report) : bytes,
    redirect: 'error',
    credentials: 'omit',
    signal,
    ...(isStream && { duplex: 'half' }),
  })
}

/** Bytes as a stream that reports how far it was read. */
function streamOf(bytes: Bytes, size: number, report: (sent_bytes: number) => void): ReadableStream {
  let read = 0
  return new ReadableStream(
    {
      async pull(controller) {
        report(read)
        if (read === size) return controller.close()
        const some = bytes.slice(read, read + step)
        controller.enqueue(some instanceof Blob ? new Uint8Array(await some.arrayBuffer()) : some)
        read = Math.min(read + step, size)
      },
    },
    { highWaterMark: 0 },
  )
}

/** In browsers and their workers, only XMLHttpRequest tells how far it is. */
const byXhr = (
  request: XmlHttpRequest,
  { method, url, headers }: PartUrl,
  bytes: Bytes,
  signal: AbortSignal,
  report: (sent_bytes: number) => void,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      request.abort()
      reject(signal.reason as Error)
    }
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => report(loaded))
    request.addEventListener('error', () => reject(new TypeError('The part could not be sent.')))
    request.addEventListener('load', () => {
      const lines = request.getAllResponseHeaders().matchAll(/^([\w-]+): (.*)$/gm)
      resolve(
        new Response(request.responseText || null, {
          status: request.status,
          headers: Array.from(lines, ([, name = '', value = '']): [string, string] => [name, value]),
        }),
      )
    })
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.send(bytes)
  })
