import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sizeBand } from '../../../src/valuations/benchmark-sets/size-band-text.ts'

test('a band of prices is read as surveys write it', () => {
  const bands = {
    '500000-1000000': '500000-1000000',
    '50000000-': '50000000-',
    '<$500K': '0-500000',
    'under $500k': '0-500000',
    '$500K-$1M': '500000-1000000',
    '$500K - $1M': '500000-1000000',
    '$1-2M': '1000000-2000000',
    '$0.5m to $1m': '500000-1000000',
    '$1,000,000–$2,000,000': '1000000-2000000',
    '$50M+': '50000000-',
    '>= 5mm': '5000000-',
    all: null,
  }
  for (const [text, band] of Object.entries(bands)) assert.equal(sizeBand(text), band, text)
})

test('what is no band of prices is not read', () => {
  for (const text of ['', 'large', '-', '$', '1-2-3', '<0', '$-5', '0-0', '9'.repeat(30), '<$500K and more'])
    assert.equal(sizeBand(text), undefined, text)
})

test('a band that was read is read the same again', () => {
  const whole = fc.integer({ min: 1, max: 1_000_000_000 })
  fc.assert(
    fc.property(whole, fc.option(whole), (from, to) => {
      const band = `${from}-${to ?? ''}`
      assert.equal(sizeBand(band), band)
    }),
  )
})
