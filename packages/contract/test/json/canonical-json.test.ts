import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from '../../src/json/canonical-json.ts'

const canonicalOf = (json: string) => canonicalJson(JSON.parse(json))

describe('the canonical form of RFC 8785', () => {
  it('is that of the example in section 3.2.2', () => {
    const json = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    assert.equal(
      canonicalOf(json),
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  it('sorts names by UTF-16 code units, as in the example of section 3.2.3', () => {
    const json = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`
    const values = Object.values(JSON.parse(String(canonicalOf(json))) as object)
    assert.deepEqual(values, [
      'One',
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it('sorts names that look like numbers as texts', () => {
    assert.equal(
      canonicalOf('{"10":1,"9":2,"1":3,"a":{"2":0,"10":0}}'),
      '{"1":3,"10":1,"9":2,"a":{"10":0,"2":0}}',
    )
  })

  it('writes the numbers of appendix B', () => {
    const numbers: Record<string, string> = {
      '0000000000000000': '0',
      '8000000000000000': '0',
      '0000000000000001': '5e-324',
      '8000000000000001': '-5e-324',
      '7fefffffffffffff': '1.7976931348623157e+308',
      ffefffffffffffff: '-1.7976931348623157e+308',
      '4340000000000000': '9007199254740992',
      c340000000000000: '-9007199254740992',
      '4430000000000000': '295147905179352830000',
      '44b52d02c7e14af5': '9.999999999999997e+22',
      '44b52d02c7e14af6': '1e+23',
      '44b52d02c7e14af7': '1.0000000000000001e+23',
      '444b1ae4d6e2ef4e': '999999999999999700000',
      '444b1ae4d6e2ef4f': '999999999999999900000',
      '444b1ae4d6e2ef50': '1e+21',
      '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
      '3eb0c6f7a0b5ed8d': '0.000001',
      '41b3de4355555553': '333333333.3333332',
      '41b3de4355555554': '333333333.33333325',
      '41b3de4355555555': '333333333.3333333',
      '41b3de4355555556': '333333333.3333334',
      '41b3de4355555557': '333333333.33333343',
      becbf647612f3696: '-0.0000033333333333333333',
      '43143ff3c1cb0959': '1424953923781206.2',
    }
    for (const [bits, text] of Object.entries(numbers))
      assert.equal(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), text, bits)
  })

  it('does not exist for a number that JSON cannot write', () => {
    for (const json of ['1e400', '[-1e400]', '{"a":{"b":1e999}}']) assert.equal(canonicalOf(json), null)
  })

  it('reads back as the same value, and stays the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
        const canonical = String(canonicalJson(value))
        assert.deepEqual(JSON.parse(canonical), JSON.parse(JSON.stringify(value)))
        assert.equal(canonicalOf(canonical), canonical)
      }),
    )
  })

  it('keeps a name such as __proto__', () => {
    assert.equal(canonicalOf('{"b":1,"__proto__":{"a":2}}'), '{"__proto__":{"a":2},"b":1}')
  })
})
