import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Answer } from '../../../src/call/call.ts'
import type { Bytes } from '../../../src/call/bytes.ts'
import { startTransport, type TestTransport } from '../test-transport.ts'

/** Content in memory that records how it was read. */
export interface TestContent extends Bytes {
  opened: number
  /** The streams that were closed, whether read to the end or destroyed. */
  closed: number
}

export function contentOf(buffer: Buffer, more: Partial<Bytes> = {}): TestContent {
  const content: TestContent = {
    size_bytes: buffer.length,
    sha256: createHash('sha256').update(buffer).digest('hex'),
    name: 'plan.pdf',
    content_type: 'application/pdf',
    opened: 0,
    closed: 0,
    async open(range) {
      content.opened++
      return watched(content, Readable.from(chunksOf(buffer.subarray(range?.start, range?.end))))
    },
    ...more,
  }
  return content
}

/** Counts when the stream closes. */
export function watched(content: { closed: number }, source: Readable): Readable {
  source.once('close', () => content.closed++)
  return source
}

function* chunksOf(buffer: Buffer) {
  for (let at = 0; at < buffer.length; at += 64 * 1024) yield buffer.subarray(at, at + 64 * 1024)
}

/** A source without end, which counts what was read from it. */
export function endless(chunk: Buffer, read: { bytes: number }): Readable {
  return new Readable({
    highWaterMark: chunk.length,
    read() {
      read.bytes += chunk.length
      this.push(chunk)
    },
  })
}

/** A transport whose operation read_content answers with this content. */
export function startWith(
  content: Bytes | (() => Bytes),
  options: Parameters<typeof startTransport>[0] = {},
): Promise<TestTransport> {
  const run = async (): Promise<Answer> => ({
    status: 200,
    body: {},
    replay: false,
    bytes: typeof content === 'function' ? content() : content,
  })
  return startTransport({ run, ...options })
}

export const get = (path = '/v1/contents/1', ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: here', ...headers, '', ''].join('\r\n')

/** The lines that the service logged for requests. */
export const requestLines = ({ logged }: TestTransport) =>
  logged.map(line => JSON.parse(line) as Record<string, unknown>).filter(line => line['msg'] === 'request')
