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
  headers: Readonly<Record<string, string | undefined>>,
): Promise<WireAnswer> {
  const all = {
    ...(operation.kind === 'mutation' && { 'idempotency-key': crypto.randomUUID() }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  const response = await fetch(service.base_url + target, {
    method: methodOf(operation),
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ...(body !== undefined && { body }),
  })
  // A stream ends only when the client disconnects.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  return {
    status: response.status,
    headers: response.headers,
    // Content is answered as it is.
    body: text === '' || !isJson(response) ? undefined : JSON.parse(text),
  }
}

const isJson = ({ headers }: Response) => /\bjson\b/.test(headers.get('content-type') ?? '')

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
