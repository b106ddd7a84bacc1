import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scopes, type Scope } from '@wbs/contract/scopes'
import fc from 'fast-check'
import { isWithin, parseNetwork } from '../../../src/identity/networks.ts'
import { narrows, type KeyLimits } from '../../../src/workspaces/api-keys/api-key-rules.ts'

const plain: KeyLimits = { scopes: ['team:read', 'rooms:read'], expires_at: null, allowed_cidrs: null }
const june = '2031-06-01T00:00:00.000Z'
const july = '2031-07-01T00:00:00.000Z'

/** Few values of each kind, so that wanted and allowed values often coincide. */
const someScopes = fc.constantFrom(...scopes.slice(0, 5))
const moments = fc.constantFrom(...[1, 2, 3, 4].map(day => `2031-06-0${day}T00:00:00.000Z`))
const addresses = fc.oneof(
  fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => `203.0.${a}.${b}`),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => `2001:db8::${a}:${b}`),
)
const networks = fc.tuple(addresses, fc.nat(128)).map(([address, length]) => {
  const read = parseNetwork(`${address}/${address.includes(':') ? length : length % 33}`)
  return 'network' in read ? read.network : (read.suggestion ?? assert.fail(address))
})
const limits: fc.Arbitrary<KeyLimits> = fc.record({
  scopes: fc.uniqueArray(someScopes),
  expires_at: fc.option(moments),
  allowed_cidrs: fc.option(fc.array(networks, { minLength: 1, maxLength: 3 })),
})

interface Use {
  scope: Scope
  at: string
  from: string
}
const uses: fc.Arbitrary<Use> = fc.record({ scope: someScopes, at: moments, from: addresses })

const allows = (key: KeyLimits, { scope, at, from }: Use): boolean =>
  key.scopes.includes(scope) &&
  (key.expires_at === null || at < key.expires_at) &&
  (key.allowed_cidrs === null || isWithin(key.allowed_cidrs, from))

describe('a key that somebody else changes', () => {
  it('is narrowed by fewer scopes', () => {
    assert.ok(narrows(plain, plain))
    assert.ok(narrows(plain, { ...plain, scopes: ['rooms:read'] }))
    assert.ok(narrows(plain, { ...plain, scopes: [] }))
    assert.ok(!narrows(plain, { ...plain, scopes: ['rooms:read', 'rooms:write'] }))
  })

  it('is narrowed by an earlier expiry', () => {
    const until = (expires_at: string | null) => ({ ...plain, expires_at })
    assert.ok(narrows(plain, until(july)))
    assert.ok(narrows(until(july), until(june)))
    assert.ok(narrows(until(july), until('2031-07-01T02:00:00+02:00')))
    assert.ok(!narrows(until(june), until(july)))
    assert.ok(!narrows(until(june), until(null)))
  })

  it('is narrowed by networks within its own', () => {
    const from = (...allowed_cidrs: string[]) => ({ ...plain, allowed_cidrs })
    assert.ok(narrows(plain, from('0.0.0.0/0')))
    assert.ok(narrows(from('203.0.113.0/24', '::/0'), from('203.0.113.7/32', '203.0.113.128/25')))
    assert.ok(narrows(from('2001:db8::/32'), from('2001:db8::/32', '2001:db8:1::/48')))
    assert.ok(!narrows(from('203.0.113.0/24'), plain))
    assert.ok(!narrows(from('203.0.113.0/24'), from('203.0.112.0/23')))
    assert.ok(!narrows(from('203.0.113.0/24'), from('203.0.113.0/25', '203.0.114.0/32')))
    assert.ok(!narrows(from('0.0.0.0/0'), from('2001:db8::/32')))
    assert.ok(!narrows(from('::/0'), from('203.0.113.7/32')))
  })

  it('can do nothing new after it was narrowed', () => {
    let narrowed = 0
    fc.assert(
      fc.property(
        limits,
        limits,
        fc.array(uses, { minLength: 20, maxLength: 20 }),
        (before, after, asked) => {
          if (!narrows(before, after)) return
          narrowed++
          for (const use of asked) assert.ok(!allows(after, use) || allows(before, use))
        },
      ),
      { numRuns: 5000 },
    )
    assert.ok(narrowed > 50, String(narrowed))
  })

  it('allows every change that only takes away', () => {
    fc.assert(
      fc.property(limits, limits, (before, other) => {
        const after: KeyLimits = {
          scopes: before.scopes.filter(scope => other.scopes.includes(scope)),
          expires_at: [before.expires_at, other.expires_at].filter(end => end !== null).sort()[0] ?? null,
          allowed_cidrs: before.allowed_cidrs?.slice(0, 1) ?? other.allowed_cidrs,
        }
        assert.ok(narrows(before, after))
      }),
    )
  })
})
