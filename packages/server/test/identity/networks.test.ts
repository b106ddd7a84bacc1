import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isWithin, isSubnetOf, parseNetwork } from '../../src/identity/networks.ts'

describe('a network that an API key may be used from', () => {
  it('is an address, or a network by its first address and the length of its prefix', () => {
    for (const [text, network] of [
      ['203.0.113.7', '203.0.113.7/32'],
      ['203.0.113.0/24', '203.0.113.0/24'],
      ['0.0.0.0/0', '0.0.0.0/0'],
      ['2001:db8::1', '2001:db8::1/128'],
      ['2001:DB8:0:0:0::/32', '2001:db8::/32'],
      ['::/0', '::/0'],
      ['2001:db8::8000:0:0:0/65', '2001:db8:0:0:8000::/65'],
    ] as const)
      assert.deepEqual(parseNetwork(text), { network }, text)
  })

  it('is told what was meant where bits are set beyond the prefix, or the prefix is too long', () => {
    for (const [text, suggestion] of [
      ['203.0.113.7/24', '203.0.113.0/24'],
      ['203.0.113.255/31', '203.0.113.254/31'],
      ['2001:db8::1/64', '2001:db8::/64'],
      ['203.0.113.7/33', '203.0.113.7/32'],
    ] as const)
      assert.deepEqual(parseNetwork(text), { suggestion }, text)
  })

  it('is nothing else', () => {
    for (const text of [
      '',
      'localhost',
      '203.0.113',
      '203.0.113.007',
      '1.2.3.4/',
      '1.2.3.4/-1',
      '1.2.3.4/1e1',
      '::1%eth0',
      '[::1]',
      ' 1.2.3.4',
      '1.2.3.4/08x',
    ])
      assert.deepEqual(parseNetwork(text), {}, text)
  })

  it('holds the addresses whose first bits are its own', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.nat(32), (address, other, length) => {
        const read = parseNetwork(`${address}/${length}`)
        const network = 'network' in read ? read.network : (read.suggestion as string)
        assert.ok('network' in parseNetwork(network))
        const bits = (text: string) =>
          text
            .split('.')
            .map(byte => Number(byte).toString(2).padStart(8, '0'))
            .join('')
            .slice(0, length)
        assert.equal(isWithin([network], other), bits(address) === bits(other))
        assert.ok(isWithin([network], address))
      }),
    )
  })

  it('is read so that the database takes it, in either family', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.nat(128), (address, length) => {
        const read = parseNetwork(`${address}/${length}`)
        const network = 'network' in read ? read.network : (read.suggestion as string)
        assert.deepEqual(parseNetwork(network), { network })
        assert.ok(isWithin([network], address))
      }),
    )
  })

  it('lies within another where that holds all of its addresses', () => {
    const networkOf = (address: string, length: number) => {
      const read = parseNetwork(`${address}/${length}`)
      return 'network' in read ? read.network : (read.suggestion as string)
    }
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), fc.nat(128), fc.nat(128), (address, other, length, shorter) => {
        const network = networkOf(address, length)
        const around = networkOf(address, Math.min(length, shorter))
        assert.ok(isSubnetOf(network, around))
        assert.equal(isSubnetOf(around, network), around === network)
        const elsewhere = networkOf(other, Math.min(length, shorter))
        assert.equal(isSubnetOf(network, elsewhere), isWithin([elsewhere], address))
      }),
    )
    assert.ok(!isSubnetOf('0.0.0.0/0', '::/0'))
    assert.ok(!isSubnetOf('::/0', '0.0.0.0/0'))
  })

  it('of one family holds no address of the other, but an IPv4 address mapped into IPv6 is what it is', () => {
    assert.ok(!isWithin(['::/0'], '203.0.113.7'))
    assert.ok(!isWithin(['0.0.0.0/0'], '2001:db8::1'))
    assert.ok(isWithin(['203.0.113.0/24'], '::ffff:203.0.113.7'))
    assert.ok(!isWithin(['203.0.113.0/24'], '::ffff:203.0.114.7'))
    assert.ok(!isWithin([], '203.0.113.7'))
    assert.ok(!isWithin(['0.0.0.0/0'], 'garbage'))
  })
})
