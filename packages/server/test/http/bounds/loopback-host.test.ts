import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, it } from 'node:test'
import { isLoopbackHost } from '../../../src/http/loopback-host.ts'

describe('a host', () => {
  for (const host of [
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.1',
    '2130706433',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    'localhost',
    'LocalHost',
  ])
    it(`${host} is reached from this machine alone`, async () => {
      assert.equal(await isLoopbackHost(host), true)
    })

  for (const host of [
    '0.0.0.0',
    '0',
    '::',
    '0:0:0:0:0:0:0:0',
    '::ffff:0.0.0.0',
    '::ffff:192.0.2.1',
    '::2',
    '10.0.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '192.168.1.5',
    'fe80::1',
  ])
    it(`${host} is reached from a network`, async () => {
      assert.equal(await isLoopbackHost(host), false)
    })

  const named =
    (...addresses: string[]) =>
    async () =>
      addresses.map(address => ({ address, family: isIP(address.replace(/%.*/, '')) }))

  it('goes by the addresses that its name has, whatever the name', async () => {
    assert.equal(await isLoopbackHost('localhost', named('192.0.2.1')), false)
    assert.equal(await isLoopbackHost('here.example', named('127.0.0.1', '::1')), true)
    assert.equal(await isLoopbackHost('here.example', named('127.0.0.1', '2001:db8::1')), false)
    assert.equal(await isLoopbackHost('::1%lo', named('::1%lo')), true)
    assert.equal(await isLoopbackHost('fe80::1%lo', named('fe80::1%lo')), false)
  })
})
