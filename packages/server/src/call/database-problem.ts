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
      'The database was lost while the change was being committed. Repeat it with the same Idempotency-Key to learn what became of it.',
    )
  if (isConnectionLoss(error)) return unavailable('The database cannot be reached now.')
  if (error instanceof WritersBusy) return unavailable('Too many changes are under way; nothing was changed.')
  if (error instanceof ReadersBusy) return unavailable('Too many reads are under way; try again.')
  if (error instanceof TooManyWaiting) return tooManyOfShare()
  if (isLockTimeout(error) || isRetryable(error))
    return unavailable('Others are changing the same thing; nothing was changed.')
  if (isCanceled(error)) return unavailable('The database took too long; nothing was changed.')
  return error
}

/** It passes as soon as something of theirs ends: whoever shares their turns with them has asked too much, and nobody else. */
const tooManyOfShare = (): Problem =>
  new Problem(
    'rate_limited',
    'Too many requests of this Workspace, or of this caller, wait for the database; nothing was changed.',
    { 'violated-policies': ['turns'] },
    { 'retry-after': '1' },
  )
