/** A SHA-256 that takes content bit by bit. */
export interface Sha256 {
  update(bytes: Uint8Array): void
  /** In lower-case hex. Nothing can be added afterwards. */
  hex(): string
}

// The first 32 bits of the fractional parts of the cube roots and the square roots of the first primes (FIPS 180-4).
const primes = firstPrimes(64)
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32)
const K = Int32Array.from(primes, prime => fraction(Math.cbrt(prime)))
const start = Int32Array.from(primes.slice(0, 8), prime => fraction(Math.sqrt(prime)))

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every(prime => n % prime !== 0)) primes.push(n)
  return primes
}

/** SHA-256 for platforms that have none that takes content bit by bit: browsers hash only what is in memory as a whole. */
export function ownSha256(): Sha256 {
  const state = start.slice()
  const words = new Int32Array(64)
  const block = new Uint8Array(64)
  const view = new DataView(block.buffer)
  let filled = 0
  let length = 0

  function take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const some = bytes.subarray(at, at + 64 - filled)
      block.set(some, filled)
      filled += some.length
      at += some.length
      if (filled === 64) {
        compress(state, words, view)
        filled = 0
      }
    }
  }

  return {
    update(bytes) {
      length += bytes.length
      take(bytes)
    },
    hex() {
      const padding = new Uint8Array(((119 - (length % 64)) % 64) + 9)
      padding[0] = 0x80
      const bits = new DataView(padding.buffer)
      bits.setUint32(padding.length - 8, Math.floor(length / 2 ** 29))
      bits.setUint32(padding.length - 4, (length % 2 ** 29) * 8)
      take(padding)
      return Array.from(state, word => (word >>> 0).toString(16).padStart(8, '0')).join('')
    },
  }
}

/** Adds one block of 64 bytes to the state. */
function compress(state: Int32Array, w: Int32Array, block: DataView): void {
  for (let i = 0; i < 16; i++) w[i] = block.getInt32(i * 4)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const sums = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = ((state[i] as number) + (sums[i] as number)) | 0
}

type Eight = [number, number, number, number, number, number, number, number]
