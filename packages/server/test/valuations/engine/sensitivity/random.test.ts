import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  randomFrom,
  splitMix64,
  triangular,
  xoshiro128,
} from '../../../../src/valuations/engine/sensitivity/random.ts'

const take = <Value>(count: number, next: () => Value) => Array.from({ length: count }, () => next())

test('xoshiro128** gives the published sequence', () => {
  assert.deepEqual(take(6, xoshiro128([1, 2, 3, 4])), [11520, 0, 5927040, 70819200, 2031721883, 1637235492])
})

test('SplitMix64 gives the published sequence', () => {
  assert.deepEqual(take(3, splitMix64(1234567n)), [
    6457827717110365317n,
    3203168211198807973n,
    9817491932198370423n,
  ])
})

test('seeds from 0 to 2^53 - 1 give numbers from 0 to 1, each its own', () => {
  const firsts = [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER].map(seed => take(50, randomFrom(seed)))
  for (const numbers of firsts) for (const one of numbers) assert.ok(one >= 0 && one < 1)
  assert.equal(new Set(firsts.flat()).size, 200)
  assert.deepEqual(take(50, randomFrom(2 ** 32)), firsts[2])
})

test('the triangular distribution has its mean and stays within its ends', () => {
  const random = randomFrom(7)
  const drawn = take(20_000, () => triangular(random, -3, 0, 9))
  assert.ok(Math.min(...drawn) >= -3 && Math.max(...drawn) <= 9)
  const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length
  assert.ok(Math.abs(mean - (-3 + 0 + 9) / 3) < 0.05, String(mean))
})

test('a triangle without width gives its mode', () => {
  assert.equal(triangular(randomFrom(1), 5, 5, 5), 5)
})
