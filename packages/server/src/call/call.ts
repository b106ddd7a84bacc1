import type { ReaderPool } from '../database/reader.ts'
import type { WriterPool } from '../database/writer.ts'
import type { Caller } from './caller.ts'
import type { Implementation } from './implement.ts'
import type { OneAtATime } from './in-flight.ts'
import type { RawInput, Validator } from './validate.ts'

/** A request as every door hands it over: who sends it is known, nothing else has been judged. */
export interface Call {
  request_id: string
  caller: Caller | null
  /** The headers SVC-Workspace-Id and Idempotency-Key, or what stands for them at another door. */
  workspace_id: string | undefined
  idempotency_key: string | undefined
  input: RawInput
}

/** The headers that steer a call, judged. Empty where the operation takes none. */
export interface CallHeaders {
  /** In lower case. */
  workspace_id: string | null
  idempotency_key: string
}

export interface Answer {
  status: number
  body: object
  /** The first request with the key was answered before, and this is that answer. */
  replay: boolean
  revision?: number
}

/** What the path needs besides the operation itself. */
export interface Pipeline {
  readers: ReaderPool
  writers: WriterPool
  /** Keys the fingerprints of requests; the same on every node. */
  secret: Buffer
  now: () => Date
  oneAtATime: OneAtATime
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
}
