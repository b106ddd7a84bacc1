import { hkdfSync } from 'node:crypto'

/** A key for one purpose, derived from the service's secret (RFC 5869). The label names the purpose; `length` is in bytes. */
export const derivedKey = (secret: Buffer, label: string, length = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', label, length))
