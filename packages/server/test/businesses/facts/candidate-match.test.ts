import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { matchedOn, websiteKey, type MatchFields } from '../../../src/businesses/facts/candidate-match.ts'
import { startTestService, type TestService } from '../../harness/service.ts'

const text = fc.constantFrom('Acme', 'ACME', 'acme  ', 'Ａｃｍｅ', 'Acme & Co', 'Straße', 'STRASSE', 'x')
const likeness: fc.Arbitrary<MatchFields> = fc.record({
  name: text,
  website_url: fc.option(
    fc.constantFrom('https://a.example', 'HTTPS://A.example/', 'https://a.example/B', 'https://a.example/b/'),
  ),
  state: fc.option(fc.constantFrom('MA', 'GA')),
  city: fc.option(fc.constantFrom('Boston', 'BOSTON ', 'Macon')),
})

describe('matching two Businesses', () => {
  it('is symmetric', () =>
    fc.assert(
      fc.property(likeness, likeness, (one, other) =>
        assert.deepEqual(matchedOn(one, other), matchedOn(other, one)),
      ),
      { numRuns: 1000 },
    ))

  it('finds at least the name of a Business and itself', () =>
    fc.assert(
      fc.property(likeness, one => {
        const common = matchedOn(one, { ...one })
        assert.ok(common.includes('name'))
        for (const field of ['website_url', 'state', 'city'] as const)
          assert.equal(common.includes(field), one[field] !== null)
      }),
      { numRuns: 500 },
    ))

  it('does not find less if less of the place is known', () =>
    fc.assert(
      fc.property(likeness, likeness, (one, other) => {
        const before = matchedOn(one, other)
        const after = matchedOn({ ...one, state: null, city: null }, other)
        if (before.includes('name')) assert.ok(after.includes('name'))
        assert.equal(after.includes('website_url'), before.includes('website_url'))
      }),
      { numRuns: 1000 },
    ))

  it('does not find the name in another state or city, whatever else is the same', () => {
    const acme = { name: 'Acme', website_url: null, state: 'MA', city: 'Boston' }
    assert.deepEqual(matchedOn(acme, { ...acme, city: 'Salem' }), [])
    assert.deepEqual(matchedOn(acme, { ...acme, state: 'OR' }), [])
    assert.deepEqual(matchedOn({ ...acme, city: null }, { ...acme, city: 'Salem' }), ['name', 'state'])
  })

  it('finds no state or city without the name', () =>
    fc.assert(
      fc.property(likeness, likeness, (one, other) => {
        const common = matchedOn(one, other)
        if (!common.includes('name')) assert.ok(!common.includes('state') && !common.includes('city'))
      }),
      { numRuns: 1000 },
    ))
})

describe('the key of a web address', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('is the same in SQL, for any text', async () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'Z', 'É', ':', '/', '?', '#', '.', '@', ' ', '\n', '\\', '('),
    })
    const url = fc.oneof(
      part,
      fc.tuple(fc.constantFrom('https://', 'HTTP://', 'x:'), part).map(parts => parts.join('')),
    )
    const urls = fc.sample(url, 2000)
    const rows = await service.sql<{ key: string | null }>(
      'select website_key(url) as key from unnest($1::text[]) with ordinality as u (url, n) order by n',
      [urls],
    )
    assert.deepEqual(
      rows.map(row => row.key),
      urls.map(one => websiteKey(one)),
    )
  })

  it('is idempotent', () => {
    for (const url of ['https://A.example/', 'http://a.example/B/c/', 'https://a.example/?q=/']) {
      const key = websiteKey(url)
      assert.equal(websiteKey(key), key)
    }
  })
})
