import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { idPattern, idPrefixes, newId, newUnorderedId, type IdPrefix } from '@wbs/contract/ids'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const body = '01JD8Q4M0ZC5V7N2XKWBTRHG3F'

describe('an id', () => {
  for (const prefix of Object.keys(idPrefixes) as IdPrefix[])
    it(`with the prefix ${prefix} matches its own pattern, and no other`, () => {
      const id = newId(prefix)
      for (const other of Object.keys(idPrefixes) as IdPrefix[])
        assert.equal(new RegExp(idPattern(other), 'u').test(id), other === prefix)
    })

  it('begins with the time of its creation', () => {
    for (const at of [0, 1, 1_700_000_000_000, 2 ** 48 - 1]) {
      const [, digits = ''] = newId('biz', at).split('_')
      const decoded = Array.from(digits.slice(0, 10)).reduce(
        (sum, char) => sum * 32 + alphabet.indexOf(char),
        0,
      )
      assert.equal(decoded, at)
    }
  })

  it('sorts after every id that the process created before', () => {
    let last = ''
    for (let n = 0; n < 50_000; n++) {
      const id = newId('evt', 1_700_000_000_000 + Math.floor(n / 1000))
      assert.ok(id > last)
      last = id
    }
  })

  it('is unique', () => {
    const made = new Set(Array.from({ length: 50_000 }, (_, n) => newId('req', n)))
    assert.equal(made.size, 50_000)
  })

  it('cannot be guessed from another of the same millisecond', () => {
    // An id of another millisecond between the two, so that the second gets new random bits.
    const first = newId('biz', 5)
    newId('biz', 6)
    const second = newId('biz', 5)
    assert.equal(first.slice(0, 14), second.slice(0, 14))
    const same = Array.from(first).filter((char, i) => i >= 14 && char === second[i]).length
    assert.ok(same < 12, `${first} ${second}`)
  })

  it('can be in no order, so that it reveals nothing about others of its millisecond', () => {
    const made = Array.from({ length: 1000 }, () => newUnorderedId('evt', 5))
    assert.equal(new Set(made).size, made.length)
    for (const id of made) assert.match(id, new RegExp(idPattern('evt'), 'u'))
    const ascents = made.filter((id, i) => id > (made[i - 1] ?? '')).length
    assert.ok(ascents > 350 && ascents < 650, String(ascents))
    const ordered = newId('evt', 5)
    newUnorderedId('evt', 5)
    assert.ok(newId('evt', 5) > ordered)
  })

  for (const [what, text] of Object.entries({
    'the largest': `biz_7${'Z'.repeat(25)}`,
    'the smallest': `biz_${'0'.repeat(26)}`,
    'any other': `biz_${body}`,
  }))
    it(`may be ${what}`, () => assert.match(text, new RegExp(idPattern('biz'), 'u')))

  for (const [what, text] of Object.entries({
    'past 128 bits': `biz_8${'0'.repeat(25)}`,
    'in small letters': `biz_${body.toLowerCase()}`,
    'of another prefix': `fil_${body}`,
    'without prefix': body,
    'too short': `biz_${body.slice(1)}`,
    'too long': `biz_${body}0`,
    'with I': `biz_${body.slice(0, -1)}I`,
    'with L': `biz_${body.slice(0, -1)}L`,
    'with O': `biz_${body.slice(0, -1)}O`,
    'with U': `biz_${body.slice(0, -1)}U`,
    'with a line break after it': `biz_${body}\n`,
    'with a blank before it': ` biz_${body}`,
    'of other digits': `biz_${body.slice(0, -1)}９`,
  }))
    it(`may not be ${what}`, () => assert.doesNotMatch(text, new RegExp(idPattern('biz'), 'u')))
})
