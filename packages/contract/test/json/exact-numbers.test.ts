import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { inexactNumbers, isExact } from '../../src/json/exact-numbers.ts'

const exact =
  '0 -0 0.000 0e99999999999999999999 1.0 100 1e2 1E+2 0.1e3 12.50 -7 0.1 0.30000000000000004 1e23 5e-324 1e-44 ' +
  '100000000000000000000000 9007199254740992 1.7976931348623157e308 0.00000000000000000000000000000000000000000001'
const changed =
  '9007199254740993 -9007199254740993 90071992547409930e-1 0.1000000000000000055 1e-400 1e400 -1e400 3e-324 ' +
  '1e99999999999999999999 1e-99999999999999999999 123456789012345678'

describe('a number in digits', () => {
  it('is exact if a double gives the same value again, however it is written', () => {
    for (const number of exact.split(' ')) assert.equal(isExact(number), true, number)
  })

  it('is not exact if a double would change it', () => {
    for (const number of changed.split(' ')) assert.equal(isExact(number), false, number)
  })

  it('is exact as every double is written, and not with one digit more', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        assert.ok(isExact(String(value)))
        if (value === 0) return
        assert.ok(isExact(value.toExponential()))
        const [mantissa = '', exponent] = value.toExponential(16).split('e')
        assert.ok(!isExact(`${mantissa}123e${exponent}`))
      }),
      { numRuns: 5000 },
    )
  })

  it('is compared in linear time', () => {
    const digits = '1'.repeat(500_000)
    for (const number of [
      `${digits}${'0'.repeat(500_000)}1`,
      `0.${'0'.repeat(1_000_000)}1`,
      `${digits}e-${digits}`,
    ])
      assert.equal(isExact(number), false)
  })
})

describe('the numbers of a JSON text that a double would change', () => {
  it('are named by their pointers', () => {
    const json = '{"a":[1,{"b/c":1e400}],"~":9007199254740993,"text":"9007199254740993","1":0.5,"0":1e-400}'
    assert.deepEqual(inexactNumbers(json, 20).sort(), ['/0', '/a/1/b~1c', '/~0'])
    assert.deepEqual(inexactNumbers('1e-400', 20), [''])
    assert.deepEqual(inexactNumbers('[1e400,1e400,1e400]', 2), ['/0', '/1'])
    assert.deepEqual(inexactNumbers('{"__proto__":1e400}', 20), ['/__proto__'])
    const others = '[{},"1e400",{"a":{"b\\":1":[ ]} ,"c":[[],{"d": "x,\\"{"},1e400]},-1e400]'
    assert.deepEqual(inexactNumbers(others, 20), ['/2/c/2', '/3'])
    assert.throws(() => inexactNumbers('[1e400,', 20), SyntaxError)
  })

  it('cost no more than a few times what the parser does, however many there are', () => {
    const json = `[${Array(100_000).fill('1e-400').join(',')}]`
    const ratio = leastTime(() => inexactNumbers(json, 20)) / leastTime(() => JSON.parse(json))
    assert.ok(ratio < 10, `${ratio.toFixed(1)} times`)
  })
})

/** The processor time of the fastest of several runs, in microseconds. */
function leastTime(work: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}
