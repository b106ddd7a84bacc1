import type { IdPrefix } from '@wbs/contract/ids'
import type { InputOf, Mutation, Operation, OutputOf } from '@wbs/contract/operation'
import type { ActionReceipt } from '@wbs/contract/receipts'
import type { OperationName, OperationNamed } from '@wbs/contract/registry'
import type { CallOptions } from './settings.ts'

/** The receipt, under the key that the operation declares. Without an account there is none. */
type ReceiptOf<Op> = Op extends { receipt: { key: infer Key extends string } }
  ? Op extends { visitors: true }
    ? { [K in Key]?: ActionReceipt }
    : { [K in Key]: ActionReceipt }
  : object

type Envelope<Op> = Op extends Mutation
  ? { request_id: string; original_request_id: string; idempotent_replay: boolean } & ReceiptOf<Op>
  : Op extends { bare: true }
    ? object
    : { request_id: string }

/** Ids are accepted as plain strings; the service checks their form. */
type Plain<Value> = Value extends `${infer Prefix extends IdPrefix | 'val'}_${string}`
  ? // A text that only looks like an id, such as the scope list_members:read, stays what it is.
    `${Prefix}_${string}` extends Value
    ? string
    : Value
  : Value extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : Value

/** The input of an operation. The cursor may be null, as on a last page; undefined values are not sent. */
type Given<Input> = {
  [Key in keyof Input]:
    | Plain<Input[Key]>
    | (Key extends 'cursor' ? null : never)
    | (object extends Pick<Input, Key> ? undefined : never)
}

/** The answer of an operation. */
export type AnswerOf<Op extends Operation> = OutputOf<Op> & Envelope<Op>

type Arguments<Input> = object extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions]

/**
 * Calls one operation. Throws ProblemError if the service refuses it, UnexpectedAnswer if something other than the
 * service answers, and what fetch throws. `Http` and `Summary` are in the type for editors to show.
 */
export interface Method<_Http extends string, _Summary extends string, Input, Answer> {
  (...args: Arguments<Input>): Promise<Answer>
}

/** An operation that answers a page of a list. */
export interface ListMethod<Http extends string, Summary extends string, Input, Answer, Item> extends Method<
  Http,
  Summary,
  Input,
  Answer
> {
  /** Yields the items of all pages, from the given cursor on, and requests each page when it is needed. */
  each(...args: Arguments<Input>): AsyncGenerator<Item, void, undefined>
}

/** An operation whose parameter `format` says in which form it answers: content, or JSON. */
export interface FormatMethod<_Http extends string, _Summary extends string, Input, Answer> {
  (
    input: Input & { format: Exclude<FormatOf<Input>, 'json' | undefined> },
    options?: CallOptions,
  ): Promise<Response>
  (input: Input & { format?: 'json' | undefined }, options?: CallOptions): Promise<Answer>
}
type FormatOf<Input> = Input extends { format?: infer Format } ? Format : never

/** Content is answered as the Response of fetch, whose body is not read yet. */
type MethodOf<Op extends Operation> = Op extends { answers: 'bytes' }
  ? Method<Op['http'], Op['summary'], Given<InputOf<Op>>, Response>
  : Op extends { answers: 'either' }
    ? FormatMethod<Op['http'], Op['summary'], Given<InputOf<Op>>, AnswerOf<Op>>
    : OutputOf<Op> extends { data: readonly (infer Item)[]; page: unknown }
      ? ListMethod<Op['http'], Op['summary'], Given<InputOf<Op>>, AnswerOf<Op>, Item>
      : Method<Op['http'], Op['summary'], Given<InputOf<Op>>, AnswerOf<Op>>

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** Streams have no method; use EventSource or another client of Server-Sent Events. */
type Answered<N extends OperationName> = OperationNamed<N> extends { waits: 'stream' } ? never : N

/** One method for each operation, in camel case: `create_workspace` is `createWorkspace`. */
export type Methods = {
  readonly [N in OperationName as CamelCase<Answered<N>>]: MethodOf<OperationNamed<N>>
}
