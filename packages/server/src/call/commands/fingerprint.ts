import { createHmac, type KeyObject } from 'node:crypto'
import type { Operation } from '@wbs/contract/operation'

/**
 * What an Idempotency-Key stands for: the operation and its validated input. Keyed, because a short body in a leaked
 * table could be guessed from a plain hash. The order of keys and white space do not matter; everything else does.
 */
export function fingerprint(secret: KeyObject, operation: Operation, input: object): Buffer {
  return createHmac('sha256', secret)
    .update(canonicalJson([1, operation.http, input]))
    .digest()
}

/** JSON with the keys of every object sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
