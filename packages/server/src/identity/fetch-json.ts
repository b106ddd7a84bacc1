/** How a document is fetched. */
export interface FetchJsonOptions {
  fetch: typeof fetch
  /** For the whole answer, not only its first byte. Default: 5 s. */
  timeoutMs?: number
  /** Default: 1 MiB. */
  maxBytes?: number
}

/**
 * Fetches a JSON document from a server that is configured but not ours: redirects are not followed, and time and size
 * are limited.
 *
 * @throws Error for anything but a 200 with JSON
 */
export async function fetchJson(url: URL, options: FetchJsonOptions): Promise<unknown> {
  const response = await options.fetch(url, {
    redirect: 'manual',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(options.timeoutMs ?? 5_000),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url.host} answered ${response.status}`)
  }
  return JSON.parse(await readText(response, options.maxBytes ?? 1_048_576))
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    // Leaving the loop cancels the body, and closes the connection.
    if (size > maxBytes) throw new Error(`answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
