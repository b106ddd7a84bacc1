import type { OperationName } from '@wbs/contract/registry'
import type { CallerName } from './callers.ts'
import type { Input } from './wire.ts'
import type { PersonName, World } from './world.ts'

/** Creates the resources that the input names, new ones in each call, and returns the input. */
export type MakeInput = (world: World) => Input | Promise<Input>

/** What the suites that walk the registry need in addition to the declaration of an operation. */
export interface Sample {
  /** Input with which the operation succeeds. */
  input: MakeInput
  /** Input with which it finds what exists already, if that is not the same input again. */
  found?: MakeInput
  /** The caller who sends it. Default: the owner. */
  caller?: PersonName
  /** Input with which it succeeds for a visitor, if that is another one. */
  visitor?: MakeInput
  /** Exceptions of the authorization matrix: the status of a caller, if matrix.ts derives another one. */
  answers?: Partial<Record<CallerName, number>>
  /** Ids of hidden resources by parameter, if those of the world do not fit this operation. */
  hidden?: MakeInput
  /** The operation answers 200 for an id that does not exist, instead of refusing. */
  answersForAbsent?: true
  /** Inputs for other paths through the handler, by title. */
  others?: Readonly<Record<string, MakeInput>>
  /** No single read shows the resource of the answer: a test of the noun compares it with a list, or it no longer exists. */
  readBack?: false
  /** The most round trips of a mutation. Default: three. */
  roundTrips?: 2
  /**
   * The answer to a repeated request. Default: the first answer, as long as the caller can see the resource. `refused`: a
   * refusal, because the operation ended the caller's standing. `by_token`: the first answer, to anybody with the token.
   */
  replay?: 'refused' | 'by_token'
}

/** The samples of a noun. */
export type Samples = { readonly [Name in OperationName]?: Sample }
