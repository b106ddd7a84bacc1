import { createHash } from 'node:crypto'
import { openApiDocument } from '@wbs/contract/openapi'
import type { OperationName, OperationNamed } from '@wbs/contract/registry'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { handleGetBusiness } from './businesses/get-business.ts'
import { handleListWorkspaceBusinesses } from './businesses/list-workspace-businesses.ts'
import { handleSearchBusinesses } from './businesses/search-businesses.ts'
import { authenticate } from './call/authenticate.ts'
import { canonicalJson } from './call/fingerprint.ts'
import type { Implementation } from './call/implement.ts'
import { createInFlight } from './call/in-flight.ts'
import type { Answer, Call, Pipeline } from './call/call.ts'
import { run } from './call/run.ts'
import { createSerializer } from './call/serialize.ts'
import { createValidator } from './call/validate.ts'
import type { Database } from './database/database.ts'
import { addDocuments } from './http/documents.ts'
import { referencePage } from './http/reference-page.ts'
import { createHttpServer } from './http/server.ts'
import { createTokenVerifier, type TokenVerifier } from './identity/issuers.ts'
import type { IssuerSettings } from './identity/issuer-settings.ts'
import { handleHealth, type Environment } from './system/health.ts'
import { handleReady } from './system/ready.ts'
import { handleCreateWorkspace } from './workspaces/create-workspace.ts'
import { handleGetMe } from './workspaces/get-me.ts'
import { handleGetWorkspace } from './workspaces/get-workspace.ts'
import { handleListWorkspaces } from './workspaces/list-workspaces.ts'

/** What the service is put together from; everything it uses of the world comes in here. */
export interface AppParts {
  database: Database
  issuers: readonly IssuerSettings[]
  environment: Environment
  /** Keys the fingerprints of requests. */
  secret: Buffer
  now: () => Date
  /** Where clients reach the service; asked when needed, since a port may be known only once it listens. */
  baseUrl: () => string
  log: FastifyBaseLogger
}

export type Handlers = { readonly [N in OperationName]: Implementation<OperationNamed<N>> }

/** One handler an operation; a missing one does not compile. */
function handlers(environment: Environment, schemaHash: string): Handlers {
  return {
    health: handleHealth(environment, schemaHash),
    ready: handleReady,
    search_businesses: handleSearchBusinesses,
    get_business: handleGetBusiness,
    list_workspace_businesses: handleListWorkspaceBusinesses,
    create_workspace: handleCreateWorkspace,
    list_workspaces: handleListWorkspaces,
    get_workspace: handleGetWorkspace,
    get_me: handleGetMe,
  }
}

export interface App {
  server: FastifyInstance
  /** Creates a Workspace by the same path as a request, for set-up. */
  createWorkspace(call: Call): Promise<Answer>
}

/** The composition root: the only place that knows every slice. */
export function createApp(parts: AppParts): App {
  const { database } = parts
  const document = openApiDocument()
  const schemaHash = `sha256:${createHash('sha256').update(canonicalJson(document)).digest('hex')}`
  const tokens: TokenVerifier = createTokenVerifier(parts.issuers, { log: parts.log, now: parts.now })
  const pipeline: Pipeline = {
    readers: database.readers,
    writers: database.writers,
    secret: parts.secret,
    now: parts.now,
    oneAtATime: createInFlight(),
  }
  const credentials = { verifyToken: tokens.verify, reader: database.readers.open }
  const runnable = (implementation: Implementation) => ({
    implementation,
    validate: createValidator(implementation.operation),
    serialize: createSerializer(implementation.operation),
  })
  const all = handlers(parts.environment, schemaHash)
  const server = createHttpServer({
    routes: Object.values(all).map(runnable),
    authenticate: presented => authenticate(presented, credentials),
    run: (route, call) => run(pipeline, route, call),
    baseUrl: parts.baseUrl,
    log: parts.log,
  })
  addDocuments(server, { openapi: JSON.stringify(document), page: referencePage(document) })
  return { server, createWorkspace: call => run(pipeline, runnable(all.create_workspace), call) }
}
