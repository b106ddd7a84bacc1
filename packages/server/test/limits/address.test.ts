import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressKey } from '../../src/limits/address.ts'

describe('an address is counted', () => {
  for (const [address, as] of Object.entries({
    '192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:0DB8:0001:0002::1': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '2001:db8:1::2:3:4:5': '2001:db8:1:0::/64',
    '::1': '0:0:0:0::/64',
    '::': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '::ffff:192.0.2.7': '192.0.2.7',
    '::ffff:c000:207': '192.0.2.7',
    '64:ff9b::192.0.2.7': '64:ff9b:0:0::/64',
    '': 'unknown',
    '192.0.2.7:443': 'unknown',
    'a name': 'unknown',
  }))
    it(`${address || '(nothing)'} as ${as}`, () => assert.equal(addressKey(address), as))

  // Node.js forgets the address of a socket that is closed.
  it('of a client that has disconnected as unknown', () => assert.equal(addressKey(undefined), 'unknown'))
})
