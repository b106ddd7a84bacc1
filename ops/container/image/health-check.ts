/**
 * The health check of the image: ends with 0 if GET /health of the service in this container answers 200 within four
 * seconds, and else with 1 and a sentence. It imports nothing and uses no database, because it runs every few seconds.
 */
const { HOST = '0.0.0.0', PORT = '8080' } = process.env
const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '': '127.0.0.1' }
const host = everywhere[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST)
const url = `http://${host}:${PORT || '8080'}/health`

try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) })
  if (status !== 200) fail(`${url} answered ${status}.`)
} catch (error) {
  const { cause, message } = error as Error
  fail(`${url} does not answer: ${cause instanceof Error ? cause.message : message}.`)
}

function fail(sentence: string): void {
  console.error(sentence)
  process.exitCode = 1
}
