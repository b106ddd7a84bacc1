import { resolve } from 'node:path'
import { blobSettings, type BlobSettings } from './blobs/blob-settings.ts'
import {
  ConfigError,
  list,
  readBytes,
  readCount,
  readDays,
  readProxies,
  readScale,
  readSeconds,
  readSwitch,
  readTime,
  settingsOfPart,
} from './config-values.ts'
import { fewestConnections, mostConnections, usualConnections } from './database/connections/pool-sizes.ts'
import {
  databaseUrl,
  poolerUrl,
  replicaSettings,
  type ReplicaSettings,
} from './database/database-settings.ts'
import { commandDays, type Retention } from './database/partitions/retention-settings.ts'
import { allowedOrigins } from './identity/allowed-origins.ts'
import { issuerSettings, type IssuerSettings } from './identity/issuer-settings.ts'
import { defaultSignInScope, signInClients, type SignInClient } from './identity/sign-in-settings.ts'
import { clamdAddress, type ClamdAddress } from './inspection/inspection-settings.ts'
import { mailSettings, type MailSettings } from './mail/mail-settings.ts'
import { connectionHosts, type PluginSettings } from './plugins/plugin-settings.ts'
import { settingsFromFiles } from './settings-from-files.ts'
import type { Environment } from './system/health.ts'
import { logSettings, type LogSettings } from './telemetry/log-settings.ts'
import { metricsSettings, type MetricsSettings } from './telemetry/metrics-settings.ts'
import { tracingSettings, type TracingSettings } from './telemetry/tracing-settings.ts'

/** The settings of the environment. Nothing else reads it. */
export interface Config {
  host: string
  port: number
  environment: Environment
  /** The address at which clients reach the service; null if they reach it where it listens. Without a slash at the end. */
  publicUrl: string | null
  /** Absolute. The folder for everything that the service keeps on disk. */
  dataDir: string
  /** The operator's PostgreSQL; null for the embedded one. */
  databaseUrl: string | null
  /** Read replicas of it. */
  replicas: ReplicaSettings
  /** A pooler in front of it, in transaction mode, for requests; null for none. */
  poolerUrl: string | null
  /** How many connections to the database the node opens at most. */
  databaseConnections: number
  /** The issuers whose access tokens are trusted; empty for the development provider. */
  issuers: IssuerSettings[]
  audience: string
  /** The public clients with which people sign in at the issuers. */
  signIn: SignInClient[]
  /** Whether the development provider may be reached from a network, rather than from this machine only. */
  developmentOnNetwork: boolean
  /** The key of request fingerprints; null for one that is kept in the database. */
  secret: string | null
  mail: MailSettings
  blobs: BlobSettings
  /** The scanner that looks for malware in uploaded content; null for none. */
  clamd: ClamdAddress | null
  uploads: UploadTimes
  storage: StorageSettings
  /** For how long events and receipts are kept. */
  retention: Retention
  /** What shared connections may reach. */
  plugins: PluginSettings
  /** Whether people get mail about Tasks that are assigned to them and approvals that they are asked for. */
  taskMail: boolean
  /** The page that mailed invitations link to; null for the service's own. */
  invitationPage: string | null
  loadSample: boolean
  /** Multiplies the quotas of all rate limits; 0 for none. */
  rateLimitScale: number
  /** For so many seconds a node that was told to stop still serves, and says on /ready that it is about to stop. */
  drainSeconds: number
  /** Addresses and networks of proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: string[]
  /** The origins whose pages may call the service, as browsers write them. */
  allowedOrigins: string[]
  /** Where metrics are served; null for nowhere. */
  metrics: MetricsSettings | null
  log: LogSettings
  /** Null for no traces. */
  tracing: TracingSettings | null
}

/** How much content there may be. Null for any amount. */
interface StorageSettings {
  workspace_bytes: number | null
  guest_bytes: number | null
  /** What a folder of content leaves free on its disk. */
  reserve_bytes: number
}

/** How long uploads last. */
interface UploadTimes {
  /** An upload expires so many days after it was begun. */
  days: number
  /** It expires earlier if no part arrives for so many hours. */
  idle_hours: number
  /** How long the URL of a part is valid. */
  part_url_minutes: number
}

/** Reads the settings, with their defaults. Throws ConfigError. */
export function readConfig(given: NodeJS.ProcessEnv): Config {
  const env = settingsFromFiles(given)
  const urls = list(env.OIDC_ISSUERS)
  const audience = env.OIDC_AUDIENCE ?? 'workspace-business-service'
  if (urls.length > 0 && !env.OIDC_AUDIENCE)
    throw new ConfigError(
      'OIDC_AUDIENCE must be set along with OIDC_ISSUERS: the audience that access tokens for this service name.',
    )
  const development = urls.length === 0
  const environment = readEnvironment(env.SVC_ENVIRONMENT, development)
  const issuers = readIssuers(urls, audience)
  const primary = settingsOfPart(() => databaseUrl(env.DATABASE_URL))
  const port = readPort(env.PORT)
  return {
    host: env.HOST || '127.0.0.1',
    port,
    environment,
    publicUrl: readPublicUrl(env.SVC_PUBLIC_URL),
    dataDir: resolve(env.SVC_DATA_DIR || '.data'),
    databaseUrl: primary,
    replicas: settingsOfPart(() =>
      replicaSettings(primary, env.DATABASE_REPLICA_URL, env.DATABASE_REPLICA_LAG_SECONDS),
    ),
    poolerUrl: settingsOfPart(() => poolerUrl(primary, env.DATABASE_POOLER_URL)),
    databaseConnections: readCount('SVC_DATABASE_CONNECTIONS', env.SVC_DATABASE_CONNECTIONS, {
      otherwise: usualConnections,
      least: fewestConnections,
      most: mostConnections,
    }),
    issuers,
    audience,
    signIn: readSignIn(issuers, env.OIDC_CLIENT_IDS, env.OIDC_SCOPE),
    developmentOnNetwork: readReach(env.SVC_DEVELOPMENT_IDENTITY),
    secret: readSecret(env.SVC_SECRET),
    mail: settingsOfPart(() => mailSettings(env.SMTP_URL || null, env.MAIL_FROM || null)),
    blobs: settingsOfPart(() =>
      blobSettings(env.BLOBS_URL || null, {
        access_key_id: env.S3_ACCESS_KEY_ID || null,
        secret_access_key: env.S3_SECRET_ACCESS_KEY || null,
      }),
    ),
    clamd: settingsOfPart(() => clamdAddress(env.CLAMD_ADDRESS || null)),
    uploads: {
      days: readTime('SVC_UPLOAD_DAYS', env.SVC_UPLOAD_DAYS, 7, 365),
      idle_hours: readTime('SVC_UPLOAD_IDLE_HOURS', env.SVC_UPLOAD_IDLE_HOURS, 24, 8760),
      // A presigned URL of S3 is valid for a week at most.
      part_url_minutes: readTime('SVC_PART_URL_MINUTES', env.SVC_PART_URL_MINUTES, 15, 10_080),
    },
    storage: {
      workspace_bytes: readBytes('SVC_STORAGE_LIMIT', env.SVC_STORAGE_LIMIT, '100GiB'),
      guest_bytes: readBytes('SVC_STORAGE_GUEST_LIMIT', env.SVC_STORAGE_GUEST_LIMIT, '10GiB'),
      reserve_bytes: readBytes('SVC_STORAGE_RESERVE', env.SVC_STORAGE_RESERVE, '512MiB') ?? 0,
    },
    retention: {
      event_days: readDays('SVC_EVENT_RETENTION_DAYS', env.SVC_EVENT_RETENTION_DAYS, commandDays),
      receipt_days: readDays('SVC_RECEIPT_RETENTION_DAYS', env.SVC_RECEIPT_RETENTION_DAYS, commandDays),
    },
    plugins: readPlugins(env.SVC_CONNECTION_HOSTS, env.SVC_CONNECTION_ALLOW_PRIVATE, development),
    taskMail: readSwitch('SVC_TASK_MAIL', env.SVC_TASK_MAIL, true),
    invitationPage: readPage(env.INVITATION_URL),
    loadSample: readSwitch('SVC_SAMPLE_DATA', env.SVC_SAMPLE_DATA, development),
    // Nobody who tries the service out should meet a rate limit.
    rateLimitScale: readScale(env.RATE_LIMIT_SCALE, development ? 1000 : 1),
    drainSeconds: readSeconds('SVC_DRAIN_SECONDS', env.SVC_DRAIN_SECONDS, 0, 300),
    trustedProxies: readProxies(env.SVC_TRUSTED_PROXIES),
    allowedOrigins: settingsOfPart(() => allowedOrigins(list(env.SVC_ALLOWED_ORIGINS))),
    metrics: settingsOfPart(() =>
      metricsSettings({ port: env.SVC_METRICS_PORT, host: env.SVC_METRICS_HOST }, port),
    ),
    log: settingsOfPart(() => logSettings(env.LOG_LEVEL, env.SVC_LOG_ADDRESSES, environment)),
    tracing: settingsOfPart(() => tracingSettings(env)),
  }
}

function readPort(text: string | undefined): number {
  if (!text) return 8080
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  throw new ConfigError('PORT must be a number from 0 to 65535.')
}

function readEnvironment(text: string | undefined, development: boolean): Environment {
  if (!text) return development ? 'development' : 'production'
  if (text === 'development' || text === 'test' || text === 'production') return text
  throw new ConfigError('SVC_ENVIRONMENT must be development, test or production.')
}

function readIssuers(urls: string[], audience: string): IssuerSettings[] {
  try {
    return issuerSettings(urls, audience)
  } catch (error) {
    throw new ConfigError(`OIDC_ISSUERS: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** An empty item stands for an issuer without a client, so it is kept. */
function readSignIn(
  issuers: IssuerSettings[],
  ids: string | undefined,
  scope: string | undefined,
): SignInClient[] {
  if (ids && issuers.length === 0)
    throw new ConfigError(
      'OIDC_CLIENT_IDS needs OIDC_ISSUERS: the development provider has a client already.',
    )
  const given = ids ? ids.split(',').map(id => id.trim()) : []
  return settingsOfPart(() => signInClients(issuers, given, scope || defaultSignInScope))
}

function readReach(text: string | undefined): boolean {
  if (!text || text === 'loopback') return false
  if (text === 'network') return true
  throw new ConfigError(
    'SVC_DEVELOPMENT_IDENTITY must be loopback, for this machine alone, or network, for whoever reaches the service.',
  )
}

function readPublicUrl(text: string | undefined): string | null {
  if (!text) return null
  const url = URL.parse(text)
  const isPlain = url && url.username + url.password + url.search + url.hash === ''
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new ConfigError(
      'SVC_PUBLIC_URL must be the address at which clients reach the service: https://api.example.com.',
    )
  return url.href.replace(/\/+$/, '')
}

function readPage(text: string | undefined): string | null {
  if (!text) return null
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '' || text.includes('#'))
    throw new ConfigError(
      'INVITATION_URL must be the address of a page, without a # in it: https://app.example.com/invitations.',
    )
  return url.href
}

function readPlugins(
  hosts: string | undefined,
  allowPrivate: string | undefined,
  development: boolean,
): PluginSettings {
  const isAllowed = readSwitch('SVC_CONNECTION_ALLOW_PRIVATE', allowPrivate, false)
  if (isAllowed && !development)
    throw new ConfigError(
      'SVC_CONNECTION_ALLOW_PRIVATE can be on only with the development identity: unset it, or unset OIDC_ISSUERS.',
    )
  return settingsOfPart(() => ({ hosts: connectionHosts(list(hosts)), allowPrivate: isAllowed }))
}

function readSecret(text: string | undefined): string | null {
  if (!text) return null
  if (text.length < 32) throw new ConfigError('SVC_SECRET must have at least 32 characters.')
  return text
}
