import type { Hooks } from './hooks.ts'

/** How a client reaches the service, and with which credential. */
export interface ClientSettings {
  /** The base URL of the service, such as `https://api.example.com`. A trailing slash is ignored. */
  base_url: string
  /** An access token, or a function that gives a fresh one, called before every attempt. */
  access_token?: string | (() => string | Promise<string>)
  /** A Workspace API key, instead of an access token. */
  api_key?: string
  /** The Workspace that requests run in. A call can name another one. */
  workspace_id?: string
  /** How often a request is sent at most. Default: 3. A retried change has the same Idempotency-Key, so it happens once. */
  attempts?: number
  /** The timeout of one attempt, in milliseconds. Default: 30,000. */
  timeout?: number
  /** The fetch function to use. Default: the platform's. */
  fetch?: typeof globalThis.fetch
  /** Functions that are called for each attempt of each request, to log it. */
  hooks?: Hooks
}

/** The options of one call. */
export interface CallOptions {
  /** The Workspace that this call runs in. */
  workspace_id?: string
  /** Default: a new key for each call. Store a key of your own to repeat a change after a restart without doing it twice. */
  idempotency_key?: string
  /** Without an account: the claim token of the valuation that is read. */
  claim_token?: string
  /**
   * For an operation that answers with content: the first byte to get and, if given, the byte before which to end. The
   * answer then has the status 206, unless the content is empty.
   */
  range?: { start: number; end?: number }
  /**
   * For an operation that answers with content: the ETag of the content that you have, quotes included. If the content is
   * the same, the answer has the status 304 and no body.
   */
  if_none_match?: string
  /** The timeout of one attempt of this call, in milliseconds. Default: that of the client. */
  timeout?: number
  /** Aborts the call at once, also while it waits for the next attempt. */
  signal?: AbortSignal
}
