import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { isOptional, T } from './json/type.ts'
import type { OperationLimit } from './limits.ts'
import type { ProblemCode } from './problems.ts'
import { Receipt, type ReceiptShape } from './receipts.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'

/**
 * Who may call an operation.
 * - `public`: everybody. A credential that is sent is ignored.
 * - `anyone`: everybody. A credential that is sent must be valid, and a Workspace may be named.
 * - `caller`: an access token or an API key. No Workspace is needed.
 * - `user`: an access token, an anonymous one included. No Workspace is needed.
 * - `signed_in`: an access token that is not anonymous. No Workspace is needed.
 * - `workspace`: an access token or an API key with standing in the Workspace that the header SVC-Workspace-Id names,
 *   and the permission that `scope` names. Standing is an active membership or, where the operation declares `guests`,
 *   an active participation in one of the Workspace's Rooms.
 */
export type Audience = 'public' | 'anyone' | 'caller' | 'user' | 'signed_in' | 'workspace'

/** A rule between parameters of the request. It is checked together with the schemas of the parameters. */
export type InputRule =
  /** At most one of the two may be given. */
  | { rule: 'exclusive'; fields: readonly [string, string] }
  /** `field` may be given only together with `needs`. */
  | { rule: 'requires'; field: string; needs: string }
  /** At least one of the fields must be given. An update declares it, so that a request without a change is refused. */
  | { rule: 'some'; fields: readonly string[] }

/** What every operation declares. */
interface Common {
  /** The method and the path template, such as `GET /v1/rooms/{room_id}`. */
  http: `${Method} /${string}`
  /** One sentence for the reference, in the imperative, with a full stop: "Create a Room." */
  summary: string
  /** What else a caller has to know: required access, limits, side effects. Paragraphs are separated by an empty line. */
  description?: string
  /** The chapter of the reference. Operations with the tag `System` have no rate limit. */
  tag: string
  /** Who may call the operation. */
  audience: Audience
  /** For the audience `caller` only: the request may name a Workspace, in which the caller must then have standing. */
  may_name_workspace?: true
  /**
   * Guests have standing for this operation: people who are not members of the Workspace, but were invited to one of its
   * Rooms. By default only members have.
   */
  guests?: true
  /**
   * Visitors may call the operation too: people without an account, who send no SVC-Workspace-Id and no credential or an
   * anonymous access token. The header SVC-Claim-Token tells what they may read.
   */
  visitors?: true
  /**
   * The permission that the caller must have in the Workspace, or several, all of which they must have. Required for the audience `workspace`, except for leaving
   * a team or a Room, which nobody can be denied; not allowed for any other audience.
   */
  scope?: Scope | readonly Scope[]
  /**
   * The parameters of the request. Those that the path template names are read from the path; all others are read from the
   * query string (GET) or from the JSON body (POST, PUT, PATCH). A parameter that is not `T.Optional` is required, and one
   * that is not declared is refused. Free text needs an example, which the reference shows.
   */
  input: TProperties
  /** Rules between parameters. None by default. */
  rules?: readonly InputRule[]
  /** The fields of the answer. The pipeline adds `request_id` and, for a mutation, the receipt and the replay flag. */
  output: TProperties
  /**
   * The problems that the handler may refuse with: `refuse` has a method for each. Problems that the pipeline answers for
   * every operation, such as `unauthenticated` and `rate_limited`, need not be named.
   */
  problems: readonly ProblemCode[]
  /**
   * The answer has an ETag, made of this letter and the revision (`r`) or version (`v`) that the handler returns. Without
   * it there is no ETag.
   */
  tagged?: 'r' | 'v'
  /**
   * How many bytes the body of a request may have. By default 2 MiB. More is held in memory for each request, so use it
   * only for content that is sent inside JSON.
   */
  body_limit?: number
  /** The rate limits that a request counts for. By default `read` for a query and `write` for a mutation. */
  limits?: readonly OperationLimit[]
}

/** What an operation that changes nothing may declare in addition. */
interface QueryDeclaration extends Common {
  /** For how many seconds shared caches may keep an answer to a request without a credential. By default they may not. */
  public_max_age?: number
  /** The answer has no `request_id`, because the interface fixes its keys. */
  bare?: true
  /**
   * The operation may wait for something to happen. By default it answers at once.
   * - `answer`: it waits for as long as its parameter `wait_seconds` says, then answers.
   * - `stream`: it answers with Server-Sent Events, each of which has the fields in `output`, until the caller or the
   *   service closes the connection. It continues after its parameter `cursor` or the header Last-Event-ID.
   */
  waits?: 'answer' | 'stream'
  /**
   * `bytes`: the answer is content, such as that of a file, instead of JSON: the handler returns `bytes`, and `output` is
   * empty. The transport adds ranges, conditional requests and headers under which nothing in the content can run.
   * `either`: the answer is JSON, or content of one of `content_types` if the parameter `format` asks for another form than
   * json.
   */
  answers?: 'bytes' | 'either'
  /** The types of the content that it answers with. By default any. */
  content_types?: readonly string[]
  /** Others must be able to see that the caller read it: each reading that succeeds is recorded as an event. */
  recorded?: true
}

/** What an operation that changes something may declare in addition. */
interface MutationDeclaration extends Common {
  /** The status of a successful answer: 201 where something is created, otherwise 200. */
  status: 200 | 201
  /** The status of the answer where the resource existed already. By default it is `status`. */
  status_if_found?: 200
  /** The types of events that the handler may emit. Another type does not compile. */
  emits: readonly `${string}.${string}`[]
  /** Where the answer shows the receipt. By default it does not; the receipt is written in any case. */
  receipt?: ReceiptShape
  /** `for_ever`: the Idempotency-Key is never forgotten. By default it is forgotten after 30 days. */
  key_life?: 'for_ever'
  /** A body of null stands for this parameter alone, with the value true. By default such a body is refused. */
  null_body?: string
  /** The fields of the answer that hold a secret. They are null in a replay. None by default. */
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

/** Declares an operation that changes nothing. `name` is its operationId, such as `get_room`. */
export function query<const N extends string, const D extends QueryDeclaration>(
  name: N,
  declaration: D,
): D & { kind: 'query'; name: N } {
  return { ...declaration, kind: 'query', name }
}

/**
 * Declares an operation that changes something: it requires an Idempotency-Key, writes a receipt and emits events. `name`
 * is its operationId, such as `update_room`, and the name of the operation in its receipt.
 */
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

/** The permissions that the caller must have in the Workspace, in the order in which they are checked. */
export const scopesOf = ({ scope = [] }: Pick<Operation, 'scope'>): readonly Scope[] =>
  typeof scope === 'string' ? [scope] : scope

export const methodOf = (op: Operation) => op.http.slice(0, op.http.indexOf(' ')) as Method
export const pathOf = (op: Operation) => op.http.slice(op.http.indexOf(' ') + 1)

/** The name of the method of an operation in the client: `create_room` is `createRoom`. */
export const clientMethodOf = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The parameters of an operation, by the part of the request in which they are sent. */
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

/** Whether a request has to name a Workspace in the header SVC-Workspace-Id, or may. */
export function workspaceOf(op: Operation): 'required' | 'optional' | 'none' {
  const { audience, may_name_workspace, visitors } = op
  if (audience === 'workspace') return visitors ? 'optional' : 'required'
  return audience === 'anyone' || may_name_workspace ? 'optional' : 'none'
}

/** Whether an operation answers with Server-Sent Events. */
export const isStream = (op: Operation) => op.kind === 'query' && op.waits === 'stream'

/** Whether an operation answers with content instead of JSON. */
export const isBytes = (op: Operation) => op.kind === 'query' && op.answers === 'bytes'

/** Whether an operation may answer with content. */
export const mayAnswerBytes = (op: Operation) => op.kind === 'query' && op.answers !== undefined

/** Whether the answer to an input is content: always, or because the input asks for a form other than JSON. */
export const answersBytesTo = (op: Operation, { format = 'json' }: { format?: unknown }) =>
  isBytes(op) || (mayAnswerBytes(op) && format !== 'json')

export const takesBody = (op: Operation) => methodOf(op) !== 'GET'
export const isRequired = (schema: TSchema) => !isOptional(schema)

/**
 * The schema of the whole answer, envelope included; of a stream, the schema of one event. Answers are serialized with it,
 * so that a field which is not declared is never sent.
 */
export function answerSchema(op: Operation): TObject {
  if (op.kind === 'query')
    return T.Object(op.bare || isStream(op) ? op.output : { ...op.output, request_id: RequestId })
  return T.Object({
    ...op.output,
    ...(op.receipt && { [op.receipt.key]: op.visitors ? T.Optional(Receipt) : Receipt }),
    request_id: RequestId,
    original_request_id: T.String({
      description: 'The ID of the request that made the change. Equal to request_id, except in a replay.',
    }),
    idempotent_replay: T.Boolean({
      description: 'Whether this is the answer to an earlier request with the same Idempotency-Key.',
    }),
  })
}

const RequestId = T.String({
  description: 'The ID of this request: req_ and 26 characters. Also in the header SVC-Request-Id.',
})
