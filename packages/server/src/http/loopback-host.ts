import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>

const resolveAll: Resolve = host => lookup(host, { all: true })

/**
 * Whether what listens on a host is reached from this machine alone. It is the addresses that count, all those that a
 * name has. A host without any is left to listening to refuse.
 */
export async function isLoopbackHost(host: string, resolve: Resolve = resolveAll): Promise<boolean> {
  const addresses = await resolve(host).catch(() => [])
  return addresses.every(({ address, family }) => isLoopback(address, family))
}

/** An address may name the interface it is on, as in ::1%lo; one of IPv4 that is mapped into IPv6 counts as what it is. */
const isLoopback = (address: string, family: number) =>
  loopback.check(address.replace(/%.*$/s, ''), family === 6 ? 'ipv6' : 'ipv4')
