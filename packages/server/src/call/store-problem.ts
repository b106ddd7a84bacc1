import { StoreUnavailable } from '../blobs/blob-errors.ts'
import { unavailable } from './problem.ts'

/** Translates a fault of the store of content into the problem that the caller is told. Other errors are returned as they are. */
export const translateStoreError = (error: unknown): unknown =>
  error instanceof StoreUnavailable
    ? unavailable('The service cannot use its store of content now. Try again.')
    : error
