import { promisify } from 'node:util'
import { openApiDocument } from '@wbs/contract/openapi'
import { mutation, query } from '@wbs/contract/operation'
import { open } from '@wbs/contract/schema'
import { health } from '@wbs/contract/system'
import pino from 'pino'
import { T } from '@wbs/contract/json/type'
import type { Caller } from '../../src/call/authority/caller.ts'
import type { Implementation } from '../../src/call/implement.ts'
import { invalid, unauthenticated } from '../../src/call/problem.ts'
import type { Answer, Call, Runnable } from '../../src/call/call.ts'
import { serializerOf } from '../../src/call/serialize.ts'
import { validatorOf } from '../../src/call/input/validate.ts'
import { createBounds, type NodeLimits } from '../../src/http/bounds/bounds.ts'
import { addDocuments } from '../../src/http/pages/documents.ts'
import { createHttpServer, type HttpTransport } from '../../src/http/server.ts'

/** Operations that only exist to test the transport. */
const readThing = query('read_thing', {
  http: 'GET /v1/things/{thing_id}',
  summary: 'Read a thing.',
  tag: 'Things',
  audience: 'anyone',
  input: { thing_id: T.String({ minLength: 1 }), note: T.Optional(T.String()) },
  output: { input: T.Record(T.String(), T.Unknown()), nested: T.Optional(open({ known: T.String() })) },
  problems: [],
  tagged: 'r',
  public_max_age: 30,
})

const changeThing = mutation('change_thing', {
  http: 'POST /v1/things/{thing_id}',
  summary: 'Change a thing.',
  tag: 'Things',
  audience: 'caller',
  input: {
    thing_id: T.String(),
    note: T.Optional(T.String()),
    names: T.Optional(
      T.Array(T.Unsafe<'a' | 'b'>({ anyOf: [{ const: 'a' }, { const: 'b' }] }), { maxItems: 10 }),
    ),
    count: T.Optional(T.Unsafe<number>({ type: 'number' })),
  },
  output: { input: T.Record(T.String(), T.Unknown()) },
  status: 201,
  problems: [],
  emits: [],
})

const lookUpThing = query('look_up_thing', {
  http: 'POST /v1/things/look-up',
  summary: 'Look a thing up.',
  tag: 'Things',
  audience: 'public',
  input: { note: T.Optional(T.String()) },
  output: { input: T.Record(T.String(), T.Unknown()) },
  problems: [],
})

const readContent = query('read_content', {
  http: 'GET /v1/contents/{thing_id}',
  summary: 'Read content.',
  tag: 'Things',
  audience: 'anyone',
  input: { thing_id: T.String({ minLength: 1 }) },
  output: {},
  problems: [],
  answers: 'bytes',
})

const storeText = mutation('store_text', {
  http: 'POST /v1/texts',
  summary: 'Store a text.',
  tag: 'Things',
  audience: 'caller',
  input: { note: T.String() },
  output: { input: T.Record(T.String(), T.Unknown()) },
  status: 201,
  problems: [],
  emits: [],
  body_limit: 8 * 1024 * 1024,
})

const watchThings = query('watch_things', {
  http: 'GET /v1/things',
  summary: 'Be told of things.',
  tag: 'Things',
  audience: 'caller',
  input: {},
  output: { text: T.String() },
  problems: [],
  waits: 'stream',
})

/** A transport without a service: `run` answers what it admits; by default the input is echoed. */
export interface TestTransport {
  base_url: string
  logged: string[]
  /** How many connections are open. */
  connections(): Promise<number>
  /** What requests have taken and not given back. */
  usage(): Record<string, number>
  close(): Promise<void>
}

export const token = 'a-token-that-this-transport-takes'
/** The token of somebody else. */
export const otherToken = 'another-token-that-this-transport-takes'

const person = (subject: string): Caller => ({
  kind: 'user',
  user_id: `user-${subject}`,
  issuer: 'https://issuer.example',
  subject,
  email: null,
  email_verified: false,
  name: subject,
  is_anonymous: false,
  client: null,
})
const people = new Map([
  [`Bearer ${token}`, person('pat')],
  [`Bearer ${otherToken}`, person('oda')],
])

export async function startTransport(
  options: {
    run?: (call: Call, operation: string) => Promise<Answer>
    /** Awaited before a credential is verified. */
    beforeIdentity?: () => Promise<void>
    most?: Partial<NodeLimits>
    /** How long a request may take to arrive, in milliseconds, instead of the time that the service gives it. */
    requestTimeout?: number
  } & Pick<
    HttpTransport,
    | 'chargedWorkspace'
    | 'idleTimeout'
    | 'maxConnections'
    | 'maxConnectionsPerAddress'
    | 'isProxy'
    | 'maxQueued'
    | 'byteRoutes'
    | 'arrivalRate'
    | 'limiter'
    | 'allowedOrigins'
    | 'trustedProxies'
    | 'loggedAddresses'
    | 'onFinished'
    | 'draining'
  > = {},
): Promise<TestTransport> {
  const logged: string[] = []
  const { run, beforeIdentity, most, requestTimeout, ...settings } = options
  const bounds = createBounds(most)
  const route = (
    operation:
      | typeof readThing
      | typeof changeThing
      | typeof lookUpThing
      | typeof watchThings
      | typeof readContent
      | typeof storeText
      | typeof health,
  ) => ({
    implementation: { operation, handle: undefined, visible: undefined } as unknown as Implementation,
    validate: validatorOf(operation),
    serialize: serializerOf(operation),
  })
  let base_url = ''
  const server = createHttpServer({
    ...settings,
    bounds,
    routes: [readThing, changeThing, lookUpThing, watchThings, readContent, storeText, health].map(route),
    authenticate: async ({ authorization }) => {
      if (authorization === undefined) return null
      await beforeIdentity?.()
      const known = people.get(authorization)
      if (known) return known
      throw unauthenticated('The access token is not good.', 'invalid_token')
    },
    run: (runnable, call) => (run ?? tellBack(runnable))(call, runnable.implementation.operation.name),
    baseUrl: () => base_url,
    log: pino({ level: 'info' }, { write: line => void logged.push(line) }),
  })
  // Node takes the longer one of the two for the whole request.
  if (requestTimeout !== undefined)
    Object.assign(server.server, { requestTimeout, headersTimeout: requestTimeout })
  addDocuments(server, () => document)
  await server.listen({ port: 0, host: '127.0.0.1' })
  base_url = server.listeningOrigin
  const connections = promisify(server.server.getConnections.bind(server.server))
  return { base_url, logged, connections, usage: bounds.usage, close: () => server.close() }
}

/** Made once for all tests of a file, because that takes a while. */
const document = openApiDocument()

const tellBack =
  (runnable: Runnable) =>
  async (call: Call): Promise<Answer> => {
    const { input, errors } = runnable.validate(call.input)
    if (errors.length > 0) throw invalid(errors)
    const { operation } = runnable.implementation
    const request_id = call.request_id
    if (operation.name === 'health')
      return {
        status: 200,
        body: { service: 'svc', environment: 'test', status: 'ok', schema_version: '', schema_hash: '' },
        replay: false,
      }
    if (operation.kind === 'query')
      return { status: 200, body: { input, request_id }, replay: false, revision: 7 }
    const envelope = { request_id, original_request_id: request_id, idempotent_replay: false }
    return { status: 201, body: { input, ...envelope }, replay: false }
  }
