import { promisify } from 'node:util'
import { mutation, query } from '@wbs/contract/operation'
import { open } from '@wbs/contract/schema'
import { health } from '@wbs/contract/system'
import pino from 'pino'
import { Type as T } from 'typebox'
import type { Caller } from '../../src/call/caller.ts'
import type { Implementation } from '../../src/call/implement.ts'
import { invalid, unauthenticated } from '../../src/call/problem.ts'
import type { Answer, Call, Runnable } from '../../src/call/call.ts'
import { createSerializer } from '../../src/call/serialize.ts'
import { createValidator } from '../../src/call/validate.ts'
import { addDocuments } from '../../src/http/documents.ts'
import { createHttpServer } from '../../src/http/server.ts'

/** Operations that only exist to try the door out. */
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
    names: T.Optional(T.Array(T.Union([T.Literal('a'), T.Literal('b')]), { maxItems: 10 })),
    count: T.Optional(T.Number()),
  },
  output: { input: T.Record(T.String(), T.Unknown()) },
  status: 201,
  problems: [],
  emits: [],
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

/** A door without a service behind it: what it lets through is answered by `run`, or told back. */
export interface TestDoor {
  base_url: string
  logged: string[]
  /** How many connections are open. */
  connections(): Promise<number>
  close(): Promise<void>
}

export const token = 'a-token-that-this-door-takes'

const person: Caller = {
  kind: 'user',
  user_id: '00000000-0000-8000-8000-000000000001',
  issuer: 'https://issuer.example',
  subject: 'pat',
  email: null,
  email_verified: false,
  name: 'Pat',
  is_anonymous: false,
  client: null,
}

export async function startDoor(
  options: {
    run?: (call: Call, operation: string) => Promise<Answer>
    capacity?: number
    silence?: number
  } = {},
): Promise<TestDoor> {
  const logged: string[] = []
  const route = (operation: typeof readThing | typeof changeThing | typeof watchThings | typeof health) => ({
    implementation: { operation, handle: undefined, visible: undefined } as unknown as Implementation,
    validate: createValidator(operation),
    serialize: createSerializer(operation),
  })
  let base_url = ''
  const server = createHttpServer({
    routes: [readThing, changeThing, watchThings, health].map(route),
    authenticate: async ({ authorization }) => {
      if (authorization === undefined) return null
      if (authorization === `Bearer ${token}`) return person
      throw unauthenticated('The access token is not good.', 'invalid_token')
    },
    run: (runnable, call) =>
      (options.run ?? tellBack(runnable))(call, runnable.implementation.operation.name),
    baseUrl: () => base_url,
    log: pino({ level: 'info' }, { write: line => void logged.push(line) }),
    ...(options.capacity !== undefined && { capacity: options.capacity }),
    ...(options.silence !== undefined && { silence: options.silence }),
  })
  addDocuments(server, { openapi: '{}', page: '<!doctype html><title>Reference</title>' })
  await server.listen({ port: 0, host: '127.0.0.1' })
  base_url = server.listeningOrigin
  const connections = promisify(server.server.getConnections.bind(server.server))
  return { base_url, logged, connections, close: () => server.close() }
}

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
