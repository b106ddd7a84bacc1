import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { ownSha256 } from '../../src/upload/hash/sha256.ts'

it('the SHA-256 for browsers is that of Node.js, for every length and every division', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = new Uint8Array(randomBytes(length))
    for (const step of [1, 7, 63, 64, 65, 300]) {
      const hash = ownSha256()
      for (let at = 0; at < length; at += step) hash.update(bytes.subarray(at, at + step))
      assert.equal(hash.hex(), createHash('sha256').update(bytes).digest('hex'), `${length} by ${step}`)
    }
  }
})
