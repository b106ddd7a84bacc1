import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  defaultUploadSettings,
  expiryOf,
  missingParts,
  partsOf,
  sizeOfPart,
} from '../../../src/files/uploads/upload.ts'

const mebibyte = 1024 * 1024

describe('The parts of an upload', () => {
  it('have together the size of the content, for every size', () => {
    for (const size_bytes of [1, 8 * mebibyte - 1, 8 * mebibyte, 8 * mebibyte + 1, 5 * 1024 * mebibyte]) {
      const cut = { size_bytes, ...partsOf(size_bytes, defaultUploadSettings) }
      const sizes = Array.from({ length: cut.part_count }, (_, at) => sizeOfPart(cut, at + 1))
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        size_bytes,
      )
      assert.ok(sizes.every(size => size > 0 && size <= cut.part_size_bytes))
      assert.ok(sizes.slice(0, -1).every(size => size === cut.part_size_bytes))
    }
  })

  it('are never more than 10,000', () => {
    const cut = partsOf(1_000_000, { ...defaultUploadSettings, part_bytes: 1 })
    assert.deepEqual(cut, { part_size_bytes: 100, part_count: 10_000 })
  })

  it('are missing if they are not stored, or in another size', () => {
    const upload = { size_bytes: 2500, part_size_bytes: 1000, part_count: 3 }
    const stored = (part_number: number, size_bytes: number) => ({
      part_number,
      size_bytes,
      etag: '',
      stored_at: new Date(),
    })
    assert.deepEqual(missingParts(upload, []), [1, 2, 3])
    assert.deepEqual(missingParts(upload, [stored(1, 1000), stored(3, 1000)]), [2, 3])
    assert.deepEqual(missingParts(upload, [stored(3, 500), stored(2, 1000), stored(1, 1000)]), [])
  })
})

describe('The expiry of an upload', () => {
  const begun = '2026-03-01T00:00:00.000Z'
  const after = (...hours: number[]) =>
    expiryOf(
      { created_at: begun },
      hours.map(hour => ({ stored_at: new Date(Date.parse(begun) + hour * 3_600_000) })),
      defaultUploadSettings,
    ).toISOString()

  it('is a day after the newest part, and seven days after the beginning at most', () => {
    assert.equal(after(), '2026-03-02T00:00:00.000Z')
    assert.equal(after(30, 5), '2026-03-03T06:00:00.000Z')
    assert.equal(after(24 * 6 + 23), '2026-03-08T00:00:00.000Z')
  })
})
