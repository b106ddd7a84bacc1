/** How a client reaches the service, and as whom. */
export interface ClientSettings {
  /** Where the service is, such as `https://api.example.com`; a slash at the end does no harm. */
  base_url: string
  /** An access token, or what gives a fresh one: it is asked before every attempt. */
  access_token?: string | (() => string | Promise<string>)
  /** A Workspace API key, instead of an access token. */
  api_key?: string
  /** The Workspace that requests run in, where a call names no other. */
  workspace_id?: string
  /** How often a request is sent at most; 3 by default. A change is sent again under the same Idempotency-Key, so it happens once. */
  attempts?: number
  /** How long one attempt may take, in milliseconds; 30,000 by default. */
  timeout?: number
  /** What sends requests; the platform's own fetch by default. */
  fetch?: typeof globalThis.fetch
}

/** What can be said of one call. */
export interface CallOptions {
  /** The Workspace that this call runs in. */
  workspace_id?: string
  /** Made anew for each call otherwise. Keep one of your own to repeat a change after a restart without doing it twice. */
  idempotency_key?: string
  /** Gives up at once when it is aborted, also while waiting for the next attempt. */
  signal?: AbortSignal
}
