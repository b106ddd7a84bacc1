import type { OperationName } from '@wbs/contract/registry'
import type { CallerName } from './callers.ts'
import type { Input } from './wire.ts'
import type { PersonName, World } from './world.ts'

/** Makes what the input names, and gives the input. Each call makes it anew. */
export type MakeInput = (world: World) => Input | Promise<Input>

/** What the suites that walk the registry need to know of an operation besides its declaration. */
export interface Sample {
  /** Input with which the operation succeeds. */
  input: MakeInput
  /** Who sends it, where that is not the owner. */
  caller?: PersonName
  /** The statuses that some callers get, where they are not those that matrix.ts derives from the declaration. */
  answers?: Partial<Record<CallerName, number>>
  /** Ids that the owner must not learn of, by parameter, where those of the world do not fit this operation. */
  hidden?: MakeInput
  /** The operation answers 200 for an id that does not exist, instead of refusing. */
  answersForAbsent?: true
  /** Other input that takes another way through the handler, by what it stands for. */
  others?: Readonly<Record<string, MakeInput>>
  /** No single read shows what it answers: a test of the noun compares it with a list, or the resource is gone. */
  readBack?: false
  /** How often at most a mutation waits for the database, where that is not three times. */
  roundTrips?: 2
  /**
   * What a repeated request gets, where it is not the first answer for as long as the caller can see the resource:
   * `refused` since the caller lost their standing by the operation, or the first answer to whoever has the token.
   */
  replay?: 'refused' | 'by_token'
}

/** The samples of a noun. */
export type Samples = { readonly [Name in OperationName]?: Sample }
