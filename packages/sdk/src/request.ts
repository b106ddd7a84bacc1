import { answersBytesTo, type Operation } from './operations.ts'
import type { CallOptions, ClientSettings } from './settings.ts'

/** A request that can be sent repeatedly: everything but the access token. */
export interface PreparedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}

/** Puts the input into path, query or body. Throws TypeError for a value that cannot be part of a path. */
export function prepareRequest(
  settings: ClientSettings,
  operation: Operation,
  input: Record<string, unknown>,
  options: CallOptions,
): PreparedRequest {
  const { method } = operation
  const inPath = new Set<string>()
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name)
    return pathPart(name, input[name])
  })
  const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined)
  // If the path names the Workspace, the header must name the same one.
  const inputWorkspace = inPath.has('workspace_id') ? String(input['workspace_id']) : undefined
  const workspace_id = options.workspace_id ?? inputWorkspace ?? settings.workspace_id
  const headers = {
    accept:
      operation.answers === 'stream'
        ? 'text/event-stream'
        : answersBytesTo(operation, input)
          ? '*/*'
          : 'application/json',
    ...(options.range && { range: rangeOf(options.range) }),
    ...(options.if_none_match !== undefined && { 'if-none-match': options.if_none_match }),
    ...(settings.api_key !== undefined && { 'x-svc-api-key': settings.api_key }),
    ...(operation.workspace && workspace_id !== undefined && { 'svc-workspace-id': workspace_id }),
    ...(operation.visitors &&
      options.claim_token !== undefined && { 'svc-claim-token': options.claim_token }),
    ...(operation.changes && { 'idempotency-key': options.idempotency_key ?? newKey() }),
  }
  const url = settings.base_url.replace(/\/+$/, '') + path
  if (method === 'GET') return { url: url + queryOf(rest), method, headers }
  const body = JSON.stringify(Object.fromEntries(rest))
  return { url, method, headers: { ...headers, 'content-type': 'application/json' }, body }
}

/** Throws TypeError for a range that is not one: the service would answer with the whole content. */
function rangeOf({ start, end }: { start: number; end?: number }): string {
  const isByte = (at: number) => Number.isSafeInteger(at) && at >= 0
  if (!isByte(start) || (end !== undefined && (!isByte(end) || end <= start)))
    throw new TypeError('range must be from a byte to a later one.')
  return `bytes=${start}-${end === undefined ? '' : end - 1}`
}

/** An empty part, or one of dots, would change the path, because URLs are normalized before they are sent. */
function pathPart(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} must be an id; it is part of the path.`)
  return encodeURIComponent(value)
}

/** Unknown parameters are sent too: the service refuses them, so no mistake is lost silently. */
function queryOf(parameters: readonly (readonly [string, unknown])[]): string {
  const given = parameters.filter(([, value]) => value !== null)
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      Array.isArray(value) ? value.join(',') : String(value),
    ]),
  )
  return query.size > 0 ? `?${query.toString()}` : ''
}

// Not crypto.randomUUID, which browsers only have in secure contexts.
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
