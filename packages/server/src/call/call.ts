import type { KeyObject } from 'node:crypto'
import type { ReaderPool } from '../database/connections/reader.ts'
import type { PublicReads } from '../database/replicas/public-reads.ts'
import type { WriterPool } from '../database/connections/writer.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Bytes } from './bytes.ts'
import type { KnownMembers } from './authority/known-members.ts'
import type { Caller } from './authority/caller.ts'
import type { Implementation } from './implement.ts'
import type { SingleFlight } from './commands/attempts.ts'
import type { WaitWithoutSlot } from './waiting/wait-without-slot.ts'
import type { Stream } from './stream-item.ts'
import type { VisibilityCheck } from './commands/visibility.ts'
import type { RawInput, Validator } from './input/validate.ts'

/** A request as a transport passes it on. The sender is identified; nothing else has been checked. */
export interface Call {
  request_id: string
  caller: Caller | null
  /** The headers SVC-Workspace-Id and Idempotency-Key, or their equivalents in another transport. */
  workspace_id: string | undefined
  idempotency_key: string | undefined
  /** The header SVC-Claim-Token. */
  claim_token?: string | undefined
  /** The header If-Match. */
  if_match?: string | undefined
  input: RawInput
  /** Set by transports that can keep a request waiting. */
  wait?: TransportWait | undefined
  /** Set by transports that limit how many requests run at once. */
  waitWithoutSlot?: WaitWithoutSlot | undefined
  /** Set by transports that notice it: a signal that is aborted with a Problem when the client has disconnected. */
  gone?: (() => AbortSignal) | undefined
}

/** What a transport offers to an operation that waits. */
export interface TransportWait {
  /** The header Last-Event-ID. */
  last_event_id: string | undefined
  /** Aborted when the client has disconnected or the service stops. */
  signal: AbortSignal
  /** Marks the request as waiting, which releases its slot. */
  begin(): void
  /** Identifies the sender again. Throws what `authenticate` throws. */
  authenticateAgain(): Promise<Caller | null>
}

/** The validated headers of a call. Empty for headers that the operation does not take. */
export interface CallHeaders {
  /** In lower case. */
  workspace_id: string | null
  idempotency_key: string
  /** With which a visitor reads. */
  claim_token: string | null
  /** Where a stream resumes. */
  last_event_id: string | null
}

export interface Answer {
  status: number
  body: object
  /** The stream of an operation that answers with one, instead of a body. */
  stream?: Stream
  /** The content of an operation that answers with bytes, instead of a body. */
  bytes?: Bytes
  /** Whether this is the stored answer of an earlier request with the same key. */
  replay: boolean
  revision?: number
  /** Whether a part of the body changes without a new revision. */
  hasUnversioned?: boolean
}

/** The dependencies of the path that every operation takes. */
export interface Pipeline {
  readers: ReaderPool
  publicReads: Pick<PublicReads, 'reader'>
  writers: WriterPool
  /**
   * The key of the HMAC that fingerprints requests; the same on every node. A KeyObject, because an HMAC with raw key
   * bytes takes five times as long.
   */
  secret: KeyObject
  now: () => Date
  singleFlight: SingleFlight
  knownMembers: KnownMembers
  /** Whether a caller can see the resource of a receipt, by the type of the resource. */
  visibilityChecks: Readonly<Record<string, VisibilityCheck>>
  /** Takes the jobs of changes. */
  jobs: Pick<Jobs, 'send'>
  log: { error(details: object, message: string): void }
}

export interface Runnable {
  implementation: Implementation
  validate: Validator
}

/** A request whose form is valid. */
export interface ValidRequest {
  implementation: Implementation
  caller: Caller | null
  headers: CallHeaders
  input: object
  request_id: string
  wait: TransportWait | undefined
  waitWithoutSlot: WaitWithoutSlot | undefined
  gone: () => AbortSignal
}
