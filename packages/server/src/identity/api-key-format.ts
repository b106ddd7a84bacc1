import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The environment that an API key names in its text. */
export type ApiKeyEnvironment = 'dev' | 'test' | 'live'

/** A new key. `secret` is the whole key, shown once; only the other three may be stored. */
export interface MintedApiKey {
  secret: string
  /** `svc_dev_XXXXXXXX`: the public part, by which a key is found. */
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

/** Generates an API key: `svc_<env>_<8 id>_<32 secret><6 checksum>`, in letters and digits only, which survive copying. */
export const mintApiKey = (env: ApiKeyEnvironment): MintedApiKey =>
  mintSecret(`svc_${env}_${randomDigits(idLength)}`)

/** Generates another secret for the key with this prefix. */
export function mintSecret(prefix: string): MintedApiKey {
  const body = `${prefix}_${randomDigits(secretLength)}`
  const secret = body + checksumOf(body)
  return { secret, prefix, last4: secret.slice(-4), digest: digestOf(secret) }
}

/**
 * Parses a key that a caller sent. Null unless form and checksum are right, so that a mistyped key, or another
 * service's, costs no query. Linear in the length of the text; never throws.
 */
export function readApiKey(text: string): { prefix: string; digest: Buffer } | null {
  const prefix = form.exec(text)?.[1]
  if (prefix === undefined) return null
  const body = text.slice(0, -checksumLength)
  return body + checksumOf(body) === text ? { prefix, digest: digestOf(text) } : null
}

/** Compares two digests in constant time. False for unequal lengths. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/**
 * The CRC-32 finds typing errors and has no part in security. Six digits always suffice, since 62 to the 6th exceeds 2
 * to the 32nd.
 */
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
      // 248 is the largest multiple of 62 in a byte: larger bytes would favour the first digits.
      if (byte < 248 && text.length < count) text += digits.charAt(byte % 62)
    }
  }
  return text
}
