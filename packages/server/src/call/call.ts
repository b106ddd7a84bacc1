import type { KeyObject } from 'node:crypto'
import type { ReaderPool } from '../database/connections/reader.ts'
import type { WriterPool } from '../database/connections/writer.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { KnownMembers } from './authority/known-members.ts'
import type { Caller } from './authority/caller.ts'
import type { Implementation } from './implement.ts'
import type { WaitWithoutSlot, SingleFlight } from './commands/single-flight.ts'
import type { Stream } from './stream-item.ts'
import type { VisibilityCheck } from './commands/visibility.ts'
import type { RawInput, Validator } from './input/validate.ts'

/** A request as every door hands it over: who sends it is known, nothing else has been judged. */
export interface Call {
  request_id: string
  caller: Caller | null
  /** The headers SVC-Workspace-Id and Idempotency-Key, or what stands for them at another door. */
  workspace_id: string | undefined
  idempotency_key: string | undefined
  /** The header If-Match. */
  if_match?: string | undefined
  input: RawInput
  /** Given by doors at which a caller can wait, for operations that do. */
  wait?: TransportWait | undefined
  /** Given by doors that let in only so many calls at once. */
  waitWithoutSlot?: WaitWithoutSlot | undefined
}

/** What a call that waits goes by. */
export interface TransportWait {
  /** The header Last-Event-ID. */
  last_event_id: string | undefined
  /** Aborted when nobody waits for the answer any more: the caller has gone, or the service stops. */
  signal: AbortSignal
  /** Says that it only waits from here on, and holds up nobody else. */
  begin(): void
  /** Finds out anew who sends the request. Throws what authenticate does. */
  authenticateAgain(): Promise<Caller | null>
}

/** The headers that steer a call, judged. Empty where the operation takes none. */
export interface CallHeaders {
  /** In lower case. */
  workspace_id: string | null
  idempotency_key: string
  /** Where to go on with a stream. */
  last_event_id: string | null
}

export interface Answer {
  status: number
  body: object
  /** Of a stream, instead of a body: what it tells as it comes. */
  stream?: Stream
  /** The first request with the key was answered before, and this is that answer. */
  replay: boolean
  revision?: number
}

/** What the path needs besides the operation itself. */
export interface Pipeline {
  readers: ReaderPool
  writers: WriterPool
  /** Keys the fingerprints of requests; the same on every node. Made once: with bytes for a key, each HMAC takes five times as long. */
  secret: KeyObject
  now: () => Date
  singleFlight: SingleFlight
  knownMembers: KnownMembers
  /** Whether somebody can see what a receipt names, by its type. */
  visibilityChecks: Readonly<Record<string, VisibilityCheck>>
  /** Where changes leave what is to be done after them. */
  jobs: Pick<Jobs, 'send'>
}

export interface Runnable {
  implementation: Implementation
  validate: Validator
}

/** A request whose form is right. */
export interface ValidRequest {
  implementation: Implementation
  caller: Caller | null
  headers: CallHeaders
  input: object
  request_id: string
  wait: TransportWait | undefined
  waitWithoutSlot: WaitWithoutSlot | undefined
}
