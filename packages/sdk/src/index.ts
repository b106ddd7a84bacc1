import type { InputOf, Mutation, Operation, OutputOf } from '@wbs/contract/operation'
import { operations, type OperationName, type OperationNamed } from '@wbs/contract/registry'
import { send, type CallOptions, type ClientSettings } from './send.ts'

export type { ProblemBody, ProblemCode } from '@wbs/contract/problems'
export { isProblem, ProblemError } from './problem-error.ts'
export type { CallOptions, ClientSettings } from './send.ts'

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

type Envelope<Op> = Op extends Mutation
  ? { request_id: string; original_request_id: string; idempotent_replay: boolean }
  : Op extends { bare: true }
    ? object
    : { request_id: string }

/** What an operation answers. */
export type AnswerOf<Op extends Operation> = OutputOf<Op> & Envelope<Op>

type Arguments<Op extends Operation> =
  object extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions]

/** Calls the operation once. Lists also have `each`, which follows the pages and yields their items. */
type MethodOf<Op extends Operation> = ((...args: Arguments<Op>) => Promise<AnswerOf<Op>>) &
  (OutputOf<Op> extends { data: readonly (infer Item)[]; page: unknown }
    ? { each(...args: Arguments<Op>): AsyncGenerator<Item, void, undefined> }
    : unknown)

/** One method an operation, named in camel case: `create_workspace` is `createWorkspace`. */
export type Client = { readonly [N in OperationName as CamelCase<N>]: MethodOf<OperationNamed<N>> }

/** A client of the service. All methods are derived from the registry of operations. */
export function createClient(settings: ClientSettings): Client {
  const methods = (operations as readonly Operation[]).map(operation => [
    camelCase(operation.name),
    methodOf(settings, operation),
  ])
  return Object.fromEntries(methods) as Client
}

function methodOf(settings: ClientSettings, operation: Operation) {
  const call = (input: object = {}, options: CallOptions = {}) =>
    send(settings, operation, { ...input }, options)
  async function* each(input: object = {}, options: CallOptions = {}) {
    let cursor: string | null | undefined
    do {
      const { data, page } = (await call(cursor ? { ...input, cursor } : input, options)) as ListPage
      yield* data
      cursor = page.has_more ? page.cursor : null
    } while (cursor)
  }
  return 'page' in operation.output ? Object.assign(call, { each }) : call
}

interface ListPage {
  data: unknown[]
  page: { cursor: string | null; has_more: boolean }
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
