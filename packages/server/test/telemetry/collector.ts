import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '../harness/eventually.ts'

/** A span as a collector receives it. */
export interface SeenSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  attributes: Record<string, unknown>
  /** Whether it is marked as failed. */
  failed: boolean
  nanoseconds: bigint
}

/** A collector of OpenTelemetry: OTLP over HTTP, in JSON. */
export interface Collector {
  url: string
  spans: SeenSpan[]
  /** All that arrived, as it was sent. */
  bodies: string[]
  /** The headers of the last request. */
  headers: IncomingHttpHeaders
  /** The attributes of the process that sent the last spans. */
  resource: Record<string, unknown>
  /** Waits for the spans of the trace that has one with this attribute; gives all of them, when that one has arrived. */
  traceWith(name: string, value: unknown): Promise<SeenSpan[]>
  close(): Promise<void>
}

/** `answer` gives the status of each answer; by default 200. */
export async function startCollector(answer: () => number = () => 200): Promise<Collector> {
  const seen: Collector = {
    url: '',
    spans: [],
    bodies: [],
    headers: {},
    resource: {},
    traceWith: async (name, value) => {
      const { traceId } = await eventually(() => seen.spans.find(span => span.attributes[name] === value))
      return seen.spans.filter(span => span.traceId === traceId)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', chunk => (text += chunk))
    request.on('end', () => {
      seen.headers = request.headers
      seen.bodies.push(text)
      if (request.url === '/v1/traces') take(JSON.parse(text) as Batch, seen)
      response.writeHead(answer(), { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return seen
}

type Value = { [Type in 'stringValue' | 'intValue' | 'boolValue' | 'doubleValue']?: unknown }
interface Named {
  attributes: { key: string; value: Value }[]
}
interface SentSpan extends Named, Omit<SeenSpan, 'attributes' | 'failed' | 'nanoseconds'> {
  status: { code: number }
  startTimeUnixNano: string
  endTimeUnixNano: string
}
interface Batch {
  resourceSpans: { resource: Named; scopeSpans: { spans: SentSpan[] }[] }[]
}

function take({ resourceSpans }: Batch, seen: Collector): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    seen.resource = valuesOf(resource)
    for (const { name, kind, traceId, spanId, parentSpanId, ...rest } of scopeSpans.flatMap(one => one.spans))
      seen.spans.push({
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        attributes: valuesOf(rest),
        failed: rest.status.code === 2,
        nanoseconds: BigInt(rest.endTimeUnixNano) - BigInt(rest.startTimeUnixNano),
      })
  }
}

const valuesOf = ({ attributes }: Named): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
