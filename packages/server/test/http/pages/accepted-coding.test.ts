import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acceptedCoding } from '../../../src/http/pages/accepted-coding.ts'

describe('the content coding of a document', () => {
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate, zstd', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['br;q=0.001', 'br'],
    ['br ; q=1.0 , gzip ; q=0.5', 'br'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'br'],
    // None is accepted, and the content itself is of more use than a refusal.
    ['identity;q=0', 'identity'],
    ['*;q=0', 'identity'],
    // A part that is not well formed names nothing.
    ['br;q=2, gzip', 'gzip'],
    ['br;level=3, gzip', 'gzip'],
    [',, gzip ,', 'gzip'],
  ] as const)
    it(`is ${coding} for ${header === undefined ? 'no header' : `"${header}"`}`, () => {
      assert.equal(acceptedCoding(header), coding)
    })
})
