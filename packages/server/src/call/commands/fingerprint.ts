import { createHmac, type KeyObject } from 'node:crypto'
import { withSortedKeys } from '@wbs/contract/json/canonical-json'
import type { Operation } from '@wbs/contract/operation'

/**
 * The fingerprint of a request: a digest of the operation and its validated input, whatever the order of keys and the
 * white space. It is an HMAC, because the short input behind a plain hash could be guessed from a leaked table.
 */
export function fingerprint(secret: KeyObject, operation: Operation, input: object): Buffer {
  return createHmac('sha256', secret)
    .update(sortedJson([1, operation.http, input]))
    .digest()
}

/** JSON with the keys of every object sorted. */
export const sortedJson = (value: unknown): string => JSON.stringify(withSortedKeys(value))
