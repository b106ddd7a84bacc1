import {
  CommitUnknown,
  isCanceled,
  isConnectionLoss,
  isLockTimeout,
  isRetryable,
  ReadersBusy,
  TooManyWaiting,
  WritersBusy,
} from '../database/faults.ts'
import { Problem, unavailable } from './problem.ts'

/** What the caller is told of an error: that of a database in trouble becomes unavailable, any other stays what it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof CommitUnknown)
    return unavailable(
      'The service lost the connection to its database while it committed the change. Send the same request with the same Idempotency-Key to get the outcome.',
    )
  if (isConnectionLoss(error)) return unavailable('The service cannot reach its database now. Try again.')
  if (error instanceof WritersBusy)
    return unavailable('Too many changes are in progress. Nothing was changed; try again.')
  if (error instanceof ReadersBusy) return unavailable('Too many reads are in progress. Try again.')
  if (error instanceof TooManyWaiting) return tooManyOfShare()
  if (isLockTimeout(error) || isRetryable(error))
    return unavailable('Other requests are changing the same resource. Nothing was changed; try again.')
  if (isCanceled(error)) return unavailable('The database took too long. Nothing was changed; try again.')
  return error
}

/** It passes as soon as something of theirs ends: whoever shares their turns with them has asked too much, and nobody else. */
const tooManyOfShare = (): Problem =>
  new Problem(
    'rate_limited',
    'Too many requests from you or in this Workspace are waiting for the database. Nothing was changed; try again.',
    { 'violated-policies': ['turns'] },
    { 'retry-after': '1' },
  )
