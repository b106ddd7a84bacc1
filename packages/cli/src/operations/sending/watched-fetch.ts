/** One request that was sent, as far as the terminal tells of it. Secrets are in none of its parts. */
export interface Attempt {
  method: string
  /** Without the query, which may hold what somebody searched for. */
  path: string
  milliseconds: number
  /** Of the answer; null if none came. */
  status: number | null
  headers: Headers | null
}

/** What became of the requests of a command. */
export interface Sending {
  fetch: typeof globalThis.fetch
  attempts: readonly Attempt[]
  /** Whether a request may have reached the service and its answer was lost. */
  isUnknown(): boolean
}

/** Errors of a connection that was never made. */
const notSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** Wraps fetch, and remembers each attempt. */
export function watchFetch(
  original: typeof globalThis.fetch,
  onAttempt: (attempt: Attempt) => void = () => undefined,
): Sending {
  const attempts: Attempt[] = []
  let lost = 0
  return {
    attempts,
    isUnknown: () => lost > 0,
    async fetch(target, init) {
      const { method, path } = named(target, init)
      const begun = performance.now()
      const tell = (answer: Response | null) => {
        const attempt: Attempt = {
          method,
          path,
          milliseconds: Math.round(performance.now() - begun),
          status: answer?.status ?? null,
          headers: answer?.headers ?? null,
        }
        attempts.push(attempt)
        onAttempt(attempt)
      }
      lost++
      try {
        const answer = await original(target, init)
        // An error of something between here and the service does not say what the service did.
        if (isOfTheService(answer)) lost--
        tell(answer)
        return answer
      } catch (error) {
        if (wasNotSent(error)) lost--
        tell(null)
        throw error
      }
    },
  }
}

function named(target: Parameters<typeof fetch>[0], init: RequestInit | undefined) {
  const url = target instanceof Request ? target.url : String(target)
  return { method: init?.method ?? 'GET', path: new URL(url).pathname }
}

const isOfTheService = ({ headers }: Response) => headers.has('svc-request-id')

function wasNotSent(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && notSent.includes(String(at.code))) return true
  return false
}
