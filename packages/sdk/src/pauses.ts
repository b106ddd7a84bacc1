/** In milliseconds. If the service asks to wait longer, the client throws and its user decides. */
export const longestPause = 30_000

/** Exponential back-off with jitter, so that clients which failed together do not retry together. */
export const backoff = (attempt: number): number =>
  Math.min(5_000, 100 * 2 ** attempt) * (0.5 + Math.random())

/** Waits for so many milliseconds. Throws the reason of the signal as soon as it is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  try {
    await unlessAborted(over, signal)
  } finally {
    clearTimeout(timer)
  }
}

/** The outcome of a promise. Throws the reason of the signal as soon as it is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  if (!signal) return promise
  let giveUp = () => {}
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error)
  })
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
