import { createSecretKey } from 'node:crypto'
import type { Meter } from '@opentelemetry/api'
import { createAuthenticate } from './call/authority/authenticate.ts'
import type { KeyUse } from './call/authority/key-use.ts'
import { chargedWorkspace, createKnownMembers, type KnownMembers } from './call/authority/known-members.ts'
import type { Pipeline } from './call/call.ts'
import { createSingleFlight } from './call/commands/attempts.ts'
import { createRunner } from './call/run.ts'
import type { Database } from './database/database.ts'
import type { IssuerSettings } from './identity/issuer-settings.ts'
import { createTokenVerifier } from './identity/issuers.ts'
import type { Jobs } from './jobs/jobs.ts'
import { createBucketStore } from './limits/buckets.ts'
import { createLimiter, type Limiter } from './limits/limiter.ts'
import { visibilityChecks } from './slices.ts'

export interface RequestPathParts {
  database: Database
  issuers: readonly IssuerSettings[]
  /** Queues jobs. */
  jobs: Pick<Jobs, 'send'>
  /** The key for request fingerprints, invitation tokens and feed cursors. */
  secret: Buffer
  /** Multiplies the quotas of all rate limits; 0 disables them. */
  rateLimitScale: number
  /** Measures what happens. Default: nothing is measured. */
  meter?: Meter
  now: () => Date
  log: Pipeline['log'] & Parameters<typeof createTokenVerifier>[1]['log']
}

/** The path that every request takes, as the transports call it (docs/how-a-request-runs.md). */
export function createRequestPath(parts: RequestPathParts, noteUse: KeyUse['note']) {
  const { database, now, log } = parts
  const knownMembers = createKnownMembers()
  const tokens = createTokenVerifier(parts.issuers, { log, now })
  return {
    authenticate: createAuthenticate({
      verifyToken: tokens.verify,
      reader: database.readers.unscoped,
      noteUse,
    }),
    limiter: limiterOf(parts, knownMembers),
    chargedWorkspace: chargedWorkspace.bind(undefined, knownMembers),
    ...createRunner({
      readers: database.readers,
      publicReads: database.publicReads,
      writers: database.writers,
      secret: createSecretKey(parts.secret),
      now,
      singleFlight: createSingleFlight(),
      knownMembers,
      visibilityChecks,
      jobs: parts.jobs,
      log,
    }),
  }
}

function limiterOf(
  { database, rateLimitScale, meter, log }: RequestPathParts,
  knownMembers: KnownMembers,
): Limiter | undefined {
  if (rateLimitScale === 0) return undefined
  return createLimiter({
    store: createBucketStore(database.counters),
    knownMembers,
    scale: rateLimitScale,
    log,
    ...(meter && { meter }),
  })
}
