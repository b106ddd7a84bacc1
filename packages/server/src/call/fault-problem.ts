import {
  CommitUnknown,
  isCanceled,
  isConnectionLoss,
  isLockTimeout,
  isMachineFault,
  isRetryable,
  isRevisionMissed,
  ReadersBusy,
  storageLimitOf,
  WritersBusy,
} from '../database/faults.ts'
import { TooManyWaiting } from '../turns/fair-turns.ts'
import { StoreUnavailable } from '../blobs/blob-errors.ts'
import { beyondStorage, causedBy, Problem, unavailable } from './problem.ts'

/** Translates an error of the database, or of the store of Files, into the problem that the caller is told. Other errors are returned as they are. */
export function translateFault(error: unknown): unknown {
  if (error instanceof CommitUnknown)
    return causedBy(
      error,
      unavailable(
        'The service lost the connection to its database while it committed the change. Send the same request with the same Idempotency-Key to get the outcome.',
      ),
    )
  if (isRevisionMissed(error))
    return causedBy(
      error,
      unavailable(
        'Somebody else changed the same resource at the same time. Nothing was changed; try again.',
      ),
    )
  const storage = storageLimitOf(error)
  if (storage !== null) return beyondStorage(storage)
  if (isMachineFault(error))
    return causedBy(
      error,
      unavailable(
        'The machine of the database reports a fault, such as a full disk. Nothing was changed; try again.',
        5,
      ),
    )
  if (isConnectionLoss(error)) return unavailable('The service cannot reach its database now. Try again.')
  if (error instanceof WritersBusy)
    return unavailable('Too many changes are in progress. Nothing was changed; try again.', 1, 'writers')
  if (error instanceof ReadersBusy)
    return unavailable('Too many reads are in progress. Try again.', 1, 'readers')
  if (error instanceof TooManyWaiting) return tooManyOfShare()
  if (isLockTimeout(error) || isRetryable(error))
    return unavailable('Other requests are changing the same resource. Nothing was changed; try again.')
  if (isCanceled(error)) return unavailable('The database took too long. Nothing was changed; try again.')
  if (error instanceof StoreUnavailable)
    return causedBy(
      error,
      unavailable('The service cannot reach the store of its Files now. Nothing was changed; try again.'),
    )
  return error
}

/** The caller's own share of connections is used up, so this is rate_limited rather than unavailable. */
const tooManyOfShare = (): Problem =>
  new Problem(
    'rate_limited',
    'Too many requests from you or in this Workspace are waiting for the database. Nothing was changed; try again.',
    { 'violated-policies': ['turns'] },
    { 'retry-after': '1' },
  )
