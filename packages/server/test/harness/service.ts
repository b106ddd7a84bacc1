import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import type { Meter } from '@opentelemetry/api'
import pg from 'pg'
import pino from 'pino'
import type { AccessLevel, Role, Scope } from '@wbs/contract/scopes'
import { createClient, type Client } from '@wbs/sdk'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { measuredBlobs } from '../../src/blobs/measured-blobs.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { defaultUploadSettings, type UploadSettings } from '../../src/files/uploads/upload.ts'
import type { StorageLimits } from '../../src/files/usage/storage-limit-store.ts'
import { createInspector, type Inspector } from '../../src/inspection/inspector.ts'
import { createNode } from '../../src/node.ts'
import { createShutdown } from '../../src/shutdown.ts'
import type { ReplicaSettings } from '../../src/database/database-settings.ts'
import { jobsWriterConfig, openPools, type Database } from '../../src/database/database.ts'
import type { IssuerSettings } from '../../src/identity/issuer-settings.ts'
import type { SignInClient } from '../../src/identity/sign-in-settings.ts'
import { mintApiKey } from '../../src/identity/api-key-format.ts'
import { userId } from '../../src/identity/user-id.ts'
import { createJobs } from '../../src/jobs/jobs.ts'
import type { BossSettings } from '../../src/jobs/open-boss.ts'
import type { Plugin, PluginCall } from '../../src/plugins/plugin.ts'
import { countedMailer } from '../../src/mail/counted-mailer.ts'
import type { Mailer } from '../../src/mail/mailer.ts'
import type { LoggedAddresses } from '../../src/telemetry/log-settings.ts'
import type { Tracing } from '../../src/telemetry/tracing.ts'
import { noMeter } from '../../src/telemetry/meter.ts'
import {
  createEngineThreads,
  type EngineThreads,
} from '../../src/valuations/engine-threads/engine-threads.ts'
import { insertApiKey } from '../../src/workspaces/api-keys/api-key-store.ts'
import { addMember } from '../../src/workspaces/workspace-store.ts'
import { checkedFetch } from './checked-fetch.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startTestIssuer, type TestIssuer } from './issuer.ts'
import { createTestApp } from './test-app.ts'
import { outsideTransactions, watchedWriters } from './transactions/watched-transactions.ts'
import { superuserPool } from './postgres/superuser-pool.ts'

/** A person of a test, with an access token and a client that uses it. */
export interface Person {
  user_id: string
  subject: string
  name: string
  email: string
  token: string
  client: Client
}

/** The service on a database of its own, listening on a real socket, with an issuer that signs any token a test needs. */
export interface TestService {
  base_url: string
  issuer: TestIssuer
  blobs: BlobStore
  uploads: UploadSettings
  database: Database
  testDatabase: TestDatabase
  /** As the superuser, without row-level security. */
  sql<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  anonymous: Client
  person(name: string, claims?: Record<string, unknown>): Person
  /** A client of this service, or of another node of it. */
  client(settings: Partial<Parameters<typeof createClient>[0]>): Client
  /** Makes somebody a member directly, and gives the id of the membership. */
  join(workspace_id: string, person: Person, role: Role): Promise<string>
  /** A Workspace with an owner, and a member for each of the given roles. */
  workspace(name: string, owner: Person, members?: Partial<Record<Role, Person>>): Promise<string>
  apiKey(
    workspace_id: string,
    owner: Person,
    scopes: readonly Scope[],
  ): Promise<{ key_id: string; secret: string }>
  link(workspace_id: string, business_id: string, by: Person, access_level?: AccessLevel): Promise<void>
  request(
    path: string,
    init?: RequestInit & { token?: string },
  ): Promise<{ status: number; headers: Headers; body: any; text: string }> // oxlint-disable-line typescript/no-explicit-any -- tests of the wire look at what came
  flushKeyUses(): Promise<void>
  logged: string[]
  close(): Promise<void>
}

export interface TestServiceOptions {
  /** Default: a folder that is removed at the end. A store that is given is closed too. */
  blobs?: BlobStore
  now?: () => Date
  /** Multiplies the rate limits. Default: no limits. */
  rateLimitScale?: number
  trustedProxies?: readonly string[]
  allowedOrigins?: readonly string[]
  /** Receives mail. Without it, no jobs run. */
  mailer?: Mailer
  pace?: NonNullable<BossSettings['pace']>
  /** Of streams, in milliseconds. */
  heartbeat?: number
  visitorSweepPause?: number
  inspector?: Inspector
  uploads?: Partial<UploadSettings>
  /** Default: none. */
  storage?: StorageLimits
  /** Besides that of test-app.ts. */
  plugins?: readonly Plugin[]
  /** Computes valuations. By default the threads of the service. */
  engine?: EngineThreads
  /** Trusted besides the issuer of the test. */
  issuers?: readonly IssuerSettings[]
  /** The public clients of the issuer. Default: none. */
  signIn?: (issuer: TestIssuer) => SignInClient[]
  /** Read replicas of the database with this name. Default: none. */
  replicas?: (database: string) => ReplicaSettings
  /** By default true. */
  taskMail?: boolean
  /** By default info. */
  logLevel?: string
  loggedAddresses?: LoggedAddresses
  /** It is closed with the service. By default nothing is traced. */
  tracing?: Tracing
  /** Dropped at the end. Default: a new one. */
  testDatabase?: TestDatabase
  /** The namespace of the ids of the issuer's users. Default: its URL. */
  namespace?: string
  /** Measures the service. Default: nothing does. */
  meter?: Meter
}

/** The secret of tokens, fingerprints and cursors in tests, the same on every node. */
export const testSecret = Buffer.from('a secret for tests, the same on every node')

/** What a plugin knows without asking its app may be used in a transaction. */
const outsideCalls = (plugin: Plugin): Plugin => ({
  ...plugin,
  call: outsideTransactions(plugin.name, { call: (asked: PluginCall) => plugin.call(asked) }).call,
})

const noMailer: Mailer = { send: () => Promise.reject(new Error('This test sends no mail.')) }

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const testDatabase = options.testDatabase ?? (await createTestDatabase())
  const issuer = await startTestIssuer()
  const logged: string[] = []
  const log = pino({ level: options.logLevel ?? 'info' }, { write: line => void logged.push(line) })
  const { meter = noMeter } = options
  const database = openPools(testDatabase.address, log, {
    meter,
    ...(options.replicas && { replicas: options.replicas(testDatabase.name) }),
  })
  const now = options.now ?? (() => new Date())
  const secret = testSecret
  const { pace = { poll: 0.5, firstPause: 1, supervise: 1, attempt: 30 } } = options
  const jobs = createJobs({
    connection: jobsWriterConfig(testDatabase.address),
    log,
    pace,
    meter,
    tracer: options.tracing?.tracer,
  })
  const shutdown = createShutdown()
  shutdown.add('database', () => database.close())
  shutdown.add('jobs_connection', () => jobs.close())
  let base_url = ''
  const folder = await mkdtemp(joinPath(tmpdir(), 'wbs-blobs-'))
  const store = options.blobs ?? createFilesystemStore(folder)
  const blobs = options.meter ? measuredBlobs(store, meter) : store
  const inspector = options.inspector ?? createInspector({ clamd: null, meter, log })
  shutdown.add('blobs', () => blobs.close())
  shutdown.add('inspector', () => inspector.close())
  if (options.tracing) shutdown.add('tracing', () => options.tracing?.close())
  const uploads = { ...defaultUploadSettings, ...options.uploads }
  const plugins = new Map([createTestApp(), ...(options.plugins ?? [])].map(plugin => [plugin.name, plugin]))
  const node = createNode({
    database: { ...database, writers: watchedWriters(database.writers) },
    blobs: outsideTransactions('blobs', blobs),
    uploads,
    storage: options.storage ?? { workspace_bytes: null, guest_bytes: null },
    plugins: new Map([...plugins].map(([name, plugin]) => [name, outsideCalls(plugin)])),
    inspector: outsideTransactions('inspector', inspector),
    mailer: outsideTransactions('mailer', countedMailer(options.mailer ?? noMailer, meter)),
    invitationPage: () => `${base_url}/invitations`,
    taskMail: options.taskMail ?? true,
    engine: outsideTransactions('engine', options.engine ?? createEngineThreads()),
    issuers: [
      { issuer: issuer.issuer, audience: issuer.audience, namespace: options.namespace ?? issuer.issuer },
      ...(options.issuers ?? []),
    ],
    signIn: options.signIn?.(issuer) ?? [],
    environment: 'test',
    jobs,
    secret,
    now,
    baseUrl: () => base_url,
    // Flushed when a test asks for it, so that it does not interfere with others.
    keyUsePause: 3_600_000,
    rateLimitScale: options.rateLimitScale ?? 0,
    trustedProxies: options.trustedProxies ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    meter,
    ...(options.heartbeat !== undefined && { heartbeat: options.heartbeat }),
    ...(options.loggedAddresses !== undefined && { loggedAddresses: options.loggedAddresses }),
    tracing: options.tracing,
    ...(options.visitorSweepPause !== undefined && { visitorSweepPause: options.visitorSweepPause }),
    log,
    shutdown,
  })
  await node.server.listen({ port: 0, host: '127.0.0.1' })
  base_url = node.server.listeningOrigin.replace('localhost', '127.0.0.1')
  // On a busy machine, a client may send on a connection in the moment in which it is closed because it is idle.
  node.server.server.keepAliveTimeout = 60_000
  if (options.mailer) node.startJobs()
  const admin = superuserPool(testDatabase.address, 2)
  /** Fetches, and prints why the service failed if it did, since the answer does not say it. */
  const fetchAndExplain: typeof fetch = async (input, init) => {
    const response = await checkedFetch(input, init)
    const id = response.headers.get('svc-request-id')
    if (response.status === 500 && id !== null)
      for (const line of logged.filter(one => one.includes(id) && one.includes('"fault"')))
        process.stderr.write(`The service failed: ${line}`)
    return response
  }
  const client = (settings: object) => createClient({ base_url, fetch: fetchAndExplain, ...settings })

  function person(name: string, claims: Record<string, unknown> = {}): Person {
    const subject = `${name.toLowerCase().replaceAll(/\W+/g, '-')}-${randomUUID().slice(0, 8)}`
    const email = `${subject}@example.com`
    const token = issuer.sign({
      ...issuer.claims(now()),
      sub: subject,
      email,
      email_verified: true,
      name,
      ...claims,
    })
    return {
      user_id: userId(options.namespace ?? issuer.issuer, subject),
      subject,
      name,
      email,
      token,
      client: client({ access_token: token }),
    }
  }

  const asCaller = (one: Person) => ({
    kind: 'user' as const,
    user_id: one.user_id,
    issuer: issuer.issuer,
    subject: one.subject,
    email: one.email,
    email_verified: true,
    name: one.name,
    is_anonymous: false as const,
    client: null,
  })

  async function joinWorkspace(workspace_id: string, one: Person, role: Role): Promise<string> {
    await database.writers.transaction({ workspace_id, user_id: one.user_id }, async tx =>
      addMember(tx, workspace_id, asCaller(one), role, now()),
    )
    const [row] = (
      await admin.query<{ id: string }>(
        `select id from memberships where workspace_id = $1 and user_id = $2 and status = 'active'`,
        [workspace_id, one.user_id],
      )
    ).rows
    return (row as { id: string }).id
  }

  return {
    base_url,
    issuer,
    blobs,
    uploads,
    database,
    testDatabase,
    logged,
    flushKeyUses: node.flushKeyUses,
    anonymous: client({}),
    person,
    client,
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await admin.query<Row>(text, values)).rows
    },
    join: joinWorkspace,
    async workspace(name, owner, members = {}) {
      const { workspace } = await owner.client.createWorkspace({ name })
      for (const [role, member] of Object.entries(members))
        await joinWorkspace(workspace.id, member, role as Role)
      return workspace.id
    },
    async apiKey(workspace_id, owner, scopes) {
      const { secret, prefix, last4, digest } = mintApiKey('test')
      const { key_id } = await database.writers.transaction(
        { workspace_id, user_id: owner.user_id },
        async tx =>
          insertApiKey(
            tx,
            {
              workspace_id,
              owner_user_id: owner.user_id,
              name: 'A key',
              prefix,
              last4,
              digest,
              scopes: [...scopes],
            },
            new Date(),
          ),
      )
      return { key_id, secret }
    },
    async link(workspace_id, business_id, by, access_level = 'view') {
      await admin.query(
        `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by) values ($1, $2, $3, $4)`,
        [workspace_id, business_id, access_level, by.user_id],
      )
    },
    async request(path, init = {}) {
      const { token, headers, ...rest } = init
      const response = await fetch(`${base_url}${path}`, {
        ...rest,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(headers as Record<string, string>),
        },
      })
      const text = await response.text()
      const json =
        text !== '' && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
      return { status: response.status, headers: response.headers, body: json, text }
    },
    async close() {
      await shutdown.close()
      await rm(folder, { recursive: true, force: true })
      await admin.end()
      await issuer.close()
      await testDatabase.drop()
    },
  }
}
