import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPublicAddress } from '../../../src/plugins/http-json/public-address.ts'

const notPublic = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  'private networks': [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
  ],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'links, and the metadata of clouds': [
    '169.254.0.1',
    '169.254.169.254',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
  ],
  'protocols and relays': [
    '192.0.0.1',
    '192.0.0.170',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '2620:4f:8000::1',
  ],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'multicast and the reserved rest': [
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    'ff02::1',
    'ff0e::1',
  ],
  'addresses that contain an IPv4 address': [
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::1',
    '2002:808:808::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '::ffff:0:127.0.0.1',
  ],
  'local and unassigned IPv6': [
    '::',
    'fc00::1',
    'fdff::1',
    'fec0::1',
    '100::1',
    '4000::1',
    '5f00::1',
    'e000::1',
    '2001:10::1',
    '2001:20::1',
  ],
  'what is no address': [
    '',
    ' ',
    'localhost',
    '8.8.8',
    '8.8.8.8.8',
    '010.0.0.1',
    '0x8.8.8.8',
    '134744072',
    '8.8.8.8 ',
    '[2606:4700::1111]',
    'example.com',
    '::g',
  ],
}

describe('an address that is not public', () => {
  for (const [title, addresses] of Object.entries(notPublic))
    it(`is refused: ${title}`, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
    })
})

it('a public address is told from its neighbours that are not', () => {
  const neighbours = [
    '1.0.0.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:830::200e',
  ]
  for (const address of neighbours) assert.equal(isPublicAddress(address), true, address)
})
