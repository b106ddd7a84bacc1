import { once } from 'node:events'
import { constants } from 'node:os'
import pino from 'pino'
import { readConfig } from './config.ts'
import { Interrupted } from './database/interruption.ts'
import { startService, type RunningService } from './service.ts'
import { isForOperator } from './start-errors.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function main({ ending, atOnce }: Signals): Promise<void> {
  const config = readConfig(process.env)
  const log = pino(
    { level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  ending.addEventListener('abort', endSoon)
  const service = await startService(config, log, ending)
  greet(service)
  if (!ending.aborted) {
    ending.removeEventListener('abort', endSoon)
    await once(ending, 'abort')
    await service.drain(atOnce)
    endSoon()
  }
  await service.close()
}

/** How long stopping may take after the drain, in milliseconds. */
const longestEnd = 20_000
const endSoon = (): void => void setTimeout(() => process.exit(1), longestEnd).unref()

interface Signals {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  ending: AbortSignal
  /** Aborted by another one: the drain ends. */
  atOnce: AbortSignal
}

/** A terminal and npm may both deliver the first signal, so another one counts only if it comes later. */
function untilSignals(): Signals {
  const [asked, again] = [new AbortController(), new AbortController()]
  let askedAt = 0
  for (const signal of signals)
    process.on(signal, () => {
      if (asked.signal.aborted && performance.now() > askedAt + 500) again.abort()
      if (asked.signal.aborted) return
      askedAt = performance.now()
      asked.abort(new Interrupted(signal))
    })
  return { ending: asked.signal, atOnce: again.signal }
}

function greet({ base_url, metrics_url, quickstart }: RunningService): void {
  const lines = [
    `The Workspace Business Service listens on ${base_url}`,
    '',
    `  Reference   ${base_url}/docs`,
    ...(metrics_url ? [`  Metrics     ${metrics_url}`] : []),
    ...(quickstart ? [`  Tokens      ${quickstart}`] : []),
    '',
    'A first search:',
    `  curl '${base_url}/v1/businesses?query=credit%20union&state=MT&limit=3'`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Prints an error and ends the process. An interrupted start ends as by its signal. */
function fail(error: unknown, ending: AbortSignal): void {
  // If the clean-up of an interrupted start failed too, its error is the one to print.
  const told = error instanceof SuppressedError ? error.error : error
  if (ending.aborted && told === error && ending.reason instanceof Interrupted)
    process.exit(128 + constants.signals[ending.reason.signal])
  const known = isForOperator(told)
  const text = told instanceof Error ? (known ? told.message : (told.stack ?? told.message)) : String(told)
  process.stderr.write(`${known ? '' : 'The service could not start. '}${text}\n`)
  process.exitCode = 1
}

const received = untilSignals()
main(received).catch((error: unknown) => fail(error, received.ending))
