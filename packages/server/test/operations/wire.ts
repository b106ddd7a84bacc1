import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { inputParts, methodOf, pathOf, takesBody, type Operation } from '@wbs/contract/operation'
import type { TestService } from '../harness/service.ts'

/** The parameters of an operation by name, of the path, the query string and the body. Undeclared ones are sent too. */
export type Input = Readonly<Record<string, unknown>>

/** An answer with its body. */
export interface WireAnswer {
  status: number
  headers: Headers
  body: unknown
}

/**
 * Calls an operation without the SDK, so that any input and headers are sent unchanged. A mutation gets a new
 * Idempotency-Key unless `headers` has one. A header that is undefined is not sent.
 */
export async function callOperation(
  service: Pick<TestService, 'base_url'>,
  operation: Operation,
  input: Input,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<WireAnswer> {
  const { path, search, body } = onTheWire(operation, input)
  return send(service, operation, path + search, body, headers)
}

/** Calls an operation with a given target and body. */
export async function send(
  service: Pick<TestService, 'base_url'>,
  operation: Operation,
  target: string,
  body: string | undefined,
  given: Readonly<Record<string, string | undefined>>,
): Promise<WireAnswer> {
  const sent = {
    ...(operation.kind === 'mutation' && { 'idempotency-key': crypto.randomUUID() }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...given,
  }
  const response = await answerTo(new URL(service.base_url + target), methodOf(operation), sent, body)
  const headers = headersOf(response)
  // A stream ends only when the client disconnects.
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) response.destroy()
  const content = isStream ? '' : await text(response)
  // Content is answered as it is.
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '')
  return {
    status: response.statusCode ?? 0,
    headers,
    body: content !== '' && isJson ? JSON.parse(content) : undefined,
  }
}

const agent = new Agent({ keepAlive: true })

/** Sends a request, again if the service closed the connection while it was idle: then it has not read the request. */
async function answerTo(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string | undefined,
): Promise<IncomingMessage> {
  const asked = request(url, { method, agent, headers: withoutUndefined(headers) })
  asked.end(body)
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return response
  } catch (error) {
    if (asked.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
      return answerTo(url, method, headers, body)
    throw error
  }
}

const withoutUndefined = (headers: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}

/** The parts of a request that carry the input of an operation. */
export function onTheWire(
  operation: Operation,
  input: Input,
): { path: string; search: string; body?: string } {
  const inPath = inputParts(operation).path
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(asText(input[name])),
  )
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(inPath, name))
  if (takesBody(operation)) return { path, search: '', body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, asText(value)]))
  return { path, search: query.size > 0 ? `?${query.toString()}` : '' }
}

/** A value for the query string: lists with commas, objects as JSON. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
