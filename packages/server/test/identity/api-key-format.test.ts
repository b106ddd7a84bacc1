import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'

import * as fc from 'fast-check'

import {
  digestsEqual,
  mintApiKey,
  readApiKey,
  type ApiKeyEnvironment,
} from '../../src/identity/api-key-format.ts'

const environments: ApiKeyEnvironment[] = ['dev', 'test', 'live']
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const someKey = fc.constantFrom(...environments).map(env => mintApiKey(env).secret)

describe('an API key', () => {
  for (const env of environments) {
    test(`of ${env} reads back as what was minted`, () => {
      const key = mintApiKey(env)
      assert.match(key.secret, new RegExp(`^svc_${env}_[\\dA-Za-z]{8}_[\\dA-Za-z]{38}$`))
      assert.equal(key.prefix, key.secret.split('_').slice(0, 3).join('_'))
      assert.equal(key.last4, key.secret.slice(-4))
      assert.deepEqual(key.digest, createHash('sha256').update(key.secret).digest())
      assert.deepEqual(readApiKey(key.secret), { prefix: key.prefix, digest: key.digest })
    })
  }

  test('ends in the CRC-32 of what goes before, in base 62', () => {
    fc.assert(
      fc.property(someKey, key => {
        const checksum = Array.from(key.slice(-6)).reduce(
          (sum, digit) => sum * 62 + alphabet.indexOf(digit),
          0,
        )
        assert.equal(checksum, crc32(key.slice(0, -6)))
      }),
    )
  })

  test('is none with any one character changed', () => {
    fc.assert(
      fc.property(
        someKey,
        fc.nat(),
        fc.constantFrom(...Array.from(alphabet), '_', '-', ' ', 'é'),
        (key, at, character) => {
          const place = at % key.length
          fc.pre(key[place] !== character)
          assert.equal(readApiKey(key.slice(0, place) + character + key.slice(place + 1)), null)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('is none with two neighbours swapped, a part cut off or something added', () => {
    fc.assert(
      fc.property(someKey, fc.nat(), fc.string({ minLength: 1 }), (key, at, extra) => {
        const place = at % (key.length - 1)
        const swapped = key.slice(0, place) + key[place + 1] + key[place] + key.slice(place + 2)
        if (swapped !== key) assert.equal(readApiKey(swapped), null)
        assert.equal(readApiKey(key.slice(0, place)), null)
        assert.equal(readApiKey(key.slice(place + 1)), null)
        assert.equal(readApiKey(key + extra), null)
        assert.equal(readApiKey(extra + key), null)
      }),
    )
  })

  test('of another environment’s name is none, whatever its checksum', () => {
    const key = mintApiKey('dev').secret
    for (const env of ['prod', 'DEV', 'de', 'devdev', '']) {
      assert.equal(readApiKey(key.replace('_dev_', `_${env}_`)), null)
    }
  })

  test('is not found in any other text, and no text throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        assert.equal(readApiKey(text), null)
      }),
    )
    for (const odd of JSON.parse('[null, 7, true, {}, [], ["svc"]]')) {
      assert.equal(readApiKey(odd), null)
    }
  })

  test('is told from ten million characters at once', () => {
    const started = performance.now()
    assert.equal(readApiKey(`svc_dev_${'a'.repeat(10_000_000)}`), null)
    assert.ok(performance.now() - started < 1000)
  })

  test('never comes twice', () => {
    const keys = Array.from({ length: 5_000 }, () => mintApiKey('test'))
    assert.equal(new Set(keys.map(key => key.secret)).size, keys.length)
  })

  test('uses every digit equally often', () => {
    const counts = new Map<string, number>()
    const keys = 5_000
    for (let index = 0; index < keys; index += 1) {
      for (const digit of mintApiKey('live').secret.slice(-38, -6))
        counts.set(digit, (counts.get(digit) ?? 0) + 1)
    }
    const expected = (keys * 32) / 62
    const chiSquared = Array.from(alphabet).reduce(
      (sum, digit) => sum + ((counts.get(digit) ?? 0) - expected) ** 2 / expected,
      0,
    )
    // 61 degrees of freedom: a fair source exceeds 130 less than once in a million runs; bytes modulo 62 give over 600.
    assert.ok(chiSquared < 130, `chi squared is ${chiSquared}`)
  })
})

describe('digests', () => {
  test('are equal when their bytes are, and comparing unequal lengths does not throw', () => {
    const { digest } = mintApiKey('dev')
    assert.equal(digestsEqual(digest, Buffer.from(digest)), true)
    assert.equal(digestsEqual(digest, new Uint8Array(digest)), true)
    assert.equal(digestsEqual(digest, mintApiKey('dev').digest), false)
    assert.equal(digestsEqual(digest, digest.subarray(1)), false)
    assert.equal(digestsEqual(digest, Buffer.alloc(0)), false)
  })
})
