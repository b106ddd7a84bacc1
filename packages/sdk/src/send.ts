import { inputParts, methodOf, pathOf, takesBody, type Operation } from '@wbs/contract/operation'
import { ProblemError } from './problem-error.ts'

export interface ClientSettings {
  base_url: string
  /** An access token, or what gives a fresh one. */
  access_token?: string | (() => string | Promise<string>)
  /** A Workspace API key, instead of an access token. */
  api_key?: string
  /** The Workspace that requests run in. */
  workspace_id?: string
  /** How often a request is sent at most: 3 by default. Only what may be repeated without harm is sent again. */
  attempts?: number
  fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  workspace_id?: string
  /** Made anew for each call otherwise; give one to repeat a change across restarts of your own. */
  idempotency_key?: string
  signal?: AbortSignal
}

/** Sends one operation, again where that is harmless and may help, and gives its answer. Throws ProblemError, or what fetch throws. */
export async function send(
  settings: ClientSettings,
  operation: Operation,
  input: Record<string, unknown>,
  options: CallOptions,
): Promise<unknown> {
  const { url, init } = await requestFor(settings, operation, input, options)
  const attempts = settings.attempts ?? 3
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(settings.fetch ?? fetch, url, init)
    if (outcome.answer !== undefined) return outcome.answer
    if (attempt >= attempts || !outcome.retryable || options.signal?.aborted) throw outcome.error
    await pause(outcome.retryAfterMilliseconds ?? backoff(attempt), options.signal)
  }
}

async function requestFor(
  settings: ClientSettings,
  operation: Operation,
  input: Record<string, unknown>,
  options: CallOptions,
) {
  const parts = inputParts(operation)
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  )
  const query = new URLSearchParams()
  for (const name of Object.keys(parts.query)) {
    const value = input[name]
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const body = takesBody(operation)
    ? JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => !(name in parts.path))))
    : undefined
  const search = query.size > 0 ? `?${query}` : ''
  const init: RequestInit = {
    method: methodOf(operation),
    headers: await headersFor(settings, operation, options, body !== undefined),
    redirect: 'error',
    ...(body !== undefined && { body }),
    ...(options.signal && { signal: options.signal }),
  }
  return { url: `${settings.base_url}${path}${search}`, init }
}

async function headersFor(
  settings: ClientSettings,
  operation: Operation,
  options: CallOptions,
  hasBody: boolean,
): Promise<Record<string, string>> {
  const { access_token, api_key } = settings
  const token = typeof access_token === 'function' ? await access_token() : access_token
  const workspace_id = options.workspace_id ?? settings.workspace_id
  const namesWorkspace = operation.audience === 'workspace' || operation.audience === 'anyone'
  return {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(api_key !== undefined && { 'x-svc-api-key': api_key }),
    ...(namesWorkspace && workspace_id !== undefined && { 'svc-workspace-id': workspace_id }),
    ...(operation.kind === 'mutation' && {
      'idempotency-key': options.idempotency_key ?? crypto.randomUUID(),
    }),
    ...(hasBody && { 'content-type': 'application/json' }),
  }
}

type Outcome = { answer: unknown; retryable?: never; error?: never; retryAfterMilliseconds?: never } | Failure
interface Failure {
  answer?: undefined
  error: unknown
  retryable: boolean
  retryAfterMilliseconds?: number
}

async function attemptOnce(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Outcome> {
  let response: Response
  try {
    response = await fetch(url, init)
    if (response.ok) return { answer: await response.json() }
  } catch (error) {
    // A change carries its key and a read changes nothing: after a lost connection both may be sent again.
    return { error, retryable: !(error instanceof DOMException && error.name === 'AbortError') }
  }
  return refusal(response)
}

async function refusal(response: Response): Promise<Failure> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('application/problem+json'))
    return {
      error: new Error(`The service answered ${response.status} without a problem body.`),
      retryable: response.status === 502 || response.status === 504,
    }
  const error = new ProblemError(JSON.parse(text))
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  return {
    error,
    retryable: error.problem.retryable,
    ...(Number.isFinite(seconds) && { retryAfterMilliseconds: seconds * 1000 }),
  }
}

const backoff = (attempt: number) => 100 * 2 ** attempt * (0.5 + Math.random())

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true })
  })
}
