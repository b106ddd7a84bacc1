import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What an API key's text says of the service that made it. */
export type ApiKeyEnvironment = 'dev' | 'test' | 'live'

/** A key just made. `secret` is the whole key, shown once; only the other three may be stored. */
export interface MintedApiKey {
  secret: string
  /** `svc_dev_XXXXXXXX`: what a key is found by, and safe to show. */
  prefix: string
  last4: string
  /** SHA-256 of the whole key. Its 190 random bits need no slow hash. */
  digest: Buffer
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 8
const secretLength = 32
const checksumLength = 6
const form = new RegExp(
  `^(svc_(?:dev|test|live)_[${digits}]{${idLength}})_[${digits}]{${secretLength + checksumLength}}$`,
)

/** Makes an API key: `svc_<env>_<8 id>_<32 secret><6 checksum>`, in letters and digits that survive any copying. */
export const mintApiKey = (env: ApiKeyEnvironment): MintedApiKey =>
  mintSecret(`svc_${env}_${randomDigits(idLength)}`)

/** Makes another secret for the key that is found by this prefix. */
export function mintSecret(prefix: string): MintedApiKey {
  const body = `${prefix}_${randomDigits(secretLength)}`
  const secret = body + checksumOf(body)
  return { secret, prefix, last4: secret.slice(-4), digest: digestOf(secret) }
}

/**
 * Reads a key a caller sent; null unless it is one by form and checksum, so that a mistyped key, or another
 * service's, costs no query. Takes time linear in the text and never throws.
 */
export function readApiKey(text: string): { prefix: string; digest: Buffer } | null {
  const prefix = form.exec(text)?.[1]
  if (prefix === undefined) return null
  const body = text.slice(0, -checksumLength)
  return body + checksumOf(body) === text ? { prefix, digest: digestOf(text) } : null
}

/** Whether two digests are the same, in a time that does not depend on where they differ. False for unequal lengths. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** CRC-32 finds typing errors; it protects nothing. 62 to the 6th exceeds 2 to the 32nd, so six digits always do. */
function checksumOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < checksumLength; place += 1) {
    text = digits.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

function randomDigits(count: number): string {
  let text = ''
  while (text.length < count) {
    for (const byte of randomBytes(count)) {
      // 248 is the largest multiple of 62 a byte can hold: bytes above it would favour the first digits.
      if (byte < 248 && text.length < count) text += digits.charAt(byte % 62)
    }
  }
  return text
}
