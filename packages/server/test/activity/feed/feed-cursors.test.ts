import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createFeedCursors } from '../../../src/activity/feed/feed-cursors.ts'

const secret = Buffer.from('a secret of this service')
const workspace_id = '0190a7a2-0000-7000-8000-00000000000a'
const cursors = createFeedCursors(secret)(workspace_id)
const positions = fc.bigInt({ min: 0n, max: 2n ** 40n - 1n }).map(String)
const texts = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }).map(String)

describe('the cursor of a position in the feed', () => {
  it('is a decimal number of up to 18 digits for exactly one position', () => {
    fc.assert(
      fc.property(positions, position => {
        const text = cursors.textOf(position)
        assert.match(text, /^[1-9][0-9]{0,17}$/)
        assert.equal(cursors.positionOf(text), position)
      }),
      { numRuns: 1000, examples: [['0'], ['1'], ['2'], [String(2n ** 40n - 1n)]] },
    )
    fc.assert(
      fc.property(texts, text => {
        const position = cursors.positionOf(text)
        if (position !== null) assert.equal(cursors.textOf(position), text)
      }),
      { numRuns: 1000, examples: [['1'], ['999999999999999999']] },
    )
    const first = Array.from({ length: 5000 }, (_, i) => cursors.textOf(String(i + 1)))
    assert.equal(new Set(first).size, first.length)
  })

  it('is the same on every node and after every start with the same secret', () => {
    const elsewhere = createFeedCursors(Buffer.from('a secret of this service'))(workspace_id)
    assert.equal(elsewhere.textOf('1'), cursors.textOf('1'))
    // Fixed values: a release with other cursors would refuse those that clients have stored.
    assert.deepEqual(
      ['1', '2', '1000000'].map(position => cursors.textOf(position)),
      ['588366878510954574', '49291772665602206', '595142813753346833'],
    )
  })

  it('differs between Workspaces and secrets, and is not valid in another one', () => {
    const other = createFeedCursors(secret)(randomUUID())
    const foreign = createFeedCursors(randomBytes(32))(workspace_id)
    for (let position = 1; position <= 100; position++) {
      const text = cursors.textOf(String(position)) ?? ''
      assert.notEqual(other.textOf(String(position)), text)
      assert.notEqual(foreign.textOf(String(position)), text)
    }
    const named = (of: typeof other) =>
      Array.from({ length: 100 }, (_, i) => of.positionOf(cursors.textOf(String(i + 1)) ?? '')).filter(
        position => position !== null,
      )
    assert.ok(named(other).length <= 1)
    assert.ok(named(foreign).length <= 1)
  })

  it('reveals neither the order nor the distance of two positions', () => {
    const pairs = 2000
    let later = 0
    let closer = 0
    for (let i = 1; i <= pairs; i++) {
      const [here, next, far] = [i, i + 1, i + 1_000_000].map(position =>
        Number(cursors.textOf(String(position))),
      ) as [number, number, number]
      if (next > here) later++
      if (Math.abs(next - here) < Math.abs(far - here)) closer++
    }
    // Each comparison is a coin toss; the bound is seven standard deviations.
    for (const count of [later, closer]) assert.ok(Math.abs(count - pairs / 2) < 160, String(count))
  })

  it('cannot be guessed: of fifty thousand numbers hardly one is valid', () => {
    let taken = 0
    for (let i = 0; i < 50_000; i++)
      if (cursors.positionOf(String(BigInt(i) * 9_999_999_999_989n + 1n)) !== null) taken++
    assert.ok(taken <= 3, String(taken))
  })

  it('is null for null', () => {
    assert.equal(cursors.textOf(null), null)
    for (const wrong of ['-1', String(2n ** 40n)]) assert.throws(() => cursors.textOf(wrong))
  })
})
