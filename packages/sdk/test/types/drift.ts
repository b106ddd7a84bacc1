import type { IdPrefix } from '@wbs/contract/ids'
import type { InputOf, Mutation, OutputOf } from '@wbs/contract/operation'
import type { ActionReceipt } from '@wbs/contract/receipts'
import type { OperationName, OperationNamed } from '@wbs/contract/registry'
import type { Client } from '@wbs/sdk'

// For the compiler alone: the types of the SDK say what the declarations of the contract say.

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** What a method of the SDK takes and answers. */
type Given<N extends OperationName> = Client extends { [M in CamelCase<N>]: (...args: infer Args) => unknown }
  ? Exclude<Args[0], undefined>
  : 'no such method'
type Answered<N extends OperationName> = Client extends {
  [M in CamelCase<N>]: (...args: never) => Promise<infer Answer>
}
  ? Answer
  : 'no such method'

/** What the contract declares: the output, in its envelope. */
type Receipt<Op> = Op extends { receipt: { key: infer Key extends string } }
  ? Op extends { visitors: true }
    ? { [K in Key]?: ActionReceipt }
    : { [K in Key]: ActionReceipt }
  : object
type Envelope<Op> = Op extends Mutation
  ? { request_id: string; original_request_id: string; idempotent_replay: boolean } & Receipt<Op>
  : Op extends { bare: true }
    ? object
    : { request_id: string }
type Declared<N extends OperationName> =
  OperationNamed<N> extends { answers: 'bytes' }
    ? Response
    : OutputOf<OperationNamed<N>> & Envelope<OperationNamed<N>>

/** Assignability alone would not tell `string` from the open part of a set. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the two functions are compared
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Ids are strings, and what is open in an open set is left out. */
type PlainString<Text extends string> = string extends Text
  ? IsSame<Text, string> extends true
    ? string
    : never
  : Text extends `${infer Prefix extends IdPrefix | 'val'}_${string}`
    ? `${Prefix}_${string}` extends Text
      ? string
      : Text
    : Text

/**
 * A type without what may differ: lists are readonly, a member that may be left out may not be undefined, and an object
 * without known members is any object.
 */
type Plain<Value> = Value extends string
  ? PlainString<Value>
  : Value extends Response
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Plain<Item>[]
      : Value extends object
        ? IsFree<Value> extends true
          ? object
          : { [Key in keyof Value]: Plain<Exclude<Value[Key], undefined>> }
        : Value

type IsFree<Value> = [keyof Value] extends [never]
  ? true
  : string extends keyof Value
    ? Fits<Value[keyof Value], never> extends true
      ? true
      : Fits<unknown, Value[keyof Value]>
    : false

type Fits<A, B> = [A] extends [B] ? true : false

/** Streams have no method. */
type Compared = {
  [N in OperationName]: OperationNamed<N> extends { waits: 'stream' } ? never : N
}[OperationName]

type Wrong = {
  [N in Compared]:
    | Unless<Fits<Plain<Declared<N>>, Plain<Answered<N>>>, `${N}: the contract answers what the SDK does not`>
    | Unless<Fits<Plain<Answered<N>>, Plain<Declared<N>>>, `${N}: the SDK answers what the contract does not`>
    | Unless<Fits<Plain<Given<N>>, Plain<Taken<N>>>, `${N}: the SDK takes what the contract does not`>
    | Unless<Fits<Plain<Taken<N>>, Plain<Given<N>>>, `${N}: the contract takes what the SDK does not`>
}[Compared]

type Unless<Holds, Message> = Holds extends true ? never : Message

/** The cursor of a list may be null, as on its last page. */
type Taken<N extends OperationName> =
  InputOf<OperationNamed<N>> extends infer Input
    ? { [Key in keyof Input]: Key extends 'cursor' ? Input[Key] | null : Input[Key] }
    : never

/** What is known: types of the contract that say more or less than its schemas, from which the SDK's are generated. */
type Known =
  // The schema of a rule is one object with the members of every kind; the type is a union.
  | `${'archive' | 'count' | 'create' | 'get' | 'restore' | 'update'}_list: the SDK answers what the contract does not`
  | 'list_lists: the SDK answers what the contract does not'
  // The schema names the members; the type is a map.
  | 'get_request_progress: the contract answers what the SDK does not'
  // The document has a schema for each type of event; the service writes all of them by one.
  | `${'get_event' | 'list_event_changes' | 'list_events'}: the contract answers what the SDK does not`
  // The schema names the values; the type is text, or names values that are refused.
  | `${'list_events' | 'list_event_changes' | 'search_businesses'}: the contract takes what the SDK does not`
  | `${'create' | 'update'}_api_key: the contract takes what the SDK does not`
  // The method has an overload for other formats than JSON.
  | 'get_valuation_report: the contract takes what the SDK does not'

true satisfies IsSame<Wrong, Known> extends true ? true : [Exclude<Wrong, Known>, Exclude<Known, Wrong>]
