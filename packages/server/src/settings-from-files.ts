import { readFileSync } from 'node:fs'
import { ConfigError } from './config-values.ts'

/** The settings that are secrets, or contain one. Each may be given as a file instead, which `NAME_FILE` names. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_POOLER_URL',
  'DATABASE_REPLICA_URL',
  'SVC_SECRET',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const

/**
 * The environment with the secrets that files contain: `SVC_SECRET_FILE=/run/secrets/svc_secret` sets SVC_SECRET to the
 * content of that file, without the line break at its end. Throws ConfigError, which names the file and never its content.
 */
export function settingsFromFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = { ...env }
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: set one of them.`)
    read[name] = contentOf(file, name)
  }
  return read
}

function contentOf(file: string, name: string): string {
  const text = textOf(file, name).replace(/\r?\n$/, '')
  if (text === '')
    throw new ConfigError(`The file ${file} of ${name}_FILE is empty: it must contain the value of ${name}.`)
  if (/[\r\n]/.test(text))
    throw new ConfigError(
      `The file ${file} of ${name}_FILE has several lines: it must contain the value of ${name} alone.`,
    )
  return text
}

function textOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const why = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? 'could not be read'
    throw new ConfigError(`The file ${file} of ${name}_FILE ${why}.`, { cause: error })
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by the user that runs the service',
  EISDIR: 'is a folder',
}
