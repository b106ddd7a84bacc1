import pino from 'pino'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseUnreachable } from './database/database.ts'
import { EmbeddedServerError } from './database/embedded/errors.ts'
import { DataFolderInUse } from './database/hold.ts'
import { UnfitDatabase } from './database/migrate.ts'
import { UnsafeDatabase } from './database/self-test.ts'
import { PortError } from './http/port.ts'
import { startService, type RunningService } from './service.ts'

/** What can be wrong around the service: told in a sentence, without a stack. */
const plain = [
  ConfigError,
  DatabaseUnreachable,
  EmbeddedServerError,
  DataFolderInUse,
  UnfitDatabase,
  UnsafeDatabase,
  PortError,
]

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  const stopped = new Promise<void>(resolve => {
    // A terminal and npm may both pass the signal on: only the first one counts.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  const service = await startService(config, log)
  greet(service)
  await stopped
  const tooLong = setTimeout(() => process.exit(1), 20_000)
  await service.close()
  clearTimeout(tooLong)
}

function greet({ base_url, quickstart }: RunningService): void {
  const lines = [
    `The Workspace Business Service listens on ${base_url}`,
    '',
    `  Reference   ${base_url}/docs`,
    ...(quickstart ? [`  Tokens      ${quickstart}`] : []),
    '',
    'A first search:',
    `  curl '${base_url}/v1/businesses?query=credit%20union&state=MT&limit=3'`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: unknown) => {
  const known = plain.some(kind => error instanceof kind)
  const text =
    error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${known ? '' : 'The service could not start. '}${text}\n`)
  process.exitCode = 1
})
