import { Type as T, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { OperationLimit } from './limits.ts'
import type { ProblemCode } from './problems.ts'
import { Receipt, type ReceiptShape } from './receipts.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'

/**
 * Who may call, and where:
 * `public` needs no credential and looks at none; `anyone` may bring one; `caller` needs one, and no Workspace;
 * `user` needs a person's access token, and no Workspace; `signed_in` one that is not anonymous; `workspace` needs a
 * credential with standing in the Workspace that the SVC-Workspace-Id header names, and the operation's scope there.
 */
export type Audience = 'public' | 'anyone' | 'caller' | 'user' | 'signed_in' | 'workspace'

/** A rule between parameters, which a schema cannot say where they travel in a query string. */
export type InputRule =
  | { rule: 'exclusive'; fields: readonly [string, string] }
  | { rule: 'requires'; field: string; needs: string }
  /** One of them at least: a change that changes nothing is a mistake. */
  | { rule: 'some'; fields: readonly string[] }

interface Common {
  /** Method and path template: parameters named in the template are read from the path. */
  http: `${Method} /${string}`
  summary: string
  description?: string
  tag: string
  audience: Audience
  /** Goes with the audience `caller`: a Workspace may be named, and then there must be standing in it. */
  may_name_workspace?: true
  /** Open also to those who do not belong to the Workspace, and were invited to one of its Rooms. */
  guests?: true
  /** What the caller must be allowed in the Workspace. Goes with the audience `workspace`. */
  scope?: Scope
  /** Path parameters, then those of the query string (GET) or of the JSON body (all others). */
  input: TProperties
  rules?: readonly InputRule[]
  /** What is answered, without the envelope (request_id, receipt, …), which the pipeline adds. */
  output: TProperties
  /** What the handler itself may refuse with, beyond what the pipeline answers for every operation. */
  problems: readonly ProblemCode[]
  /** The answer carries an ETag of this kind, so the handler must say the revision: r for a revision, v for a version. */
  tagged?: 'r' | 'v'
  /** The rate limits that it falls under, where they are not `read` for a query and `write` for a mutation. */
  limits?: readonly OperationLimit[]
}

interface QueryDeclaration extends Common {
  /** How long a shared cache may keep an answer given without credentials, in seconds. */
  public_max_age?: number
  /** The interface fixes the keys of the answer: it carries no request_id. */
  bare?: true
  /**
   * It waits for what has not happened yet: for an `answer` as long as its parameter wait_seconds says; as a `stream`,
   * which answers with Server-Sent Events, each of the declared output, and has no end of its own. A stream goes on from
   * its parameter `cursor`, or from the header Last-Event-ID.
   */
  waits?: 'answer' | 'stream'
}

interface MutationDeclaration extends Common {
  status: 200 | 201
  /** Where it may also answer with what was there already: the status of that answer. */
  status_if_found?: 200
  /** The events that it may emit; it emits no others. */
  emits: readonly `${string}.${string}`[]
  /** Where its receipt stands in the answer. A receipt is always written; some answers do not show it. */
  receipt?: ReceiptShape
  /** How long its Idempotency-Key is remembered: 30 days unless it says for ever. */
  key_life?: 'for_ever'
  /** Keys of the output that hold a secret: it is told once, and null in a replay. */
  secrets?: readonly string[]
}

export interface Query extends QueryDeclaration {
  kind: 'query'
  name: string
}
export interface Mutation extends MutationDeclaration {
  kind: 'mutation'
  name: string
}
export type Operation = Query | Mutation

/** Declares an operation that changes nothing. */
export function query<const N extends string, const D extends QueryDeclaration>(
  name: N,
  declaration: D,
): D & { kind: 'query'; name: N } {
  return { ...declaration, kind: 'query', name }
}

/** Declares an operation that changes something: it takes an Idempotency-Key, leaves a receipt and says what happened. */
export function mutation<const N extends string, const D extends MutationDeclaration>(
  name: N,
  declaration: D,
): D & { kind: 'mutation'; name: N } {
  return { ...declaration, kind: 'mutation', name }
}

export type InputOf<Op> = Op extends { input: infer I extends TProperties } ? Static<TObject<I>> : never
export type OutputOf<Op> = Op extends { output: infer O extends TProperties } ? Static<TObject<O>> : never
export type ProblemOf<Op> = Op extends { problems: readonly (infer P)[] } ? P : never
export type EventOf<Op> = Op extends { emits: readonly (infer E)[] } ? E : never

export const methodOf = (op: Operation) => op.http.slice(0, op.http.indexOf(' ')) as Method
export const pathOf = (op: Operation) => op.http.slice(op.http.indexOf(' ') + 1)

/** The operation's input, sorted by where each parameter travels. */
export function inputParts(op: Operation): { path: TProperties; query: TProperties; body: TProperties } {
  const inPath = new Set([...pathOf(op).matchAll(/\{(\w+)\}/g)].map(match => match[1]))
  const parts: { path: TProperties; query: TProperties; body: TProperties } = {
    path: {},
    query: {},
    body: {},
  }
  const rest = methodOf(op) === 'GET' ? parts.query : parts.body
  for (const [name, schema] of Object.entries(op.input)) (inPath.has(name) ? parts.path : rest)[name] = schema
  return parts
}

/** Whether an operation runs in the Workspace that the header SVC-Workspace-Id names. */
export function workspaceOf({ audience, may_name_workspace }: Operation): 'required' | 'optional' | 'none' {
  if (audience === 'workspace') return 'required'
  return audience === 'anyone' || may_name_workspace ? 'optional' : 'none'
}

/** Whether an operation answers with Server-Sent Events. */
export const isStream = (op: Operation) => op.kind === 'query' && op.waits === 'stream'

export const takesBody = (op: Operation) => methodOf(op) !== 'GET'
export const isRequired = (schema: TSchema) => !('~optional' in schema)

/** The whole answer of an operation, envelope included: nothing else can leave the service. Of a stream, each item of it. */
export function answerSchema(op: Operation): TObject {
  if (op.kind === 'query')
    return T.Object(op.bare || isStream(op) ? op.output : { ...op.output, request_id: RequestIdText })
  return T.Object({
    ...op.output,
    ...(op.receipt && { [op.receipt.key]: Receipt }),
    request_id: RequestIdText,
    original_request_id: RequestIdText,
    idempotent_replay: T.Boolean(),
  })
}

const RequestIdText = T.String({ description: 'req_ and 26 characters; also in the header SVC-Request-Id.' })
